; ModuleID = '../irtmp/n19b.ll'
source_filename = "new.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@g = global i32 0, code_model "large", align 4
@p = global ptr ptrauth (ptr @f, i32 0, i64 1234, ptr @g)
@q = constant [2 x ptr] [ptr @g, ptr getelementptr inbounds nuw (i8, ptr @g, i64 4)]
@r = constant ptr getelementptr inrange(-4, 8) (i8, ptr @g, i64 0)

; Function Attrs: nounwind memory(readwrite, inaccessiblemem: read)
define void @f(ptr initializes((0, 4)) %p, ptr dead_on_unwind noundef writable %s, i32 range(i32 0, 5) %n) #0 !dbg !3 {
entry:
    #dbg_value(i32 %n, !6, !DIExpression(), !8)
    #dbg_declare(ptr %p, !6, !DIExpression(), !8)
  %small = trunc nuw nsw i32 %n to i8
  %wide = zext nneg i8 %small to i32
  %real = uitofp nneg i32 %n to float
  %less = icmp ult i32 %wide, 3
  %at = getelementptr inbounds nuw i8, ptr %p, i64 4
  %off = getelementptr nusw i8, ptr %p, i64 8
  %both = or disjoint i32 %wide, 64
  %back = getelementptr nuw i8, ptr %p, i64 1
  %sum = add nuw nsw i32 %both, 1
    #dbg_assign(i32 %sum, !6, !DIExpression(), !9, ptr %p, !DIExpression(), !8)
  store i32 %sum, ptr %p, align 4, !DIAssignID !9
  %c = call range(i32 0, 9) i32 @h(i32 noundef range(i32 0, 5) %n, ptr %at)
  %v = atomicrmw uinc_wrap ptr %p, i32 1 seq_cst, align 4
  %t = call <vscale x 2 x i32> @llvm.experimental.stepvector.nxv2i32()
  br i1 %less, label %one, label %two

one:                                              ; preds = %entry
    #dbg_label(!10, !8)
  %k = call i32 %off(i32 %c) [ "ptrauth"(i32 0, i64 42) ]
  switch i32 %k, label %two [
    i32 1, label %three
  ]

two:                                              ; preds = %one, %entry
  %z = phi fast float [ %real, %entry ], [ 1.000000e+00, %one ]
  store float %z, ptr %back, align 4, !tbaa !11
  br label %three

three:                                            ; preds = %two, %one
  %u = freeze i32 poison
  ret void, !dbg !8
}

; Function Attrs: memory(argmem: read)
declare i32 @h(i32, ptr) #1

declare range(i8 1, 3) i8 @i(ptr nofree)

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(none)
declare <vscale x 2 x i32> @llvm.experimental.stepvector.nxv2i32() #2

; Function Attrs: vscale_range(1,16)
define nofpclass(nan inf) float @j(float nofpclass(nan) %x) #3 {
  %y = fmul nnan ninf float %x, 2.000000e+00
  ret float %x
}

define <4 x i32> @l(<4 x i32> %x) {
  %y = add <4 x i32> %x, <i32 7, i32 7, i32 7, i32 7>
  ret <4 x i32> %y
}

define target("spirv.Image", void, 1) @m(target("spirv.Image", void, 1) %x) {
  ret target("spirv.Image", void, 1) %x
}

; Function Attrs: hybrid_patchable nocallback nosanitize_bounds optdebug sanitize_numerical_stability
define riscv_vector_cc void @n() #4 {
  ret void
}

attributes #0 = { nounwind memory(readwrite, inaccessiblemem: read) "target-cpu"="x86-64" }
attributes #1 = { memory(argmem: read) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(none) }
attributes #3 = { vscale_range(1,16) }
attributes #4 = { hybrid_patchable nocallback nosanitize_bounds optdebug sanitize_numerical_stability }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "x", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, sysroot: "/")
!1 = !DIFile(filename: "new.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !4, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !5)
!4 = !DISubroutineType(types: !5)
!5 = !{}
!6 = !DILocalVariable(name: "n", scope: !3, file: !1, line: 1, type: !7)
!7 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!8 = !DILocation(line: 1, column: 1, scope: !3)
!9 = distinct !DIAssignID()
!10 = !DILabel(scope: !3, name: "one", file: !1, line: 3)
!11 = !{!12, !12, i64 0}
!12 = !{!"int", !13}
!13 = !{!"root"}

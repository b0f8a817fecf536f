; Syntax of LLVM 17 to 19.
source_filename = "new.c"
target triple = "x86_64-unknown-linux-gnu"

%pair = type { i32, i32 }
@g = global i32 0, align 4, code_model "large"
@p = global ptr ptrauth (ptr @f, i32 0, i64 1234, ptr @g)
@q = constant [2 x ptr] [ptr @g, ptr getelementptr inbounds nuw (i8, ptr @g, i64 4)]
@r = constant ptr getelementptr inrange(-4, 8) (i8, ptr @g, i64 0)

define void @f(ptr initializes((0, 4)) %p, ptr dead_on_unwind writable noundef %s, i32 range(i32 0, 5) %n) #0 !dbg !5 {
entry:
    #dbg_value(i32 %n, !8, !DIExpression(), !10)
    #dbg_declare(ptr %p, !8, !DIExpression(), !10)
  %small = trunc nuw nsw i32 %n to i8
  %wide = zext nneg i8 %small to i32
  %real = uitofp nneg i32 %n to float
  %less = icmp samesign ult i32 %wide, 3
  %at = getelementptr inbounds nuw i8, ptr %p, i64 4
  %off = getelementptr nusw i8, ptr %p, i64 8
  %both = or disjoint i32 %wide, 64
  %back = getelementptr nuw i8, ptr %p, i64 1
  %sum = add nuw nsw i32 %both, 1
    #dbg_assign(i32 %sum, !8, !DIExpression(), !11, ptr %p, !DIExpression(), !10)
  store i32 %sum, ptr %p, align 4, !DIAssignID !11
  %c = call range(i32 0, 9) i32 @h(i32 noundef range(i32 0, 5) %n, ptr captures(none) %at)
  %v = atomicrmw uinc_wrap ptr %p, i32 1 seq_cst
  %w = atomicrmw usub_sat ptr %p, i32 1 seq_cst
  %t = call <vscale x 2 x i32> @llvm.stepvector.nxv2i32()
  br i1 %less, label %one, label %two
one:
    #dbg_label(!12, !10)
  %k = call i32 %off(i32 %c) [ "ptrauth"(i32 0, i64 42) ]
  switch i32 %k, label %two [ i32 1, label %three ]
two:
  %z = phi fast float [ %real, %entry ], [ 1.0, %one ]
  store float %z, ptr %back, align 4, !tbaa !13
  br label %three
three:
  %u = freeze i32 poison
  ret void, !dbg !10
}

declare i32 @h(i32, ptr captures(address, read_provenance)) memory(argmem: read, inaccessiblemem: none)
declare range(i8 1, 3) i8 @i(ptr nofree captures(ret: address, provenance), i32 noext)
declare <vscale x 2 x i32> @llvm.stepvector.nxv2i32()
define nofpclass(nan inf) float @j(float nofpclass(nan) %x) vscale_range(1,16) {
  %y = fmul nnan ninf float %x, splat (float 2.0)
  ret float %x
}
define <4 x i32> @l(<4 x i32> %x) {
  %y = add <4 x i32> %x, splat (i32 7)
  ret <4 x i32> %y
}
define target("spirv.Image", void, 1) @m(target("spirv.Image", void, 1) %x) {
  ret target("spirv.Image", void, 1) %x
}
define riscv_vector_cc void @n() nocallback nosanitize_bounds hybrid_patchable optdebug sanitize_numerical_stability {
  ret void
}

attributes #0 = { nounwind memory(readwrite, inaccessiblemem: read) "target-cpu"="x86-64" }
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "x", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, sysroot: "/")
!1 = !DIFile(filename: "new.c", directory: "/")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !6, unit: !0, retainedNodes: !7)
!6 = !DISubroutineType(types: !7)
!7 = !{}
!8 = !DILocalVariable(name: "n", scope: !5, file: !1, line: 1, type: !9)
!9 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!10 = !DILocation(line: 1, column: 1, scope: !5)
!11 = distinct !DIAssignID()
!12 = !DILabel(scope: !5, name: "one", file: !1, line: 3)
!13 = !{!14, !14, i64 0}
!14 = !{!"int", !15}
!15 = !{!"root"}

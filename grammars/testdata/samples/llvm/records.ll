; Constructs of LLVM 17 to 20.
source_filename = "a.c"
target triple = "x86_64-unknown-linux-gnu"

%vec = type { ptr, target("spirv.Image", void, 1) }
@g = internal unnamed_addr constant [2 x i8] c"a\00", align 1, code_model "large"
@t = thread_local(initialexec) global i32 0, sanitize_address_dyninit, section "x", no_sanitize_hwaddress
@p = global ptr getelementptr inbounds nuw (i8, ptr @g, i64 1)
@q = global ptr getelementptr inrange(-8, 8) (i8, ptr @g, i64 1)
@s = global <4 x i32> splat (i32 7)
@a = global ptr ptrauth (ptr @g, i32 0, i64 1234)
@i = private alias i32, ptr @t
@r = ifunc void (), ptr @resolver

define dso_local range(i32 0, 10) i32 @f(ptr noundef captures(none) dead_on_unwind writable initializes((0, 4), (8, 12)) %p, i32 range(i32 -1, 8) %x, ptr byval([2 x i8]) align 4 %b, half nofpclass(nan inf) %h) local_unnamed_addr #0 !dbg !4 !kcfi_type !9 {
entry:
    #dbg_value(ptr %p, !10, !DIExpression(), !11)
    #dbg_declare(ptr %b, !10, !DIExpression(DW_OP_deref), !11)
    #dbg_assign(i32 %x, !10, !DIExpression(), !12, ptr %p, !DIExpression(), !11)
    #dbg_label(!13, !11)
  %t = trunc nuw nsw i32 %x to i8, !dbg !11
  %z = zext nneg i8 %t to i64
  %u = uitofp nneg i32 %x to float
  %o = or disjoint i32 %x, 16
  %g1 = getelementptr inbounds nuw i8, ptr %p, i64 %z
  %g2 = getelementptr nusw nuw i8, ptr %p, i64 %z
  %c = icmp samesign ult i32 %x, %o
  %m = fmul reassoc nnan ninf nsz arcp contract afn float %u, 2.000000e+00
  %v = add <4 x i32> splat (i32 1), zeroinitializer
  %w = atomicrmw uinc_wrap ptr %p, i32 1 syncscope("agent") seq_cst, align 4, !amdgpu.no.fine.grained.memory !14
  %w2 = atomicrmw fmaximum ptr %p, float %m monotonic, align 4
  %w3 = atomicrmw usub_cond ptr %p, i32 2 acquire, align 4
  %e = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %x, i32 1)
  %e0 = extractvalue { i32, i1 } %e, 0
  %k = call range(i32 0, 4) i32 @ext(ptr nonnull captures(address, read_provenance) %p) #1 [ "kcfi"(i32 5), "clang.arc.attachedcall"(ptr @ext) ]
  %n = tail call fast float @llvm.fmuladd.f32(float %m, float %u, float 0x4000000000000000)
  callbr void asm sideeffect "", "!i"() to label %next [label %other]

next:
  %bf = fptrunc nnan float %n to bfloat
  %se = select nsz i1 %c, float %n, float 0.000000e+00
  br i1 %c, label %other, label %end, !prof !15

other:
  %ph = phi nnan float [ %u, %entry ], [ %se, %next ]
  store atomic i32 %w, ptr %p release, align 4
  br label %end, !llvm.loop !16

end:
  %r = call token @llvm.experimental.convergence.entry()
  %iv = insertvalue %vec poison, ptr %p, 0
  ret i32 %e0, !dbg !11
}

declare i32 @ext(ptr) memory(argmem: readwrite, inaccessiblemem: none) allockind("alloc,zeroed") allocsize(0) #1
declare void @resolver() nocallback
declare noundef nofpclass(nan) float @llvm.fmuladd.f32(float, float, float)
declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32)
declare token @llvm.experimental.convergence.entry() convergent
declare preserve_nonecc void @cc(ptr inreg noalias noext)

attributes #0 = { mustprogress uwtable(sync) vscale_range(1,16) memory(read, argmem: readwrite, errnomem: write) denormal_fpenv("x") "no-trapping-math"="true" }
attributes #1 = { nocreateundeforpoison nounwind optdebug hybrid_patchable }

!llvm.module.flags = !{!0, !1}
!llvm.dbg.cu = !{!2}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, splitDebugInlining: false, nameTableKind: None, sysroot: "/")
!3 = !DIFile(filename: "a.c", directory: "/", checksumkind: CSK_MD5, checksum: "00")
!4 = distinct !DISubprogram(name: "f", scope: !3, file: !3, line: 1, type: !5, scopeLine: 1, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !6, keyInstructions: true)
!5 = !DISubroutineType(types: !{null})
!6 = !{}
!9 = !{i32 -1}
!10 = !DILocalVariable(name: "p", arg: 1, scope: !4, file: !3, line: 1, type: !5)
!11 = !DILocation(line: 1, column: 2, scope: !4, atomGroup: 1, atomRank: 2)
!12 = distinct !DIAssignID()
!13 = !DILabel(scope: !4, name: "l", file: !3, line: 2)
!14 = !{}
!15 = !{!"branch_weights", !"expected", i32 2000, i32 1}
!16 = distinct !{!16, !17}
!17 = !{!"llvm.loop.mustprogress"}

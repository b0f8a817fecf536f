; Opaque pointers and debug information, as LLVM 16.
%tree = type { ptr, [0 x i32] }

@root = global ptr null, align 8, !dbg !0
@scalable = external addrspace(1) global <4 x i32>

define dso_local cc 10 ptr @insert(ptr noalias byval(%tree) align 8 %0, i32 %1) unnamed_addr #0 !dbg !7 !prof !22 {
  %3 = alloca ptr addrspace(5), align 8, addrspace(5)
  call void @llvm.dbg.value(metadata i32 %1, metadata !14, metadata !DIExpression(DW_OP_plus_uconst, 8, DW_OP_stack_value)), !dbg !16
  call void @llvm.dbg.value(metadata !DIArgList(i32 %1, i32 4), metadata !14, metadata !{}), !dbg !16
  %4 = load i32, ptr %0, align 4, !dbg !16, !tbaa !17, !range !{i32 0, i32 5}
  br label %5, !dbg !16, !llvm.loop !20

5:                                                ; preds = %5, %2
  %6 = call <vscale x 4 x i32> @llvm.scale(token none, <vscale x 4 x i32> poison)
  br i1 false, label %5, label %7, !dbg !16

7:                                                ; preds = %5
  ret ptr %0, !dbg !16
}

declare !dbg !21 void @llvm.dbg.value(metadata, metadata, metadata) memory(argmem: readwrite, inaccessiblemem: none)
declare <vscale x 4 x i32> @llvm.scale(token, <vscale x 4 x i32>)

define void @records(i32 %x) !dbg !7 {
    #dbg_value(i32 %x, !14, !DIExpression(), !16)
  ret void
}

attributes #0 = { nounwind memory(none) vscale_range(1,16) }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!5, !6}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "root", scope: !2, file: !3, line: 3, type: !4, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "by \22hand\22", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, enums: !{}, globals: !{!0, null}, nameTableKind: None)
!3 = !DIFile(filename: "debug.c", directory: "/", checksumkind: CSK_MD5, checksum: "00000000000000000000000000000000")
!4 = !DIEnumerator(name: "none", value: 7, isUnsigned: true)
!5 = !{i32 7, !"Dwarf Version", i32 5}
!6 = !{i32 1, !"wchar_size", i32 4}
!7 = distinct !DISubprogram(name: "insert", file: !3, line: 5, type: !8, flags: DIFlagPublic | DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: null)
!8 = !DISubroutineType(cc: 12, types: !9)
!9 = !{null, !1, float 1.000000e+00, ptr @root, i1 true}
!10 = !GenericDINode(tag: DW_TAG_entry_point, header: "x", operands: {!1, null})
!14 = !DILocalVariable(name: "x", arg: 1, scope: !7)
!16 = !DILocation(line: 6, column: 3, scope: !7)
!17 = !{!"int", !18, i64 0}
!18 = !{!"char"}
!20 = distinct !{!20, !16}
!21 = !DISubprogram(name: "value")
!22 = !{!"function_entry_count", i64 1}

; Typed pointers, as up to LLVM 14.
source_filename = "typed.c"
target datalayout = "e-m:e-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

module asm ".globl here"

%opaque = type opaque
%"a pair" = type { i32, %opaque* }
%packed = type <{ i8, i32, [2 x {}], <2 x float>, i32 (i8*, ...)* }>

$group = comdat any

@counter = dso_local global i32 0, align 4
@outside = external thread_local(localexec) global i32, section "data", align 4
@text = private unnamed_addr constant [3 x i8] c"a\22\00", align 1
@table = internal constant [2 x i8*] [i8* blockaddress(@main, %done), i8* getelementptr inbounds ([3 x i8], [3 x i8]* @text, i64 0, i64 1)]
@struct = constant <{ i8, i16 }> <{ i8 1, i16 -2 }>
@nested = constant { i32, [1 x i32] } { i32 1, [1 x i32] [i32 ptrtoint (i32* @counter to i32)] }
@halves = global <2 x half> <half 0xH3C00, half 1.500000e+00>
@same = global i1 icmp eq (i32* @counter, i32* null)
@equal = global i64 ptrtoint (i32 (i32)* dso_local_equivalent @callee to i64), comdat($group)
@alias = hidden alias i32, i32* @counter
@bytes = alias i8, bitcast (i32* @counter to i8*)
@chosen = ifunc i32 (i32), i32 (i32)* ()* @resolver

declare i32 @callee(i32) #0
declare i32 (i32)* @resolver()
declare i32 @personality(...)
declare void @variadic(i8* nocapture readonly, ...) local_unnamed_addr #0
declare fastcc zeroext i1 @space(i8 addrspace(1)* align 8 dereferenceable(16)) "key"="value" "flag"

define dso_local i32 @main(i32 noundef %argc, i8** %argv) #1 section ".main" comdat($group) align 16 prefix i32 1 personality i32 (...)* @personality {
entry:
  %list = alloca i8*, align 8
  %many = alloca i32, i32 %argc, align 4
  store volatile i32 0, i32* %many, align 4
  %old = load atomic i32, i32* @counter seq_cst, align 4
  fence syncscope("singlethread") acquire
  %swap = cmpxchg weak i32* @counter, i32 %old, i32 1 acq_rel monotonic, align 4
  %value = extractvalue { i32, i1 } %swap, 0
  %pair = insertvalue { i32, i1 } %swap, i32 7, 0
  %add = atomicrmw volatile add i32* @counter, i32 1 seq_cst, align 4
  %max = atomicrmw umax i32* @counter, i32 1 monotonic, align 4
  %sum = add nuw nsw i32 %value, %add
  %less = icmp slt i32 %sum, 10
  br i1 %less, label %more, label %done

more:                                             ; preds = %entry
  %wide = sext i32 %sum to i64
  %at = getelementptr inbounds i32, i32* %many, i64 %wide
  %half = fneg fast float 1.000000e+00
  %vector = insertelement <2 x i32> undef, i32 %sum, i32 0
  %both = shufflevector <2 x i32> %vector, <2 x i32> zeroinitializer, <2 x i32> <i32 0, i32 3>
  %one = extractelement <2 x i32> %both, i32 0
  %frozen = freeze i32 poison
  %any = select i1 true, i32 %one, i32 %frozen
  %next = va_arg i8** %list, i32
  call void (i8*, ...) @variadic(i8* null, i32 %any, double 0x7FF0000000000000) #2
  %asm = call i32 asm sideeffect "mov $1, $0", "=r,r,~{dirflag}"(i32 %next)
  %called = tail call fastcc i32 @callee(i32 signext %asm) [ "deopt"(i32 1, i8* null), "none"() ]
  %invoked = invoke i32 @callee(i32 %called)
          to label %done unwind label %pad

done:                                             ; preds = %more, %entry
  %result = phi i32 [ %sum, %entry ], [ %invoked, %more ]
  switch i32 %result, label %end [
    i32 1, label %jump
    i32 2, label %goto
  ]

jump:                                             ; preds = %done
  indirectbr i8* blockaddress(@main, %done), [label %done, label %end]

"goto":                                           ; preds = %done
  callbr void asm sideeffect "nop", "X"(i8* blockaddress(@main, %end))
          to label %end [label %end]

pad:                                              ; preds = %more
  %caught = landingpad { i8*, i32 }
          cleanup
          catch i8* bitcast (i32* @counter to i8*)
          filter [1 x i8*] zeroinitializer
  resume { i8*, i32 } %caught

end:                                              ; preds = %goto, %jump, %done
  ret i32 %result

  uselistorder i32 %result, { 1, 0 }
}

define void @nothing() {
  call void @nothing()
  ret void
}

attributes #0 = { nounwind allocsize(0) "frame-pointer"="all" }
attributes #1 = { noinline alignstack=16 uwtable }
attributes #2 = { cold }

uselistorder i32 0, { 1, 0, 2 }
uselistorder_bb @main, %end, { 1, 0, 2 }

^0 = module: (path: "typed.o", hash: (0, 1, 2, 3, 4))
^1 = gv: (name: "nothing", summaries: (function: (module: ^0, flags: (linkage: external), insts: 2, calls: ((callee: ^2, hotness: hot)), refs: (readonly ^3))))
^4 = blockcount: 8

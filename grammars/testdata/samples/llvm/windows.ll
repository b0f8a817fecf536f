; Exceptions of Windows.
define dllexport i32 @f(ptr %p) personality ptr @__CxxFrameHandler3 {
  invoke void @g()
          to label %end unwind label %dispatch

dispatch:
  %switch = catchswitch within none [label %handler, label %other] unwind label %cleanup

handler:
  %pad = catchpad within %switch [ptr null, i32 64, ptr %p]
  call void @g() [ "funclet"(token %pad) ]
  catchret from %pad to label %end

other:
  %inner = catchpad within %switch []
  %again = catchswitch within %inner [label %last] unwind to caller

last:
  %final = catchpad within %again [ptr null]
  unreachable

cleanup:
  %clean = cleanuppad within none []
  cleanupret from %clean unwind to caller

end:
  musttail call void @g()
  ret i32 0
}

declare void @g()
declare i32 @__CxxFrameHandler3(...)

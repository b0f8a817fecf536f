define void @f() {
entry:
  ret void

@x = global i32 0

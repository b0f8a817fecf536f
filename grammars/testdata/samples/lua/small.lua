local function f(a, ...)
  for i = 1, 2 do print(i) end -- c
  return {a = 1, 2; 3}
end

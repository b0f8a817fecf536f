--[[ a comment
of lines ]]
local a = "x\"y"; local b = 'z'
--[==[ another ]] one ]==]
a.b = [[long
string]]; a[1] = [=[ with ]] in it ]=]
print(a.b, "]]", '[[', #a) -- "the end

import sys
import lark
text = "[net.peer] port=base+8-step; name='x'; size=scale(2*n,m-1); hosts={a,b}; # end;"
print(lark.Lark(open(sys.argv[1]).read(), ambiguity="resolve").parse(text).pretty())

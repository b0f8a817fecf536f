import a from 'b'
const f = async (x, {y = 1, ...z}) => `t${x}` ?? /r/g.test(y)
class A extends B { #p = 1; get q() { return <a b={1}>c</a> } }

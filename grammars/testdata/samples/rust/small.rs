#[derive(Debug)]
pub fn f<'a, T: X>(x: &'a T) -> Result<(), E> where T: Y { match x { A { b, .. } => Ok(()), _ => panic!("{}", 1) } }

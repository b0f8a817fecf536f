#!/usr/bin/env python3
"""Makes Rust files with tests from crates: weave.py DIRECTORY VENDOR, where VENDOR is made by 'cargo vendor'.

Each crate becomes one file in DIRECTORY/rs-CRATE. Some get Rust's issue 106874, which crashes rustc 1.63, others a
test of the code that rustc 1.63 generates. Needs rustc of Debian 12 and these crates: base64 0.13.1, bytes 1.3.0, heck
0.4.0, httparse 1.8.0, itertools 0.10.5, nom 7.1.1, petgraph 0.6.2, ryu 1, slab 0.4, textwrap 0.15.2.
"""
import os
import random
import re
import sys

BUG = """pub fn zfunc<V, F: Fn(&mut V)>(f: F) -> Za<impl Zx> {
    Za(Zb(Zc::new(Zd::new(move |st| f(st)))))
}
----
pub trait Zx {}
----
pub trait Zy {
    type V;
}
----
pub struct Za<T>(T);
----
pub struct Zb<T>(::std::rc::Rc<T>);
impl<T> Zx for Zb<T> {}
----
pub struct Zc<T: Zy>(T::V);
impl<T: Zy> Zc<T> {
    fn new(_: T) -> ::std::rc::Rc<Self> {
        todo!()
    }
}
----
pub struct Zd<V, F>(F, ::std::marker::PhantomData<fn(&mut V)>);
impl<V, F> Zd<V, F> {
    fn new(_: F) -> Self {
        todo!()
    }
}
impl<V, F: Fn(&mut V)> Zy for Zd<V, F> {
    type V = V;
}
""".split("----\n")
CRASH = "grep -q -F 'no entry found for key' out.txt && grep -q -F 'region_infer/mod.rs' out.txt"
CASES = [  # crate, features, seed, and a pattern of LLVM IR or "" for the bug
    ("slab", ["std"], 5, ""),
    ("httparse", ["std"], 27, ""),
    ("petgraph", [], 38, ""),
    ("itertools", ["use_std", "use_alloc"], 49, ""),
    ("bytes", ["std"], 0, "atomicrmw sub"),
    ("heck", [], 0, "to_lowercase"),
    ("ryu", [], 0, "lshr i128"),
    ("base64", ["std"], 0, "panic_bounds_check"),
    ("textwrap", [], 192, ""),
    ("nom", ["std", "alloc"], 203, ""),
]


def merged(path, modules):
    """Returns a file with the files of its modules, but not those of tests and other features."""
    def module(m):
        attributes, visible, name = m.group(1), m.group(2) or "", m.group(3)
        if re.search(r'cfg\((test|feature = "(?!std|alloc|use_std|use_alloc|raw))', attributes):
            return ""
        for file in (name + ".rs", name + "/mod.rs"):
            file = os.path.join(modules, file)
            if os.path.exists(file):
                text = merged(file, os.path.join(modules, name)).strip("\n")
                return "%s%smod %s {\n%s\n}\n" % (attributes, visible, name, text)
        return m.group(0)
    declaration = r"((?:^[ \t]*#\[[^\n]*\]\n)*)^[ \t]*(pub(?:\([a-z]+\))? )?mod (\w+);"
    return re.sub(declaration, module, open(path).read(), flags=re.M)


def places(text):
    """Returns the starts of items outside of modules, without attributes."""
    found, depth, last = [], 0, 0
    for m in re.finditer(r"^(?:pub |impl|fn |struct |trait |enum )", text, re.M):
        code = re.sub(r"'(?:\\.|[^\\'])'|\"(?:\\.|[^\"\\])*\"|//[^\n]*", "", text[last:m.start()])
        depth, last = depth + code.count("{") - code.count("}"), m.start()
        before = text[:last].rstrip("\n").split("\n")[-1].strip()
        if depth == 0 and not before.startswith(("#[", "//")):
            found.append(last)
    return found or [len(text)]


for crate, features, seed, pattern in CASES:
    source = os.path.join(sys.argv[2], crate, "src")
    text = merged(os.path.join(source, "lib.rs"), source)
    text = re.sub(r"^#!\[(?:doc|deny|forbid|warn|cfg_attr|no_std)[^\n]*\]\n", "", text, flags=re.M)
    random.seed(seed)
    for item in BUG if pattern == "" else []:
        at = random.choice(places(text))
        text = text[:at] + item + "\n" + text[at:]
    directory = os.path.join(sys.argv[1], "rs-" + crate)
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "small.rs"), "w") as file:
        file.write(text)
    flags = "".join(" --cfg 'feature=\"%s\"'" % f for f in features)
    flags += " --emit=llvm-ir -Ccodegen-units=1 -Copt-level=2" if pattern else " --emit=metadata"
    with open(os.path.join(directory, "test.sh"), "w") as file:
        file.write("#!/bin/sh\ntimeout 20 ${RUSTC163:-/usr/bin/rustc} --crate-type lib --crate-name small --edition 2018%s -Awarnings "
                   "--out-dir . small.rs >out.txt 2>&1%s\n%s\n"
                   % (flags, " || exit 1" if pattern else "", "grep -q '%s' small.ll" % pattern if pattern else CRASH))
    os.chmod(os.path.join(directory, "test.sh"), 0o755)

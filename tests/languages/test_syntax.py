"""The syntax port over tree-sitter: comments, faults, outline, nodes; any bytes, any threads."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skygit.languages.registry import by_suffix
from skygit.languages.syntax import TreeSitterSyntax

SYNTAX = TreeSitterSyntax()
SOUND = {
    "a.py": "# c\nclass A:\n    def f(self):\n        return 1\n",
    "a.js": "// c\nclass A { m() { return 1; } }\nconst f = (x) => x;\n",
    "a.jsx": "// c\nfunction A() { return <p>{1}</p>; }\n",
    "a.ts": "// c\ninterface I { x: number }\nexport function f(x: number): number { return x; }\n",
    "a.tsx": "// c\nexport const A = () => <p>1</p>;\n",
    "a.c": "// c\nstatic int *f(int x)\n{\n\treturn 0;\n}\nstruct s { int a; };\n",
    "a.cpp": "// c\nclass A { public: int m() { return 1; } };\n",
    "A.java": "// c\nclass A { int m() { return 1; } }\n",
    "a.rs": "// c\nstruct S;\nimpl S { fn f(&self) -> u8 { 1 } }\n",
    "a.go": "package a\n\n// c\ntype T struct{}\n\nfunc (t T) F() int { return 1 }\n",
    "a.lua": "-- c\nfunction M.f() return 1 end\n",
    "a.sql": "-- c\nCREATE TABLE t (a INT);\nSELECT 1;\n",
    "a.yaml": "# c\na: 1\n",
    "a.toml": "# c\n[a]\nb = 1\n",
    "a.css": "/* c */\na { color: red }\n",
    "a.html": "<!-- c -->\n<p>x</p>\n",
    "a.sh": "# c\nf() { echo 1; }\n",
    "a.json": '{"a": 1}\n',
}
NAMES = {
    "a.py": ["A", "f"], "a.js": ["A", "m", "f"], "a.jsx": ["A"], "a.ts": ["I", "f"], "a.tsx": ["A"], "a.c": ["f", "s"],
    "a.cpp": ["A", "m"], "A.java": ["A", "m"],
    "a.rs": ["S", "S", "f"], "a.go": ["T", "F"], "a.lua": ["M.f"], "a.sql": ["t"],
    "a.sh": ["f"],
}  # fmt: skip


@pytest.mark.parametrize("path", SOUND)
def test_sound_text(path):
    data = SOUND[path].encode()
    assert SYNTAX.language(path) and SYNTAX.faults(path, data) == []
    comments = SYNTAX.comments(path, data)
    assert [data[span.start : span.end].strip(b"#/-*<>! ") for span in comments] == ([] if path == "a.json" else [b"c"])
    assert [entry.name for entry in SYNTAX.outline(path, data)] == NAMES.get(path, [])


@pytest.mark.parametrize("path", SOUND)
def test_every_grammar_sees_damage(path):
    """Half of a file, or brackets that close nothing, are faults in some form."""
    text = SOUND[path]
    damaged = (
        ["a: {b: [1\n", "a: 'b\n"]
        if path == "a.yaml"
        else [text + ")]}{\n", text + "<a <b\n", text[: len(text) * 2 // 3] + "("]
    )
    assert any(SYNTAX.faults(path, one.encode()) for one in damaged)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("def f():\nreturn 1\n", 2),
        ("if x:\n    a = 1\n  b = 2\n", 3),
        ("return 1\n", 1),
        ("def f(:\n    pass\n", 1),
        ("x = (\n", 1),
    ],
)
def test_python_is_compiled_too(text, line):
    faults = SYNTAX.faults("a.py", text.encode())
    assert any(fault.startswith(f"line {line}:") for fault in faults), faults


def test_python_warnings_are_no_faults(recwarn):
    assert SYNTAX.faults("a.py", b"x = '\\d'\nassert (1, 2)\n") == [] and not recwarn.list


def test_comments_alone_on_their_line():
    text = b"x = 1  # beside\n  # alone  \n'''\n# text\n'''\n\t# tab\r\n# last"
    rows = [span.row for span in SYNTAX.comments("a.py", text)]
    assert rows == [1, 5, 6]
    assert [
        span.row for span in SYNTAX.comments("a.c", b"/* one */\n/* two\n */\nint x; /* beside */\n/* a */ /* b */\n")
    ] == [0]
    assert [span.row for span in SYNTAX.comments("a.rs", b"/// doc\nfn f() {}\n//! inner\r\n")] == [0, 2]


def test_scripts_in_html_are_read_in_their_language():
    text = b"<p>\n<!-- a -->\n<script>\n  // b\n  let s = '// c';\n</script>\n<style>\n/* d */\n</style>\n"
    spans = SYNTAX.comments("a.html", text)
    assert [(span.row, text[span.start : span.end]) for span in spans] == [
        (1, b"<!-- a -->"),
        (3, b"// b"),
        (7, b"/* d */"),
    ]


def test_what_no_grammar_covers():
    for path in ("a.txt", "Makefile", "noext", ".py", "a.unknown"):
        assert SYNTAX.language(path) == "" and SYNTAX.comments(path, b"# x\n") is None
        assert not SYNTAX.faults(path, b"(") and not SYNTAX.outline(path, b"") and not SYNTAX.nodes(path, b"")


def test_nodes_are_a_tree_in_pre_order():
    data = SOUND["a.py"].encode()
    nodes = SYNTAX.nodes("a.py", data)
    assert nodes[0].parent == -1 and (nodes[0].start, nodes[0].kind) == (0, "module")
    for position, node in enumerate(nodes):
        assert all(nodes[child].parent == position and child > position for child in node.children)
        assert all(node.start <= nodes[child].start <= nodes[child].end <= node.end for child in node.children)
    assert any(node.field == "name" and data[node.start : node.end] == b"f" for node in nodes)


def test_every_suffix_has_a_language():
    assert {".py", ".js", ".ts", ".c", ".rs", ".go", ".lua", ".sql", ".yaml", ".html", ".css", ".toml", ".sh"} <= set(
        by_suffix()
    )
    assert all(language.name for language in by_suffix().values())


@settings(max_examples=60, deadline=None)
@given(
    path=st.sampled_from(list(SOUND)),
    data=st.binary(max_size=80) | st.text("a#/*-'\"`(){}[]<>\n\t :", max_size=60).map(str.encode),
)
def test_no_bytes_break_it(path, data):
    for span in SYNTAX.comments(path, data):
        assert 0 <= span.start < span.end <= len(data) and data[: span.start].count(b"\n") == span.row
    assert all(fault.startswith("line ") for fault in SYNTAX.faults(path, data))
    assert len(SYNTAX.outline(path, data)) <= len(SYNTAX.nodes(path, data))


def test_deep_nesting_is_a_fault_at_most():
    for text in (b"(" * 5_000, b"(" * 300 + b")" * 300, b"-" * 20_000 + b"1", b"[" * 100_000):
        SYNTAX.faults("a.py", text + b"\n")


def test_threads_share_one_syntax():
    texts = [f"# {number}\ndef f{number}(): return {number}\n".encode() for number in range(40)]
    with ThreadPoolExecutor(4) as pool:
        names = list(pool.map(lambda data: SYNTAX.outline("a.py", data)[0].name, texts * 3))
    assert names == [f"f{number}" for number in range(40)] * 3

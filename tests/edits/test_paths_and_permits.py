"""Paths that must never be touched, however they are spelled, in every carrier."""

import msgspec
import pytest

from skygit.domain.scope import Scope
from skygit.edits.permits import creatable, editable, protected

CARRIERS = [
    "```diff\n--- a/{0}\n+++ b/{0}\n@@\n-x = 1\n+x = 2\n```\n",
    "```diff\n--- /dev/null\n+++ b/{0}\n@@ -0,0 +1 @@\n+x = 2\n```\n",
    "```diff\n--- {0}\n+++ {0}\n@@\n-x = 1\n+x = 2\n```\n",
    "```diff\n--- a/{0}\n+++ /dev/null\n@@ -1 +0,0 @@\n-x = 1\n```\n",
    "```diff\ndiff --git a/m.py b/{0}\nsimilarity index 100%\nrename from m.py\nrename to {0}\n```\n",
    "```diff\ndiff --git a/{0} b/n.py\nsimilarity index 100%\nrename from {0}\nrename to n.py\n```\n",
    "`{0}`\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n",
    "*** Begin Patch\n*** Update File: {0}\n@@\n-x = 1\n+x = 2\n*** End Patch\n",
    "*** Begin Patch\n*** Add File: {0}\n+x = 2\n*** End Patch\n",
    "*** Begin Patch\n*** Delete File: {0}\n*** End Patch\n",
    "*** Begin Patch\n*** Update File: m.py\n*** Move to: {0}\n@@\n-x = 1\n+x = 2\n*** End Patch\n",
    "`{0}`\n```python\nx = 2\n```\n",
]
GOOD = "```diff\n--- a/m.py\n+++ b/m.py\n@@\n-x = 1\n+x = 2\n```\n"


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("../up.py", ["path-escape"]),
        ("src/../../up.py", ["path-escape"]),
        ("src/../m.py", ["path-escape"]),
        ("/etc/passwd.py", ["path-escape"]),
        ("~/x.py", ["path-escape"]),
        ("C:/x.py", ["path-escape"]),
        ("C:\\x.py", ["path-escape"]),
        ("src\\..\\..\\x.py", ["path-escape"]),
        ("src//x.py", ["path-escape"]),
        (".git/hooks/pre-commit", ["git-internal"]),
        (".GIT/config", ["git-internal"]),
        ("sub/.Git/config", ["git-internal"]),
        (".git./config", ["git-internal"]),
        (".git /config.x", ["git-internal"]),
        (".g\u200cit/config", ["git-internal"]),
        ("GIT~1/config", ["git-internal"]),
        (".git::$INDEX_ALLOCATION/config", ["git-internal"]),
        ("src/../.git/config", ["git-internal", "path-escape"]),
        ("evaluate.py", ["protected-path"]),
        ("./evaluate.py", ["protected-path"]),
        ("Evaluate.PY", ["protected-path"]),
        (".github/workflows/ci.yml", ["protected-path"]),
        (".GitHub/workflows/new.yml", ["protected-path"]),
        ("link.py", ["symlink-escape"]),
        ("out/x.py", ["symlink-escape"]),
        ("vendor/x.py", ["protected-path"]),
        ("m.py/x.py", ["exists"]),
    ],
)
def test_no_carrier_reaches_it(run, carrier, path, words):
    files = {"m.py": "x = 1\n", "evaluate.py": "x = 1\n", "link.py": "evaluate.py", "out": "/tmp", "vendor": ""}
    modes = {"link.py": "120000", "out": "120000", "vendor": "160000"}
    for reply in (carrier.format(path), GOOD + carrier.format(path)):
        got = run(files, reply, modes=modes)
        listing = "python" in carrier and reply.startswith(GOOD)
        if not listing:
            assert got in words, reply


@pytest.mark.parametrize(
    ("quoted", "word"),
    [
        ('"b/..\\057up.py"', "path-escape"),
        ('"b/\\056\\056/up.py"', "path-escape"),
        ('"b/x\\000.py"', "path-escape"),
        ('"b/x\\n.py"', "path-escape"),
        ('"b/\\x41.py"', "malformed"),
        ('"b/x.py', "malformed"),
        ('"b/\\056git/config"', "git-internal"),
        ('"b/\\145valuate.py"', "protected-path"),
    ],
)
def test_quotes_are_decoded_before_the_path_is_checked(run, quoted, word):
    reply = f"```diff\n--- /dev/null\n+++ {quoted}\n@@ -0,0 +1 @@\n+x = 2\n```\n"
    assert run({"m.py": "x = 1\n"}, reply) == word


@pytest.mark.parametrize(
    "path", ["caf\u00e9/\u65e5\u672c.py", "with space/a b.py", 'quo"te.py', "(group)/[id].py", "a'b.py", "x.py.bak"]
)
def test_odd_paths_that_are_fine(run, path):
    from skygit.edits.quoting import quoted

    files = {path: "x = 1\n", "other.py": "x = 1\n"}
    header = f"--- {quoted('a/' + path)}\n+++ {quoted('b/' + path)}\n"
    assert run(files, f"```diff\n{header}@@\n-x = 1\n+x = 2\n```\n") == {path: b"x = 2\n"}
    plain = f"diff --git a/{path} b/{path}\n--- a/{path}\t\n+++ b/{path}\t\n"
    assert run(files, f"```diff\n{plain}@@\n-x = 1\n+x = 2\n```\n") == {path: b"x = 2\n"}
    envelope = f"*** Begin Patch\n*** Update File: {path}\n@@\n-x = 1\n+x = 2\n*** End Patch\n"
    assert run(files, envelope) == {path: b"x = 2\n"}


def test_limits(run, scope):
    reply = "".join(f"--- /dev/null\n+++ b/g/{n}.txt\n@@ -0,0 +1 @@\n+{n}\n" for n in range(6))
    few = msgspec.structs.replace(scope, max_files=5)
    assert run({"m.py": ""}, reply, scope=few) == "too-large"
    assert len(run({"m.py": ""}, reply)) == 6
    small = msgspec.structs.replace(scope, max_change_bytes=10)
    assert run({"m.py": "x = 1\n"}, GOOD, scope=small) == {"m.py": b"x = 2\n"}
    assert run({"m.py": "x = 1\n"}, GOOD.replace("= 2", "= 22222222"), scope=small) == "too-large"


def test_what_a_scope_does_not_list_stays(run):
    narrow = Scope(evolvable=("src/**",), new_files=("src/**",), protected=("src/keep.py",))
    files = {"src/m.py": "x = 1\n", "m.py": "x = 1\n", "src/keep.py": "x = 1\n"}
    edit = "```diff\n--- a/{0}\n+++ b/{0}\n@@\n-x = 1\n+x = 2\n```\n"
    new = "```diff\n--- /dev/null\n+++ b/{0}\n@@ -0,0 +1 @@\n+x = 2\n```\n"
    gone = "```diff\n--- a/{0}\n+++ /dev/null\n@@ -1 +0,0 @@\n-x = 1\n```\n"
    move = "```diff\ndiff --git a/{0} b/src/k.py\nrename from {0}\nrename to src/k.py\n```\n"
    assert run(files, edit.format("src/m.py"), scope=narrow) == {"src/m.py": b"x = 2\n"}
    assert run(files, new.format("src/n.py"), scope=narrow) == {"src/n.py": b"x = 2\n"}
    for reply in (edit.format("m.py"), edit.format("src/keep.py"), new.format("n.py"), gone.format("src/m.py")):
        assert run(files, reply, scope=narrow) == "protected-path"
    assert run(files, move.format("src/m.py"), scope=narrow) == "protected-path"


def test_permits():
    one = Scope(evolvable=("src/**", "*.md"), protected=("src/*_test.py", "Docs/"), new_files=("src/gen/**",))
    assert editable(one, "src/a/b.py") and editable(one, "x/y.md") and not editable(one, "setup.py")
    assert protected(one, "SRC/X_TEST.PY") and protected(one, "docs/index.md") and not editable(one, "docs/index.md")
    assert creatable(one, "src/gen/x.py") and not creatable(one, "src/x.py") and not creatable(one, "docs/x.md")
    assert protected(one, "docs./index.md") and not editable(Scope(), "x")

"""What a model is shown: the right files, failures with reasons, directions; nothing secret; stable bytes."""

import pytest

from skygit.domain.brief import Reply
from skygit.domain.request import Proposal
from skygit.domain.scope import Scope
from skygit.errors import ConfigError
from skygit.prompts.budget import total
from skygit.prompts.scribe import TemplateScribe
from tests.prompts.conftest import FILES, SOLVER, STORE, brief_of, desk_of, judged, rich_brief


def text_of(messages) -> str:
    return "\n".join(message.text for message in messages)


def prompt(brief=None, desk=None, **options) -> str:
    return text_of(TemplateScribe(**options).proposal(brief or brief_of(), desk or desk_of()))


def test_a_proposal_is_a_system_and_a_user_message(desk):
    messages = TemplateScribe().proposal(brief_of(), desk)
    assert [message.role for message in messages] == ["system", "user"]
    assert "Make the solver faster." in messages[0].text and "```diff" in messages[0].text
    assert "$" not in text_of(messages), "every placeholder is filled"


def test_small_repositories_are_shown_in_full():
    text = prompt()
    assert f"\n{SOLVER.decode()}```" in text and f"\n{STORE.decode()}```" in text


def test_headings_say_what_may_change():
    text = prompt()
    assert "### app/store.py: may change anywhere" in text
    assert "### app/solver.py: may change only inside its blocks" in text


def test_a_fence_is_longer_than_any_inside():
    assert f"\n````\n{FILES['app/notes.md'].decode()}````" in prompt()


def test_secrets_and_binaries_are_not_shown(monkeypatch):
    text = prompt(brief_of(scope=Scope(evolvable=("**",))))
    assert "very-secret" not in text and "PRIVATE KEY" not in text and ".env" not in text
    assert "blob.bin" not in text and "\0" not in text


def test_keys_of_the_environment_are_masked_and_their_files_kept_away():
    files = {**FILES, "app/leak.py": b"KEY = 'sk-abcdefgh'\n"}
    text = prompt(brief_of(artifacts={"log": "used sk-abcdefgh"}), desk_of(files), secrets=("sk-abcdefgh",))
    assert "sk-abcdefgh" not in text and "used ***" in text and "leak.py" not in text


def test_failed_attempts_are_shown_with_what_they_changed_and_why_they_failed():
    text = prompt(rich_brief())
    assert "unroll the loop (in app/store.py): crashed. IndexError in solve" in text
    assert "vectorise: no-match. line 3 of hunk 1 is not in the file" in text
    assert "+    return list(range(1, 4))" in text


def test_what_failed_twice_in_the_same_way_is_told_once():
    brief = rich_brief()
    doubled = brief_of(attempts=(*brief.attempts, *brief.attempts))
    assert prompt(doubled).count("vectorise: no-match") == 1


def test_tactics_inspirations_artifacts_and_breadth_are_shown():
    text = prompt(rich_brief())
    assert "memo: Remember square roots in a table." in text
    assert "score 2.25: summary of better" in text and "+    return (1, 2, 3)" in text
    assert "95 % in solve" in text and "warning: slow" in text
    assert "Take a different approach" in text and "Score of this code: 1.5" in text
    assert "Best score of the run: 2.25" in text


def test_what_is_not_there_leaves_no_heading():
    text = prompt()
    for words in ("already tried", "Other candidates", "Directions", "second parent", "reported"):
        assert words not in text


def test_a_merge_shows_the_second_parent():
    parents = judged("parent", 1.5), judged("better", 2.0)
    text = prompt(brief_of(parents=parents, proposal=Proposal(parents=("parent", "better"), operator="merge")))
    assert "second parent" in text and "+    return (1, 2, 3)" in text


@pytest.mark.parametrize("breadth", ["focused", "several", "rewrite"])
@pytest.mark.parametrize("name", ["diff", "search_replace", "block"])
def test_every_breadth_and_format_has_its_text(breadth, name):
    text = prompt(brief_of(proposal=Proposal(parents=("parent",), breadth=breadth)), format=name)
    assert "An example of a complete answer" in text and "$" not in text


def test_a_model_is_told_its_own_format():
    brief = brief_of(proposal=Proposal(parents=("parent",), model="openai/small"))
    assert "SEARCH" in prompt(brief, formats={"openai/small": "search_replace"})
    assert "SEARCH" not in prompt(brief_of(), formats={"openai/small": "search_replace"})


def test_the_same_brief_gives_the_same_bytes():
    once, again = (TemplateScribe().proposal(rich_brief(), desk_of()) for _ in range(2))
    assert once == again
    warm = TemplateScribe()
    warm.proposal(brief_of(), desk_of())
    assert warm.proposal(rich_brief(), desk_of()) == once, "what was asked before leaves no trace"


def test_files_made_by_the_lineage_are_found_whichever_commit_came_first():
    scope = Scope(evolvable=("app/**",), new_files=("app/*.py",))
    made = {**FILES, "app/fresh.py": b"FRESH = 1\n", "app/empty.py": b""}
    desk = desk_of()
    desk.commits = {**desk.commits, "made": made}
    child = judged("made", 2.0)
    brief = brief_of(scope=scope, parents=(child,), proposal=Proposal(parents=("made",)))
    warm = TemplateScribe()
    warm.proposal(brief_of(scope=scope), desk)
    cold = TemplateScribe().proposal(brief, desk)
    assert "FRESH = 1" in text_of(cold) and "app/empty.py" in text_of(cold)
    assert warm.proposal(brief, desk) == cold


def test_what_never_changes_comes_first(desk):
    brief = rich_brief()
    plain, rich = TemplateScribe().proposal(brief_of(), desk), TemplateScribe().proposal(brief, desk)
    assert plain[0] == rich[0], "the system message is the same for all proposals of a run"


def test_a_system_prompt_and_a_measure_of_the_users(desk):
    text = prompt(system_prompt="You are a poet.", measure="The score is the speed.")
    assert text.startswith("You are a poet.") and "The score is the speed." in text
    assert "experienced engineer" not in text


def test_a_repair_repeats_the_prompt_and_adds_reply_and_reason(desk):
    scribe = TemplateScribe()
    asked = scribe.proposal(brief_of(), desk)
    again = scribe.repair(brief_of(), desk, [Reply(text="my bad diff", model="m")], "no-match: hunk 1 of app/store.py")
    assert tuple(again[:2]) == tuple(asked), "so that a provider's cache holds"
    assert [message.role for message in again[2:]] == ["assistant", "user"]
    assert again[2].text == "my bad diff" and "hunk 1 of app/store.py" in again[3].text


def test_a_huge_reply_is_cut_in_a_repair(desk):
    scribe = TemplateScribe(budget=6000)
    again = scribe.repair(brief_of(), desk, [Reply(text="x" * 400_000, model="m")], "y" * 100_000)
    assert total(again) <= 6000 and "x" in again[2].text


def test_a_consult_shows_its_facts_within_the_budget():
    facts = {
        "problem": "p" * 9000, "evaluator_code": "def evaluate(): ...", "best_score": "2.5",
        "best_program": "q" * 90_000, "failed_approaches": "- greedy: worse", "notes": "(none yet)",
    }  # fmt: skip
    messages = TemplateScribe(budget=8000).consult("meta_guidance", facts)
    text = text_of(messages)
    assert total(messages) <= 8000
    assert "def evaluate(): ..." in text and "- greedy: worse" in text and "score 2.5" in text
    assert "TACTIC: name" in text and text.count("q") > 10_000


def test_a_topic_of_an_algorithms_own(tmp_path):
    (tmp_path / "reflect.md").write_text("Reflect on $trace")
    assert (
        text_of(TemplateScribe(templates=str(tmp_path)).consult("reflect", {"trace": "it fell"}))
        == "Reflect on it fell"
    )
    with pytest.raises(ConfigError, match=r"nosuch\.md"):
        TemplateScribe().consult("nosuch", {})


def test_a_budget_that_cannot_hold_the_templates_is_refused():
    TemplateScribe(budget=4096).check()
    with pytest.raises(ConfigError, match="context_tokens is 1000"):
        TemplateScribe(budget=1000).check()


def test_odd_paths_and_bytes_can_be_sent():
    files = {
        **FILES,
        "app/na\udcffme.py": b"A = 1\n",
        "app/l\xe4nge.txt": b"\xff\xfe latin",
        "app/crlf.txt": b"a\r\nb\r\n",
    }
    text = prompt(desk=desk_of(files))
    text.encode()
    assert '"app/na\\377me.py"' in text and "\na\nb\n" in text and "app/länge.txt" in text

"""What an error means, without any library: its kind, its wait, its one line."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from skygit.llm.faults import Kind, fault_of, one_line, retry_after


@pytest.mark.parametrize(
    ("status", "text", "kind"),
    [
        (401, "no", Kind.DENIED),
        (403, "no", Kind.DENIED),
        (404, "no", Kind.DENIED),
        (402, "no", Kind.DENIED),
        (500, "Missing credentials. Please pass an `api_key`", Kind.DENIED),
        (400, "API key not valid. Please pass a valid API key.", Kind.DENIED),
        (429, "insufficient_quota", Kind.DENIED),
        (429, "slow down", Kind.BUSY),
        (503, "overloaded", Kind.BUSY),
        (529, "overloaded", Kind.BUSY),
        (408, "timed out", Kind.DOWN),
        (500, "boom", Kind.DOWN),
        (None, "connection reset", Kind.DOWN),
        (400, "too long", Kind.REFUSED),
        (422, "against the policy", Kind.REFUSED),
        (400, "'top_p' is not supported", Kind.PARAMETER),
        (400, "model_not_found", Kind.DENIED),
    ],
)
def test_kinds(status, text, kind):
    assert fault_of(RuntimeError(text), status, {}, ("top_p",)).kind is kind


def test_a_parameter_must_be_named_as_a_whole_word():
    assert fault_of(RuntimeError("max_tokens_total too large"), 400, {}, ("max_tokens",)).kind is Kind.REFUSED


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "-3"}, None),
        ({"Retry-After": "nan"}, None),
        ({}, None),
    ],
)
def test_retry_after(headers, seconds):
    assert retry_after(headers) == seconds


def test_retry_after_as_a_date():
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    assert 28 <= (retry_after({"Retry-After": later}) or 0) <= 30
    assert retry_after({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0


def test_one_line():
    assert one_line("litellm.RateLimitError: RateLimitError: OpenAIException - slow\n down") == "slow down"
    assert one_line("it broke. Traceback (most recent call last): File") == "it broke."
    assert len(one_line("x" * 900)) == 200

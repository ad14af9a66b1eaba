"""Answers and what they claim of themselves."""

from __future__ import annotations

from email.message import Message
from typing import Any, Generic, TypeVar

from .errors import ConfidenceError, Doubt, MemberError
from .schema import SurchargeVerifiability, Verifiability

Body = TypeVar("Body")


class Answer(Generic[Body]):
    """What the API answered to a call."""

    def __init__(self, body: Body, raw: bytes, request_id: str, environment: str, headers: Message) -> None:
        self.body = body
        self.raw = raw
        """The body as it came. Keep it beside the documents of the answer: `assay evidence verify` reads it."""
        self.request_id = request_id
        self.environment = environment
        """live or test."""
        self.headers = headers
        """The reply's, such as Age, and Cache-Status: its detail refresh-failed says that no fresh reading was had."""
        self._statements = _statements_of(body)

    @property
    def blocks(self) -> list[Verifiability | SurchargeVerifiability]:
        """The _verifiability blocks: one, or one for each carrier of an answer for several. A listing has none."""
        return [claims for claims, _ in self._statements]

    def require_confidence(self, least: float) -> Answer[Body]:
        """Raises a ConfidenceError where a block's confidence is lower."""
        for v in self.blocks:
            if not v["extraction_confidence"] >= least:
                raise ConfidenceError(v["extraction_confidence"], least, v["notes"], self.request_id, self.raw)
        return self

    def require(self, *members: str) -> Answer[Body]:
        """Raises a MemberError where one of the members is not reported or only inferred, and where records have no such member.

        Nested members are dotted, such as address.county; address asks for all of its members. current holds where it is true: the
        newest week is the one that is due.
        """
        for member in members:
            if not self._statements:
                raise MemberError(member, "unknown", [])
            for claims, records in self._statements:
                why = _doubt(claims, records, member)
                if why:
                    raise MemberError(member, why, claims["notes"])
        return self


def _statements_of(body: Any) -> list[tuple[Verifiability | SurchargeVerifiability, list[Any]]]:
    """The parts of an answer that one _verifiability block each speaks of, with their records."""
    if not isinstance(body, dict):
        return []
    records = [r for name in ("weeks", "rows", "results") if isinstance(body.get(name), list) for r in body[name]]
    if isinstance(body.get("_verifiability"), dict):
        return [(body["_verifiability"], records + ([body["record"]] if "record" in body else []))]
    results = body.get("results")
    return [s for r in results for s in _statements_of(r)] if isinstance(results, list) else []


def _doubt(claims: Verifiability | SurchargeVerifiability, records: list[Any], member: str) -> Doubt | None:
    def names(named: str) -> bool:
        return named == member or named.startswith(member + ".") or member.startswith(named + ".")

    if member == "current":
        return None if claims.get("current") is True else "not true"
    if any(names(n) for n in claims["not_reported"]):
        return "not reported"
    if any(names(n) for n in claims["inferred"]):
        return "inferred"
    return None if all(_has(r, member) for r in records) else "unknown"


def _has(record: Any, member: str) -> bool:
    """Tells whether a record has a member, whatever its value."""
    for name in member.split("."):
        if not isinstance(record, dict) or name not in record:
            return False
        record = record[name]
    return True

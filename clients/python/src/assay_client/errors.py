"""What goes wrong when the API is asked."""

from __future__ import annotations

from typing import Literal

from .advice import PROOFS
from .schema import Note, Verifiability, Violation

Doubt = Literal["not reported", "inferred", "unknown", "not true"]


class AssayError(Exception):
    """What every error of this client is."""


class ApiError(AssayError):
    """A failure that the API answered with."""

    def __init__(
        self,
        code: str,
        message: str,
        advice: str,
        request_id: str,
        status: int,
        retry_after: int | None,
        violations: list[Violation] | None = None,
        reason: str = "",
        proof: Verifiability | None = None,
        raw: bytes = b"",
        cursor: str = "",
    ) -> None:
        super().__init__(f"{code}: {message}" + (f" (request {request_id})" if request_id else ""))
        self.code = code
        """Such as NOT_FOUND. It may be one of a later version of the API; the status says what kind of failure it is."""
        self.message = message
        """What went wrong, in the API's words."""
        self.advice = advice
        """What to do about it."""
        self.request_id = request_id
        """What the operator finds the request by."""
        self.status = status
        self.retry_after = retry_after
        """Seconds after which a retry makes sense; None where the API named none."""
        self.violations = violations or []
        """What is wrong with a request that is INVALID_REQUEST."""
        self.reason = reason
        """What a NOT_FOUND did not find, such as STATE_NOT_SERVED; empty for other codes."""
        self.proof = proof
        """What a proof of absence was read from; None where nothing is proven."""
        self.cursor = cursor
        """Where to begin anew after a GONE of changes; empty for other failures."""
        self.raw = raw
        """The body as it came. Keep it where it is a proof: `assay evidence verify` reads it."""

    @property
    def is_proof_of_absence(self) -> bool:
        """Whether the license is proven not to exist. No other 404 proves anything."""
        return self.reason in PROOFS


class ConfidenceError(AssayError):
    """An answer that is less sure than was required."""

    def __init__(self, confidence: float, required: float, notes: list[Note], request_id: str, raw: bytes) -> None:
        super().__init__(f"the confidence is {confidence}, below {required}" + "".join(f"; {n['code']}: {n['message']}" for n in notes))
        self.confidence = confidence
        self.required = required
        self.notes = notes
        """Why."""
        self.request_id = request_id
        self.raw = raw
        """The answer as it came, for a person to judge."""


class MemberError(AssayError):
    """A member of an answer that does not hold.

    ``why`` is "not reported" (the source cannot show it, so that it is empty means nothing), "inferred" (it is computed, no
    source printed it), "unknown" (records have no member of this name) or "not true" (of current).
    """

    def __init__(self, member: str, why: Doubt, notes: list[Note]) -> None:
        super().__init__(f'member "{member}" is {why}')
        self.member = member
        self.why: Doubt = why
        self.notes = notes


class UnreachableError(AssayError):
    """A request without a reply."""

    def __init__(self, url: str, cause: object) -> None:
        super().__init__(
            f"the API at {url} cannot be reached ({cause}); check that it runs, with curl {url}/openapi.json, and that the address (ASSAY_API_URL) is right"
        )
        self.url = url


class ForeignError(AssayError):
    """A reply that is none of the API's: something else answers at the address."""

    def __init__(self, url: str, status: int) -> None:
        super().__init__(f"there is no Assay API at {url}: its answer, status {status}, is none of the API's")
        self.url = url
        self.status = status

"""How calls are sent."""

from __future__ import annotations

import calendar
import http.client
import json
import math
import re
import time
import unicodedata
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from email.message import Message
from email.utils import parsedate
from typing import Any

from .advice import ADVICE, REASONS
from .errors import ApiError, AssayError, ForeignError, UnreachableError

MAX_BODY = 128 << 20
"""Bounds the body of a reply. It is more than the largest document."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect, so that the key goes nowhere else."""

    def redirect_request(self, req: Any, fp: Any, code: Any, msg: Any, headers: Any, newurl: Any) -> None:
        return None


@dataclass
class Transport:
    base: str
    key: str = field(repr=False)
    timeout: float
    attempts: int

    def __post_init__(self) -> None:
        self._opener = urllib.request.build_opener(_NoRedirect)

    def exchange(
        self, path: str, body: bytes | None = None, headers: dict[str, str] | None = None, method: str | None = None
    ) -> tuple[bytes, Message]:
        """Sends a request until it is answered, or fails in a way that a retry does not mend."""
        deadline = time.monotonic() + self.timeout
        # What was to be made may be there although the answer is 503, and would be made twice; 429 is told before anything is done.
        makes = method in (None, "POST") and body is not None and "Idempotency-Key" not in (headers or {})
        attempt = 0
        while True:
            attempt += 1
            status, raw, reply = self._send(path, body, headers or {}, method, deadline)
            if status in (200, 201):
                return raw, reply
            failure = self._failure(status, raw, reply)
            wait = _wait_for(failure)
            if wait is None or makes and status != 429 or attempt >= self.attempts or time.monotonic() + wait >= deadline:
                raise failure
            time.sleep(wait)

    def _send(self, path: str, body: bytes | None, headers: dict[str, str], method: str | None, deadline: float) -> tuple[int, bytes, Message]:
        request = urllib.request.Request(self.base + path, data=body, headers=headers, method=method)
        request.add_unredirected_header("X-API-Key", self.key)
        try:
            with self._opener.open(request, timeout=max(0.001, deadline - time.monotonic())) as response:
                return response.status, self._read(response, response.status, deadline), response.headers
        except urllib.error.HTTPError as failed:
            with failed:
                return failed.code, self._read(failed, failed.code, deadline), failed.headers
        except (OSError, http.client.HTTPException) as cause:
            raise UnreachableError(self.base, getattr(cause, "reason", cause)) from cause

    def _read(self, response: Any, status: int, deadline: float) -> bytes:
        """Reads a body to its end. Each piece has the socket's timeout, all of them the call's."""
        raw = bytearray()
        try:
            while piece := response.read1(1 << 16) if hasattr(response, "read1") else response.read(1 << 16):
                raw += piece
                if len(raw) > MAX_BODY:
                    raise ForeignError(self.base, status)
                if time.monotonic() > deadline:
                    raise UnreachableError(self.base, "its answer takes too long")
            length = response.headers.get("Content-Length")
            if length is not None and int(length) != len(raw):
                raise UnreachableError(self.base, "its answer broke off")
        except (OSError, ValueError, http.client.HTTPException) as cause:
            raise UnreachableError(self.base, cause) from cause
        return bytes(raw)

    def _failure(self, status: int, raw: bytes, reply: Message) -> AssayError:
        body = _object_of(raw)
        detail = body.get("detail")
        request_id = _printable(reply.get("X-Request-ID") or "")
        retry_after = _retry_after(reply)
        if isinstance(detail, list) and detail and all(isinstance(v, dict) and {"loc", "msg"} <= v.keys() for v in detail):
            message = _printable("; ".join(f"{' '.join(v['loc'])}: {v['msg']}" for v in detail))
            return ApiError("INVALID_REQUEST", message, ADVICE["INVALID_REQUEST"], request_id, status, retry_after, detail, raw=raw)
        # Behind a wrong address the API answers 404 as well. Only an answer to a key names the environment, and only that is proof.
        is_other_path = status == 404 and "Assay-Environment" not in reply
        code, said = (detail.get("error"), detail.get("message")) if isinstance(detail, dict) else (None, None)
        if not (isinstance(code, str) and code and isinstance(said, str) and said) or is_other_path:
            return ForeignError(self.base, status)
        reason = str(detail.get("reason") or "") if code == "NOT_FOUND" else ""
        proof = body.get("_verifiability") if reason else None
        cursor = str(body.get("cursor") or "") if code == "GONE" else ""
        advice = REASONS.get(reason) or ADVICE.get(code) or ADVICE[_code_of(status)]
        return ApiError(
            _printable(code), _printable(said), advice, request_id, status, retry_after, reason=reason, proof=proof, raw=raw, cursor=cursor
        )


def _code_of(status: int) -> str:
    """The code whose advice is good for every error of a status: a later version of the API has further codes."""
    known = {404: "NOT_FOUND", 429: "RATE_LIMITED", 503: "SOURCE_UNAVAILABLE"}
    return known.get(status, "INTERNAL" if status >= 500 else "INVALID_REQUEST")


def _wait_for(failure: AssayError) -> int | None:
    """Seconds that the API said; None where a retry makes no sense."""
    if not isinstance(failure, ApiError) or failure.status not in (429, 503):
        return None
    return None if failure.code == "CAPTCHA_SOLVER_NOT_CONFIGURED" else failure.retry_after


def _retry_after(reply: Message) -> int | None:
    """Seconds, also until a date by the server's own clock (RFC 9110 §10.2.3); None where the header names neither."""
    value = reply.get("Retry-After") or ""
    if re.fullmatch(r"[0-9]{1,9}", value):
        return int(value)
    at = _http_date(value)
    if at is None:
        return None
    now = _http_date(reply.get("Date") or "")
    return max(0, math.ceil(at - (time.time() if now is None else now)))


def _http_date(value: str) -> int | None:
    """Seconds since 1970; a date of HTTP is always in GMT."""
    try:
        date = parsedate(value) if re.match(r"[A-Z][a-z]{2,8},? .*:", value) else None
        return None if date is None else calendar.timegm(date)
    except (ValueError, OverflowError):  # such as of the year 99999
        return None


def _object_of(raw: bytes) -> dict[str, Any]:
    try:
        body = json.loads(raw)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _printable(text: str) -> str:
    """Replaces control and invisible characters, which would do something to a terminal."""
    return "".join("?" if unicodedata.category(c) in ("Cc", "Cf") else c for c in text)

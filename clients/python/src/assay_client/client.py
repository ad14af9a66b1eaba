"""The client of the API."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import quote, urlencode, urlsplit

from .answer import Answer
from .errors import AssayError, ForeignError
from .schema import (
    Audit,
    AuditLine,
    AuditQuote,
    Beverage,
    Carrier,
    CarrierListings,
    Changes,
    CheckedDelivery,
    Audits,
    Contracts,
    CustomerLine,
    CustomerMatches,
    Deliveries,
    DeliveryLine,
    Diesel,
    Evidence,
    FuelTable,
    KeptContract,
    License,
    Portfolio,
    PortfolioKept,
    Portfolios,
    Search,
    Shared,
    Shares,
    State,
    StateListings,
    Stops,
    Surcharge,
    Surcharges,
    Term,
    Webhook,
    WebhookAction,
    WebhookDeliveries,
    Webhooks,
)
from .transport import Transport

Body = TypeVar("Body")


@dataclass(frozen=True)
class Document:
    """A document that an answer was read from, byte for byte."""

    sha256: str
    url: str
    name: str
    """A name for a file, without a directory."""
    content: bytes


class Client:
    """Asks the API. It may be used by several threads."""

    def __init__(
        self,
        key: str | None = None,
        url: str | None = None,
        *,
        require_confidence: float = 0.0,
        timeout: float = 120.0,
        attempts: int = 3,
    ) -> None:
        """Takes what is not given from the environment.

        key: by default ASSAY_API_KEY, or the content of the file that ASSAY_API_KEY_FILE names.
        url: the address before /v1; by default ASSAY_API_URL, or http://127.0.0.1:8080.
        require_confidence: answers below raise a ConfidenceError; 0.90 is what bills and licenses need, and
            ``require("current")`` for the current rate.
        timeout: seconds that a call has with its retries. Some registers take a minute.
        attempts: how often a call is sent that is answered with 429 or 503; 1 never retries.
        """
        self._confidence = require_confidence
        self._transport = Transport(_base_of(url), _key_of(key), timeout, attempts)

    def __repr__(self) -> str:
        return f"Client(url={self._transport.base!r})"

    def carriers(self) -> Answer[CarrierListings]:
        """The carriers and how each is read."""
        return self._ask("/v1/ltl/carriers")

    def fuel_surcharge(
        self,
        carrier: Carrier,
        *,
        weeks: int | None = None,
        as_of: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        known_at: str | None = None,
        announced: bool = False,
    ) -> Answer[Surcharge]:
        """Weeks of one carrier: the newest (by default four), the one in force on a day, or those that touch a range of days."""
        return self._ask_data(
            "/v1/ltl/fuel-surcharge",
            carriers=carrier, weeks=weeks, as_of=as_of, **{"from": from_}, to=to, known_at=known_at, announced=announced or None,
        )  # fmt: skip

    def fuel_surcharges(
        self,
        carriers: Sequence[Carrier] = (),
        *,
        weeks: int | None = None,
        as_of: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        known_at: str | None = None,
        announced: bool = False,
    ) -> Answer[Surcharges]:
        """Weeks of several carriers, or of all ten when none is named. The body's errors name those that could not be read."""
        answer = self._ask_data(
            "/v1/ltl/fuel-surcharge",
            carriers=",".join(carriers) or None,
            weeks=weeks, as_of=as_of, **{"from": from_}, to=to, known_at=known_at, announced=announced or None,
        )  # fmt: skip
        if "results" not in answer.body:  # the names are of one carrier
            answer.body = {"results": [answer.body], "errors": []}
        return answer

    def fuel_table(self, carrier: Carrier, as_of: str | None = None) -> Answer[FuelTable]:
        """The bracket table of a carrier that applied on a day, by default today."""
        return self._ask_data("/v1/ltl/fuel-tables", carrier=carrier, as_of=as_of)

    def diesel(self, from_: str, to: str) -> Answer[Diesel]:
        """The national diesel prices of the Mondays from one day to another."""
        return self._ask_data("/v1/ltl/diesel", **{"from": from_}, to=to)

    def changes(
        self,
        since: str | None = None,
        *,
        product: Sequence[str] = (),
        source: Sequence[str] = (),
        type: Sequence[str] = (),
        portfolio: str | None = None,
        limit: int | None = None,
        wait: int | None = None,
    ) -> Answer[Changes]:
        """What changed since a cursor. Without one there are no changes, and the body's cursor is where to begin.

        wait: for how many seconds the request waits for a change while there is none.
        """
        return self._ask(
            "/v1/changes", since=since, product=",".join(product) or None, source=",".join(source) or None, type=",".join(type) or None,
            portfolio=portfolio, limit=limit, wait=wait,
        )  # fmt: skip

    def audit(
        self,
        lines: Sequence[AuditLine],
        *,
        tolerance_points: str | None = None,
        tolerance_amount: str | None = None,
        idempotency_key: str | None = None,
        contract: str | None = None,
        keep: bool = False,
    ) -> Answer[Audit]:
        """Holds invoice lines against what carriers published for their ship dates. The results are in the lines' order.

        Give percents and amounts as texts, such as "46.32". The same lines with the same key, by default their hash, are
        charged once within 24 hours. contract names one of yours, whose terms stand in place of what was published. keep
        keeps the result for 90 days under audit_id; what is kept is charged as a whole.
        """
        query = {"tolerance_points": tolerance_points, "tolerance_amount": tolerance_amount, "contract": contract, "keep": "1" if keep else None}
        answer: Answer[Audit] = self._audit(lines, idempotency_key, query)
        if len(answer.body.get("results", [])) != len(lines):
            raise ForeignError(self._transport.base, 200)
        return answer

    def quote_audit(
        self,
        lines: Sequence[AuditLine],
        *,
        tolerance_points: str | None = None,
        tolerance_amount: str | None = None,
        contract: str | None = None,
    ) -> Answer[AuditQuote]:
        """Tells what the audit would cost with the same parameters. It is free."""
        query = {"tolerance_points": tolerance_points, "tolerance_amount": tolerance_amount, "contract": contract, "dry_run": "1"}
        return self._audit(lines, None, query)

    def match(self, customers: Sequence[CustomerLine]) -> Answer[CustomerMatches]:
        """The licenses of customers. The results are in the customers' order.

        MATCHED has the license; REVIEW has candidates, between which a person decides. The same customers are charged
        once within 24 hours.
        """
        answer: Answer[CustomerMatches] = self._send_lines("/v1/abc/match", customers, None, {})
        if len(answer.body.get("results", [])) != len(customers):
            raise ForeignError(self._transport.base, 200)
        return answer

    def delivery(
        self, state: State, license_number: str, *, beverage: Beverage | None = None, on: str | None = None, ordered_at: str | None = None
    ) -> Answer[CheckedDelivery]:
        """Whether to deliver to the holder of a license, by a lookup and the delinquent lists. It fails as a lookup does."""
        return self._ask(
            "/v1/abc/delivery", state=state, license_number=license_number, beverage=beverage, on=on, ordered_at=ordered_at
        )

    def deliveries(self, lines: Sequence[DeliveryLine]) -> Answer[Deliveries]:
        """Whether to deliver, line by line in their order, by our copies of the registers.

        The same list is charged once within 24 hours.
        """
        answer: Answer[Deliveries] = self._send_lines("/v1/abc/delivery", lines, None, {})
        if len(answer.body.get("results", [])) != len(lines):
            raise ForeignError(self._transport.base, 200)
        return answer

    def _audit(self, lines: Sequence[AuditLine], key: str | None, query: dict[str, str | None]) -> Answer[Any]:
        return self._send_lines("/v1/ltl/audit", lines, key, query)

    def _send_lines(self, path: str, lines: Sequence[Any], key: str | None, query: dict[str, str | None]) -> Answer[Any]:
        body = json.dumps(list(lines)).encode()
        headers = {"Content-Type": "application/json", "Idempotency-Key": key or hashlib.sha256(body).hexdigest()}
        return self._ask(path, body, headers, **query)

    def audits(self) -> Answer[Audits]:
        """The audits that you keep, the newest first."""
        return self._ask("/v1/ltl/audits")

    def kept_audit(self, audit_id: str) -> Answer[Audit]:
        """The audit with an id, as it was answered. It is free."""
        return self._ask("/v1/ltl/audits/" + quote(audit_id, safe=""))

    def delete_audit(self, audit_id: str) -> None:
        """Deletes an audit."""
        self._ask("/v1/ltl/audits/" + quote(audit_id, safe=""), None, None, "DELETE")

    def packet(self, audit_id: str, carrier: Carrier, name: str, address: Sequence[str]) -> bytes:
        """A ZIP for a carrier, of a kept audit: the letter, the lines that may be contested, and the documents. It is free.

        name and address are those of who claims; the address has 1 to 6 lines.
        """
        body = json.dumps({"carrier": carrier, "sender": {"name": name, "address": list(address)}}).encode()
        path = "/v1/ltl/audits/" + quote(audit_id, safe="") + "/packet"
        return self._transport.exchange(path, body, {"Content-Type": "application/json"})[0]

    def share(self, **what: Any) -> Answer[Shared]:
        """Gives a proof an address that anybody opens, without a key. What the documents do not say is refused. It is free.

        what is one of: answer (as it came) and, if you like, week; audit_id and line; state, license_number and
        evidence_sha256 of a lookup that found nothing. days is for how long, 1 to 400.
        """
        return self._ask("/v1/shares", json.dumps(what).encode(), {"Content-Type": "application/json"})

    def shares(self) -> Answer[Shares]:
        """The proofs that you share, the newest first."""
        return self._ask("/v1/shares")

    def revoke_share(self, token_or_id: str) -> None:
        """Ends a proof."""
        self._ask("/v1/shares/" + quote(token_or_id, safe=""), None, None, "DELETE")

    def webhooks(self) -> Answer[Webhooks]:
        """Your webhooks, the oldest first."""
        return self._ask("/v1/webhooks")

    def webhook(self, webhook_id: str) -> Answer[Webhook]:
        """The webhook of an id."""
        return self._ask("/v1/webhooks/" + quote(webhook_id, safe=""))

    def create_webhook(self, url: str, types: Sequence[str] = (), portfolio: str | None = None) -> Answer[Webhook]:
        """Has each change sent to a URL from now on: of some types or all, of a portfolio's licenses or all. The body has the secret, once."""
        given = {"url": url, "types": list(types) or None, "portfolio": portfolio}
        body = json.dumps({name: value for name, value in given.items() if value is not None}).encode()
        return self._ask("/v1/webhooks", body, {"Content-Type": "application/json"}, "POST")

    def act_on_webhook(self, webhook_id: str, action: WebhookAction, event_id: str | None = None) -> Answer[Webhook]:
        """Tests a webhook, pauses or resumes it, rotates its secret, or sends the event of an id again (replay)."""
        body = json.dumps({"action": action} | ({"event_id": event_id} if event_id else {})).encode()
        return self._ask("/v1/webhooks/" + quote(webhook_id, safe=""), body, {"Content-Type": "application/json"}, "POST")

    def delete_webhook(self, webhook_id: str) -> None:
        """Deletes a webhook."""
        self._ask("/v1/webhooks/" + quote(webhook_id, safe=""), None, None, "DELETE")

    def webhook_deliveries(self, webhook_id: str, limit: int | None = None) -> Answer[WebhookDeliveries]:
        """What became of the deliveries of the last 7 days, the newest first."""
        return self._ask("/v1/webhooks/" + quote(webhook_id, safe="") + "/deliveries", limit=limit)

    def portfolios(self) -> Answer[Portfolios]:
        """The portfolios that you keep, by their names."""
        return self._ask("/v1/abc/portfolios")

    def portfolio(self, name: str) -> Answer[Portfolio]:
        """The licenses of a portfolio with today's verdicts."""
        return self._ask("/v1/abc/portfolios/" + quote(name, safe=""))

    def stops(self, name: str, *, beverage: str | None = None, on: str | None = None) -> Answer[Stops]:
        """Whom of a portfolio not to deliver to today or on another day, with the reasons. No source is read, and it is free."""
        return self._ask("/v1/abc/portfolios/" + quote(name, safe="") + "/stops", beverage=beverage, on=on)

    def put_portfolio(self, name: str, licenses: Sequence[dict[str, str]]) -> Answer[PortfolioKept]:
        """Keeps licenses under a name, in place of those that were there. What cannot be read is told in errors.

        A license has state, license_number and, if you like, label.
        """
        body = json.dumps({"licenses": list(licenses)}).encode()
        return self._ask("/v1/abc/portfolios/" + quote(name, safe=""), body, {"Content-Type": "application/json"}, "PUT")

    def change_portfolio(
        self, name: str, add: Sequence[dict[str, str]] = (), remove: Sequence[dict[str, str]] = ()
    ) -> Answer[PortfolioKept]:
        """Adds licenses to a portfolio and removes others: all of it or nothing.

        What is removed with a label goes with that label alone. What is added with another label than it has has both.
        """
        body = json.dumps({"add": list(add), "remove": list(remove)}).encode()
        return self._ask("/v1/abc/portfolios/" + quote(name, safe=""), body, {"Content-Type": "application/json"}, "PATCH")

    def confirm_portfolio(self, name: str, every: str, dry_run: bool = False) -> Answer[PortfolioKept]:
        """Says how often licenses are looked up whose status no copy prints: never, daily or weekly.

        With dry_run nothing is changed, and the answer tells what it would cost.
        """
        return self._ask(
            "/v1/abc/portfolios/" + quote(name, safe=""), b"{}", {"Content-Type": "application/json"}, "PATCH",
            confirm=every, dry_run="true" if dry_run else None,
        )

    def delete_portfolio(self, name: str) -> None:
        """Deletes a portfolio."""
        self._ask("/v1/abc/portfolios/" + quote(name, safe=""), None, None, "DELETE")

    def contracts(self) -> Answer[Contracts]:
        """The contracts that you keep, by their names."""
        return self._ask("/v1/ltl/contracts")

    def contract(self, name: str) -> Answer[KeptContract]:
        """The contract of a name."""
        return self._ask("/v1/ltl/contracts/" + quote(name, safe=""))

    def put_contract(self, name: str, terms: Sequence[Term]) -> Answer[KeptContract]:
        """Keeps terms under a name, in place of those that were there."""
        body = json.dumps({"terms": list(terms)}).encode()
        return self._ask("/v1/ltl/contracts/" + quote(name, safe=""), body, {"Content-Type": "application/json"}, "PUT")

    def delete_contract(self, name: str) -> None:
        """Deletes a contract."""
        self._ask("/v1/ltl/contracts/" + quote(name, safe=""), None, None, "DELETE")

    def states(self) -> Answer[StateListings]:
        """The states and what each register can prove."""
        return self._ask("/v1/abc/states")

    def license(self, state: State, license_number: str) -> Answer[License]:
        """One license. An ApiError whose is_proof_of_absence is true means that it is proven not to exist."""
        return self._ask_data("/v1/abc/license/" + quote(license_number, safe=""), state=state)

    def search(
        self,
        state: State,
        *,
        dba_name: str | None = None,
        owner_name: str | None = None,
        address: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[Search]:
        """One page of a search. At least one of dba_name, owner_name and address is needed."""
        return self._ask_data(
            "/v1/abc/search", state=state, dba_name=dba_name, owner_name=owner_name, address=address, limit=limit, cursor=cursor
        )

    def search_pages(
        self,
        state: State,
        *,
        dba_name: str | None = None,
        owner_name: str | None = None,
        address: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Iterator[Answer[Search]]:
        """The pages of a search, from a cursor on. Each is an answer of its own, and a charge."""
        while True:
            page = self.search(state, dba_name=dba_name, owner_name=owner_name, address=address, limit=limit, cursor=cursor)
            yield page
            following = page.body["next_cursor"]
            if following is None:
                return
            if following == cursor:
                raise AssayError("the page after this cursor is that page itself")
            cursor = following

    def evidence(self, entry: Evidence) -> Document:
        """Downloads a document that an answer names. Bytes that do not have the SHA-256 of the answer are an error."""
        path = f"/v1/evidence/{quote(entry['sha256'], safe='')}?{urlencode({'at': entry['at']})}"
        content, headers = self._transport.exchange(path)
        if hashlib.sha256(content).hexdigest() != entry["sha256"]:
            raise AssayError(f"the document that came is not the one with the SHA-256 {entry['sha256']}")
        name = os.path.basename(headers.get_filename() or "")
        return Document(entry["sha256"], entry["url"], entry["sha256"] if name in ("", ".", "..") else name, content)

    def _ask_data(self, path: str, **query: Any) -> Answer[Any]:
        """Makes a call whose answer has _verifiability blocks. An answer without its proof is none."""
        answer = self._ask(path, **query)
        if not answer.blocks:
            raise ForeignError(self._transport.base, 200)
        return answer.require_confidence(self._confidence)

    def _ask(
        self, path: str, body: bytes | None = None, headers: dict[str, str] | None = None, method: str | None = None, **query: Any
    ) -> Answer[Any]:
        given = {name: "true" if value is True else value for name, value in query.items() if value is not None}
        raw, reply = self._transport.exchange(path + ("?" + urlencode(given) if given else ""), body, headers, method)
        try:
            parsed = json.loads(raw)
        except ValueError:
            raise ForeignError(self._transport.base, 200) from None
        return Answer(parsed, raw, reply.get("X-Request-ID") or "", reply.get("Assay-Environment") or "", reply)


def _key_of(given: str | None) -> str:
    key = given or os.environ.get("ASSAY_API_KEY")
    file = os.environ.get("ASSAY_API_KEY_FILE")
    if not key and file:
        with open(file, encoding="ascii") as f:
            key = f.read().strip()
    if not key:
        raise AssayError("ASSAY_API_KEY is not set: `assay keys create` issues a key")
    if not re.fullmatch("[!-~]+", key):
        raise AssayError("the API key has a blank or a character that no key has")
    return key


def _base_of(given: str | None) -> str:
    address = given or os.environ.get("ASSAY_API_URL") or "http://127.0.0.1:8080"
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise AssayError("want an address of the API such as http://127.0.0.1:8080")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"

"""The types of answers. Generated from the OpenAPI document."""

from __future__ import annotations

from typing import Literal, TypedDict

Beverage = Literal["spirits", "wine", "malt"]
Carrier = Literal["ODFL", "SAIA", "ESTES", "ABF", "RLC", "TFORCE", "XPO", "SEFL", "AVERITT", "FEDEX"]
ChangeType = Literal["surcharge.published", "surcharge.announced", "surcharge.revised", "table.replaced", "license.appeared", "license.left_register", "license.status_changed", "license.expiration_changed", "license.holder_changed", "hold.placed", "hold.lifted", "source.in_doubt", "source.degraded", "source.recovered", "webhook.test"]
Code = Literal["UNAUTHORIZED", "PRODUCT_NOT_ENABLED", "NOT_FOUND", "COMING_SOON", "WEEK_NOT_ARCHIVED", "METHOD_NOT_ALLOWED", "NOT_ACCEPTABLE", "GONE", "REQUEST_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "RATE_LIMITED", "SOURCE_UNAVAILABLE", "CAPTCHA_SOLVER_NOT_CONFIGURED", "INTERNAL"]
DeliveryCode = Literal["LICENSE_NOT_GOOD", "ON_LIST", "LICENSE_UNVERIFIED", "LIST_NOT_READ", "LIST_TOO_OLD", "CASH_LAW", "ORDERED_BEFORE", "HOLD_EXEMPT", "HOLDS_NOT_REPORTED", "SUSPENSIONS_NOT_REPORTED", "TYPE_NOT_LOOKED_AT"]
DeliveryVerdict = Literal["STOP", "UNVERIFIED", "CASH_ONLY", "DELIVER"]
EndpointStatus = Literal["active", "failing", "paused", "disabled"]
EvidenceRole = Literal["values", "file", "context"]
Figure = str | float
Kind = Literal["week", "line", "license", "absence"]
LicenseVerdict = Literal["PASS", "CONDITIONAL", "FAIL", "UNVERIFIED"]
MatchOutcome = Literal["MATCHED", "REVIEW", "NONE", "UNRESOLVED", "INVALID"]
Method = Literal["api_mirror", "structured_parse", "scraper_api"]
NoteCode = Literal["STATUS_INFERRED", "SUSPENSIONS_NOT_REPORTED", "DIESEL_NOT_REPORTED", "PAST_EXPIRATION", "WEEK_OVERDUE", "WEEK_UNREADABLE", "FIELD_UNREADABLE", "PERCENT_IN_DOUBT", "WORDING_UNKNOWN", "WORDING_CHANGED", "WEEKS_CONTRADICTED", "FROM_ARCHIVE", "SOURCE_OLD", "INCOMPLETE", "ABSENCE_NOT_PROVEN", "ACCENTS_NOT_SEARCHED", "NOTHING_WRITTEN_SO", "FALLBACK", "OTHER_TYPES", "OTHER_TYPE_NOT_GOOD", "EVIDENCE_BY_FORM", "EVIDENCE_NOT_KEPT", "BRACKET_DIFFERS"]
Reason = Literal["LICENSE_ABSENT", "TYPE_ABSENT", "STATE_NOT_SERVED", "CARRIER_NOT_SERVED", "CARRIER_MISNAMED", "TABLE_UNKNOWN", "DOCUMENT", "NAME", "PATH"]
State = Literal["CA", "TX", "NY", "FL", "IL"]
Status = Literal["ACTIVE", "SUSPENDED", "EXPIRED", "REVOKED"]
Verdict = Literal["INVALID", "DUPLICATE", "UNRESOLVED", "MATCH", "WRONG_WEEK", "WRONG_TABLE", "ARITHMETIC", "WITHIN_TOLERANCE", "OVERBILLED", "UNDERBILLED"]
VerdictCode = Literal["STATUS_NOT_ACTIVE", "INACTIVE_SET", "CONFIDENCE_LOW", "STATUS_INFERRED", "EXPIRATION_UNKNOWN", "EXPIRED", "SUSPENSION_OPEN", "SUSPENSIONS_NOT_REPORTED", "OTHER_TYPE_NOT_GOOD", "LICENSE_ABSENT", "NOT_LISTED", "NO_COPY"]
WebhookAction = Literal["test", "pause", "resume", "rotate", "replay"]


class Address(TypedDict):
    city: str
    county: str
    raw: str
    state: str
    street: str
    zip_code: str


class _AgreedBracket(TypedDict, total=False):
    to_usd: Figure | None


class AgreedBracket(_AgreedBracket):
    from_usd: Figure
    pct: Figure


class _Audit(TypedDict, total=False):
    audit_id: str
    columns: dict[str, int]
    date_form: str
    percent_form: str


class Audit(_Audit):
    results: list[LineResult]
    totals: Totals


class _AuditEntry(TypedDict, total=False):
    contract: str


class AuditEntry(_AuditEntry):
    carriers: list[Carrier]
    contestable_amount: str
    expired_amount: str
    expires_at: str
    id: str
    kept_at: str
    lines: int
    recoverable_amount: str
    variance_amount: str
    verdicts: dict[str, int]


class _AuditLine(TypedDict, total=False):
    base_amount: str | float
    bill_received: str
    billed_amount: str | float
    billed_pct: str | float
    cap_pct: str | float
    currency: str
    delivery_date: str
    discount_points: str | float
    invoice_date: str
    min_amount: str | float
    pickup_date: str
    pro_number: str
    service: str


class AuditLine(_AuditLine):
    carrier: str
    id: str
    ship_date: str


class _AuditQuote(TypedDict, total=False):
    columns: dict[str, int]
    date_form: str
    percent_form: str
    problems: list[Problem]


class AuditQuote(_AuditQuote):
    dry_run: bool
    line_price_usd: str
    lines: int
    live_price_usd: str
    price_usd: str
    resolved: int


class Audits(TypedDict):
    audits: list[AuditEntry]


class Bracket(TypedDict):
    at_least_usd: float
    less_than_usd: float
    ltl_pct: float
    truckload_pct: float | None


class CarrierFailure(TypedDict):
    carrier: Carrier
    error: Code
    message: str


class _CarrierListing(TypedDict, total=False):
    breaker: Literal["closed", "half-open", "open"]
    doubt_since: str | None
    last_path: str
    last_success: str | None


class CarrierListing(_CarrierListing):
    cache_ttl_seconds: int
    code: Carrier
    coverage: str
    extraction_method: Method
    fallback_methods: list[Method]
    fuel_rule: FuelRule
    headquarters: str
    history_weeks: int
    name: str
    publication_day: str
    publishes_diesel_price: bool
    scac: str
    source_url: str


class CarrierListings(TypedDict):
    carriers: list[CarrierListing]


class Change(TypedDict):
    data: ChangeData
    evidence: ChangeEvidence
    id: str
    occurred_at: str
    product: str
    source: str
    type: ChangeType


class _ChangeData(TypedDict, total=False):
    license_number: str
    license_type_code: str


class ChangeData(_ChangeData):
    after: ChangeValues | None
    before: ChangeValues | None


class ChangeEvidence(TypedDict):
    after: list[Evidence]
    before: list[Evidence]


class ChangeValues(TypedDict, total=False):
    address: str
    dba_name: str
    edition: Edition | None
    exempt: bool | None
    expiration_date: str | None
    held_since: str | None
    list: str
    owner_name: str
    since: str | None
    status: Status
    week: SurchargeWeek | None
    why: str


class Changes(TypedDict):
    changes: list[Change]
    cursor: str


class _CheckedDelivery(TypedDict, total=False):
    beverage: Beverage


class CheckedDelivery(_CheckedDelivery):
    _verifiability: Verifiability
    holds: list[Hold]
    holds_checked: list[HoldsChecked]
    license_number: str
    on: str | None
    reasons: list[DeliveryReason]
    record: LicenseRecord
    state: State
    valid_until: str
    verdict: DeliveryVerdict


class Confirming(TypedDict):
    a_day: int
    licenses: int
    price_a_day_usd: str


class ContractEntry(TypedDict):
    name: str
    terms: int
    updated_at: str


class ContractTerms(TypedDict):
    terms: list[Term]


class Contracts(TypedDict):
    contracts: list[ContractEntry]


class CursorError(TypedDict):
    cursor: str


class _CustomerLine(TypedDict, total=False):
    city: str
    license_number: str
    name: str
    street: str
    zip: str


class CustomerLine(_CustomerLine):
    id: str
    state: str


class _CustomerMatches(TypedDict, total=False):
    columns: dict[str, int]
    date_form: str
    percent_form: str


class CustomerMatches(_CustomerMatches):
    results: list[NamedMatch]
    totals: MatchTotals


class Deleted(TypedDict):
    deleted: str


class _Deliveries(TypedDict, total=False):
    columns: dict[str, int]
    date_form: str
    percent_form: str


class Deliveries(_Deliveries):
    results: list[NamedResult]
    totals: DeliveryTotals


class DeliveryAttempt(TypedDict):
    at: str
    attempt: int
    by_hand: bool
    error: str
    event_id: str
    milliseconds: int
    next_at: str | None
    reply: str
    status: int
    type: ChangeType


class _DeliveryLine(TypedDict, total=False):
    beverage: str
    on: str
    ordered_at: str


class DeliveryLine(_DeliveryLine):
    id: str
    license_number: str
    state: str


class DeliveryReason(TypedDict):
    code: DeliveryCode
    message: str


class DeliveryTotals(TypedDict):
    editions: list[RegisterEdition]
    lines: int
    verdicts: dict[str, int]


class Diesel(TypedDict):
    _verifiability: Verifiability
    weeks: list[DieselWeek]


class DieselWeek(TypedDict):
    date: str
    first_seen: str | None
    usd_per_gallon: float


class Edition(TypedDict):
    effective_date: str | None
    first_seen: str | None
    last_seen: str | None
    tariff: str | None


class Evidence(TypedDict):
    at: str
    role: EvidenceRole
    sha256: str
    url: str


class Extension(TypedDict):
    above: Step | None
    below: Step | None
    text: str


class FuelRule(TypedDict):
    applies_to: str | None
    date_basis: str | None
    excludes: str | None
    late_index_rule: str | None
    source_url: str | None
    tariff_item: str | None
    week_start: str | None


class FuelTable(TypedDict):
    _verifiability: Verifiability
    carrier: Carrier
    edition: Edition
    extension: Extension | None
    rows: list[Bracket]


class HeldLicense(TypedDict):
    license_number: str
    since: str | None


class Hold(TypedDict):
    exempt: bool
    list: str
    since: str | None


class HoldList(TypedDict):
    date: str | None
    entries: list[HeldLicense]
    list: str
    state: State
    uploaded_at: str


class HoldsChecked(TypedDict):
    age_days: int
    edition: str | None
    evidence: list[Evidence]
    list: str


class KeptContract(TypedDict):
    name: str
    terms: list[Term]
    updated_at: str


class License(TypedDict):
    _verifiability: Verifiability
    license_number: str
    reasons: list[VerdictReason]
    record: LicenseRecord
    state: State
    verdict: LicenseVerdict


class LicenseRecord(TypedDict):
    address: Address
    dba_name: str
    expiration_date: str | None
    inferred: list[str]
    license_number: str
    license_type_code: str
    license_type_name: str
    not_reported: list[str]
    operating_restrictions: list[str] | None
    owner_name: str
    status: Status
    status_date: str | None
    suspensions: list[Suspension]


class LicenseType(TypedDict):
    code: str
    name: str


class _LineResult(TypedDict, total=False):
    other: dict[str, int]


class LineResult(_LineResult):
    base_amount: str | None
    billed_amount: str | None
    billed_pct: str | None
    carrier: str
    contest_by: str | None
    contestable_amount: str | None
    effective_date: str | None
    end_date: str | None
    errors: list[str]
    evidence_url: str | None
    expected_amount: str | None
    expected_pct: str | None
    expired_amount: str | None
    formula: str | None
    id: str
    numbers: Percents
    pro_number: str | None
    published_pct: str | None
    reason: str | None
    recoverable_amount: str | None
    ship_date: str | None
    variance_amount: str | None
    variance_points: str | None
    verdict: Verdict


class _LinesQuote(TypedDict, total=False):
    columns: dict[str, int]
    date_form: str
    percent_form: str


class LinesQuote(_LinesQuote):
    dry_run: bool
    line_price_usd: str
    lines: int
    live_price_usd: str
    price_usd: str
    resolved: int


class ListEntry(TypedDict):
    date: str | None
    licenses: int
    list: str
    state: State
    uploaded_at: str


class MatchCandidate(TypedDict):
    address: Address
    dba_name: str
    expiration_date: str | None
    license_number: str
    license_type_code: str
    owner_name: str
    reasons: list[str]
    score: float


class MatchTotals(TypedDict):
    editions: list[RegisterEdition]
    lines: int
    outcomes: dict[str, int]


class _NamedMatch(TypedDict, total=False):
    other: dict[str, int]
    state: State


class NamedMatch(_NamedMatch):
    candidates: list[MatchCandidate]
    errors: list[str]
    id: str
    license: MatchCandidate | None
    outcome: MatchOutcome
    reason: str | None


class _NamedResult(TypedDict, total=False):
    beverage: Beverage
    on: str | None
    other: dict[str, int]
    state: State


class NamedResult(_NamedResult):
    city: str
    dba_name: str
    errors: list[str]
    holds: list[Hold]
    holds_checked: list[HoldsChecked]
    id: str
    license_number: str
    looked_up_at: str | None
    owner_name: str
    read_at: str | None
    reasons: list[DeliveryReason]
    status: Status | None
    valid_until: str | None
    verdict: str


class Note(TypedDict):
    code: NoteCode
    message: str


class PathListing(TypedDict):
    inferred: list[str]
    method: Method
    not_reported: list[str]
    operation: Literal["lookup", "search"]
    path: str
    proves_absence: bool


class Peg(TypedDict):
    base_pct: Figure
    base_usd: Figure
    step_pct: Figure
    step_usd: Figure


class Percents(TypedDict):
    billed_pct: float | None
    expected_pct: float | None
    published_pct: float | None
    variance_points: float | None


class Portfolio(TypedDict):
    confirm: str
    confirming: Confirming
    editions: list[RegisterEdition]
    licenses: list[PortfolioMember]
    name: str
    updated_at: str
    verdicts: dict[str, int]


class PortfolioEdit(TypedDict, total=False):
    add: list[PortfolioLicense]
    remove: list[PortfolioLicense]


class PortfolioEntry(TypedDict):
    confirm: str
    licenses: int
    name: str
    updated_at: str


class PortfolioKept(TypedDict):
    confirm: str
    confirming: Confirming
    errors: list[str]
    licenses: int
    name: str
    updated_at: str


class _PortfolioLicense(TypedDict, total=False):
    label: str


class PortfolioLicense(_PortfolioLicense):
    license_number: str
    state: State


class PortfolioLicenses(TypedDict):
    licenses: list[PortfolioLicense]


class PortfolioMember(TypedDict):
    city: str
    dba_name: str
    delivery: DeliveryVerdict
    expiration_date: str | None
    inferred: list[str]
    label: str
    license_number: str
    license_type_code: str
    looked_up_at: str | None
    not_reported: list[str]
    owner_name: str
    read_at: str | None
    reasons: list[VerdictReason]
    state: State
    status: Status | None
    verdict: LicenseVerdict


class Portfolios(TypedDict):
    portfolios: list[PortfolioEntry]


class Problem(TypedDict):
    count: int
    lines: str
    message: str
    verdict: Verdict


class _ProofEntry(TypedDict, total=False):
    audit_id: str


class ProofEntry(_ProofEntry):
    claim: str
    created_at: str
    expires_at: str
    id: str
    kind: Kind


class ProofRequest(TypedDict, total=False):
    answer: dict[str, int]
    audit_id: str
    days: int
    evidence_sha256: str
    license_number: str
    line: int
    state: State
    week: str | None


class Query(TypedDict, total=False):
    address: str
    dba_name: str
    owner_name: str


class RegisterEdition(TypedDict):
    evidence: list[Evidence]
    licenses: int
    misses: str
    published_at: str | None
    read_at: str
    state: State


class Request(TypedDict):
    carrier: Carrier
    sender: Sender


class Search(TypedDict):
    _verifiability: Verifiability
    next_cursor: str | None
    query: Query
    results: list[SearchResult]
    state: State
    total_results: int


class SearchResult(TypedDict):
    address: Address
    dba_name: str
    expiration_date: str | None
    inferred: list[str]
    license_number: str
    license_type_code: str
    license_type_name: str
    not_reported: list[str]
    operating_restrictions: list[str] | None
    owner_name: str
    reasons: list[VerdictReason]
    status: Status
    status_date: str | None
    suspensions: list[Suspension]
    verdict: LicenseVerdict


class Sender(TypedDict):
    address: list[str]
    name: str


class _Shared(TypedDict, total=False):
    audit_id: str


class Shared(_Shared):
    claim: str
    created_at: str
    expires_at: str
    id: str
    kind: Kind
    token: str
    url: str


class Shares(TypedDict):
    shares: list[ProofEntry]


class _StateListing(TypedDict, total=False):
    breaker: Literal["closed", "half-open", "open"]
    doubt_since: str | None
    last_path: str
    last_success: str | None
    paths: list[PathListing]


class StateListing(_StateListing):
    agency: str
    anti_bot: str
    cache_ttl_seconds: int
    captcha: str
    extraction_method: Method
    fallback_methods: list[Method]
    license_types: list[LicenseType]
    limitations: list[str]
    lookup: bool
    name: str
    proves_absence: bool
    search_fields: list[str]
    source_url: str
    state: State
    typical_latency_ms: int


class StateListings(TypedDict):
    states: list[StateListing]


class Step(TypedDict):
    from_usd: float
    step_pct: float
    step_usd: float


class StoppedDelivery(TypedDict):
    city: str
    dba_name: str
    holds: list[Hold]
    holds_checked: list[HoldsChecked]
    label: str
    license_number: str
    looked_up_at: str | None
    owner_name: str
    read_at: str | None
    reasons: list[DeliveryReason]
    state: State
    status: Status | None
    valid_until: str
    verdict: DeliveryVerdict


class _Stops(TypedDict, total=False):
    beverage: Beverage


class Stops(_Stops):
    editions: list[RegisterEdition]
    name: str
    on: str | None
    stops: list[StoppedDelivery]
    verdicts: dict[str, int]


class Surcharge(TypedDict):
    _verifiability: SurchargeVerifiability
    carrier: Carrier
    weeks: list[SurchargeWeek]


class SurchargeVerifiability(TypedDict):
    complete: bool
    current: bool | None
    data_freshness_ttl_seconds: int
    evidence: list[Evidence]
    evidence_sha256: str | None
    extraction_confidence: float
    extraction_method: Method
    inferred: list[str]
    not_reported: list[str]
    notes: list[Note]
    raw_data_evidence_url: str | None
    source_published_at: str | None
    source_timestamp: str


class SurchargeWeek(TypedDict):
    announced: bool
    doe_diesel_price_usd: float | None
    effective_date: str
    end_date: str | None
    evidence_sha256: str | None
    first_seen: str | None
    fuel_surcharge_pct: float
    revised: str | None
    truckload_pct: float | None


class Surcharges(TypedDict):
    errors: list[CarrierFailure]
    results: list[Surcharge]


class Suspension(TypedDict):
    end_date: str | None
    reason: str
    start_date: str | None


class _Term(TypedDict, total=False):
    as_of: str | None
    brackets: list[AgreedBracket]
    cap_pct: Figure | None
    date_basis: str
    decimals: Figure | None
    discount_points: Figure | None
    floor_pct: Figure | None
    lag_weeks: Figure
    min_amount: Figure | None
    multiplier: Figure | None
    peg: Peg | None
    to: str | None


_TermKeywords = TypedDict("_TermKeywords", {"from": "str | None"})


class Term(_Term, _TermKeywords):
    basis: str
    carrier: Carrier


class Totals(TypedDict):
    contestable_amount: str
    expired_amount: str
    lines: int
    problems: list[Problem]
    recoverable_amount: str
    variance_amount: str
    verdicts: dict[str, int]


class VerdictReason(TypedDict):
    code: VerdictCode
    message: str


class Verifiability(TypedDict):
    complete: bool
    data_freshness_ttl_seconds: int
    evidence: list[Evidence]
    evidence_sha256: str | None
    extraction_confidence: float
    extraction_method: Method
    inferred: list[str]
    not_reported: list[str]
    notes: list[Note]
    raw_data_evidence_url: str
    source_published_at: str | None
    source_timestamp: str


class Violation(TypedDict):
    loc: list[str]
    msg: str
    type: str


class _Webhook(TypedDict, total=False):
    disabled_reason: str
    event_id: str
    portfolio: str
    secret: str


class Webhook(_Webhook):
    created_at: str
    failing_since: str | None
    id: str
    open_retries: int
    status: EndpointStatus
    types: list[ChangeType]
    url: str


class WebhookDeliveries(TypedDict):
    deliveries: list[DeliveryAttempt]


class _WebhookOrder(TypedDict, total=False):
    event_id: str


class WebhookOrder(_WebhookOrder):
    action: WebhookAction


class _WebhookTarget(TypedDict, total=False):
    portfolio: str
    types: list[Literal["surcharge.published", "surcharge.announced", "surcharge.revised", "table.replaced", "license.appeared", "license.left_register", "license.status_changed", "license.expiration_changed", "license.holder_changed", "hold.placed", "hold.lifted", "source.in_doubt", "source.degraded", "source.recovered"]]


class WebhookTarget(_WebhookTarget):
    url: str


class Webhooks(TypedDict):
    webhooks: list[Webhook]

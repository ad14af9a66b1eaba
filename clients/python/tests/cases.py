"""Runs cases of clients/cases.json: a case a line of standard input, its outcome a line of standard output."""

import json
import random
import sys

from assay_client import ApiError, AssayError, Client, ConfidenceError, ForeignError, MemberError, UnreachableError


def kept(client, lines, carrier, sender):
    """An audit that is kept, found in the list, read, made a packet of, and deleted."""
    audit_id = client.audit(lines, keep=True, idempotency_key=f"kept-{random.random()}").body["audit_id"]
    listed = any(a["id"] == audit_id for a in client.audits().body["audits"])
    read = len(client.kept_audit(audit_id).body["results"])
    packet, again = (client.packet(audit_id, carrier, sender["name"], sender["address"]) for _ in range(2))
    client.delete_audit(audit_id)
    try:
        gone = client.kept_audit(audit_id) and ""
    except ApiError as e:
        gone = e.reason
    return {"listed": listed, "read": read, "packet": packet[:2].decode(), "same": packet == again, "gone": gone}


def shared(client, **question):
    """The proof of an answer that is shared, found in the list, and revoked."""
    made = client.share(answer=client.fuel_surcharge(**question).body, days=1).body
    listed = any(s["id"] == made["id"] for s in client.shares().body["shares"])
    client.revoke_share(made["token"])
    try:
        gone = client.revoke_share(made["id"]) or ""
    except ApiError as e:
        gone = e.reason
    path = "/" + made["url"].split("/", 3)[3]
    return {"listed": listed, "address": path.removesuffix(made["token"]), "kind": made["kind"], "gone": gone}


def webhook(client, url, types):
    """A webhook that is made, found, given a new secret, paused and deleted."""
    made = client.create_webhook(url, types).body
    listed = any(w["id"] == made["id"] for w in client.webhooks().body["webhooks"])
    read = client.webhook(made["id"]).body["types"]
    rotated = client.act_on_webhook(made["id"], "rotate").body["secret"] != made["secret"]
    status = client.act_on_webhook(made["id"], "pause").body["status"]
    deliveries = client.webhook_deliveries(made["id"]).body["deliveries"]
    client.delete_webhook(made["id"])
    try:
        gone = client.webhook(made["id"]) and ""
    except ApiError as e:
        gone = e.reason
    secret = made["secret"][:6]
    return {"listed": listed, "read": read, "secret": secret, "rotated": rotated, "status": status, "deliveries": deliveries, "gone": gone}


def run(case):
    options = case.get("options", {})
    client = Client(**{"key": case["key"], "url": case["url"], **options})
    arguments = {"from_" if name == "from" else name: value for name, value in case.get("args", {}).items()}
    if case["call"] == "search_pages":
        return {"pages": [page.body for page in client.search_pages(**arguments)]}
    if case["call"] == "kept_audit":
        return kept(client, **arguments)
    if case["call"] == "shared_proof":
        return shared(client, **arguments)
    if case["call"] == "kept_webhook":
        return webhook(client, **arguments)
    answer = getattr(client, case["call"])(**arguments)
    answer.require(*case.get("require", []))
    outcome = {"body": answer.body, "environment": answer.environment, "request_id": answer.request_id, "age": answer.headers.get("Age")}
    if case.get("documents"):
        documents = [client.evidence(entry) for entry in answer.blocks[0]["evidence"]]
        outcome["documents"] = [{"name": d.name, "size": len(d.content)} for d in documents]
    return outcome


def outcome_of(case):
    try:
        return run(case)
    except ApiError as e:
        return {
            "error": "api",
            "code": e.code,
            "message": e.message,
            "advice": e.advice,
            "request_id": e.request_id,
            "status": e.status,
            "retry_after": e.retry_after,
            "reason": e.reason,
            "is_proof_of_absence": e.is_proof_of_absence,
            "has_proof": e.proof is not None,
            "cursor": e.cursor,
            "raw": e.raw.decode(),
        }
    except ConfidenceError as e:
        return {"error": "confidence", "confidence": e.confidence, "required": e.required, "notes": e.notes}
    except MemberError as e:
        return {"error": "member", "member": e.member, "why": e.why}
    except UnreachableError:
        return {"error": "unreachable"}
    except ForeignError as e:
        return {"error": "foreign", "status": e.status}
    except AssayError as e:
        return {"error": "other", "message": str(e)}


for line in sys.stdin:
    print(json.dumps(outcome_of(json.loads(line))), flush=True)

"""Asks the Assay API for fuel surcharges and liquor licenses.

    from assay_client import Client

    assay = Client(require_confidence=0.90)  # the key is ASSAY_API_KEY
    rate = assay.fuel_surcharge("ODFL", as_of="2026-09-11")
    license = assay.license("TX", "100001140")
    license.require("suspensions")  # raises where the register shows none
"""

from .answer import Answer
from .client import Client, Document
from .errors import ApiError, AssayError, ConfidenceError, ForeignError, MemberError, UnreachableError

__all__ = [
    "Answer",
    "ApiError",
    "AssayError",
    "Client",
    "ConfidenceError",
    "Document",
    "ForeignError",
    "MemberError",
    "UnreachableError",
]

import { advice, reasons } from "./advice.js";
import { isObject } from "./answer.js";
import { ApiError, ForeignError, UnreachableError } from "./errors.js";

/** Bounds the body of a reply. It is more than the largest document. */
const maxBody = 128 << 20;

/** How calls are sent. */
export interface Sending {
  base: string;
  key: string;
  /** Milliseconds that a call has with its retries. */
  timeout: number;
  attempts: number;
}

/**
 * Sends a request until it is answered, or fails in a way that a retry does not mend. Every status but 200 and 201 is an error.
 * No redirect is followed, so that the key goes nowhere else.
 */
export async function exchange(s: Sending, request: Request): Promise<Response> {
  const deadline = Date.now() + s.timeout;
  for (let attempt = 1; ; attempt++) {
    const { response, body } = await send(s, request.clone(), deadline);
    if (response.status === 200 || response.status === 201) return new Response(body, { status: response.status, headers: response.headers });
    const failure = failureOf(s, response, body);
    const wait = failure instanceof ApiError && isRepeatable(request, failure) ? waitFor(failure) : undefined;
    if (wait === undefined || attempt >= s.attempts || Date.now() + wait >= deadline) throw failure;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/** What was to be made may be there although the answer is 503, and would be made twice; 429 is told before anything is done. */
function isRepeatable(request: Request, failure: ApiError): boolean {
  return request.method !== "POST" || request.headers.has("Idempotency-Key") || failure.status === 429;
}

async function send(s: Sending, request: Request, deadline: number): Promise<{ response: Response; body: Buffer }> {
  request.headers.set("X-API-Key", s.key);
  try {
    const signal = AbortSignal.timeout(Math.max(1, deadline - Date.now()));
    const response = await fetch(request, { redirect: "manual", signal });
    return { response, body: await bytesOf(s, response) };
  } catch (cause) {
    if (cause instanceof ForeignError) throw cause;
    throw new UnreachableError(s.base, cause);
  }
}

async function bytesOf(s: Sending, response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxBody) throw new ForeignError(s.base, response.status);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Milliseconds that the API said; undefined where a retry makes no sense. */
function waitFor(failure: ApiError): number | undefined {
  const busy = failure.status === 429 || failure.status === 503;
  if (!busy || failure.retryAfter === null || failure.code === "CAPTCHA_SOLVER_NOT_CONFIGURED") return undefined;
  return failure.retryAfter * 1000;
}

function failureOf(s: Sending, response: Response, body: Buffer): ApiError | ForeignError {
  const raw = body.toString();
  const parsed = objectOf(raw);
  const detail = parsed.detail;
  const requestId = printable(response.headers.get("X-Request-ID") ?? "");
  const retryAfter = retryAfterOf(response.headers);
  if (Array.isArray(detail) && detail.length > 0 && detail.every(isViolation)) {
    const text = detail.map((v) => `${v.loc.join(" ")}: ${v.msg}`).join("; ");
    return new ApiError("INVALID_REQUEST", printable(text), advice.INVALID_REQUEST ?? "", requestId, response.status, retryAfter, detail, "", null, raw);
  }
  // Behind a wrong address the API answers 404 as well. Only an answer to a key names the environment, and only that is proof.
  const isOtherPath = response.status === 404 && !response.headers.has("Assay-Environment");
  if (!isObject(detail) || !isText(detail.error) || !isText(detail.message) || isOtherPath) return new ForeignError(s.base, response.status);
  const todo = advice[Object.hasOwn(advice, detail.error) ? detail.error : codeOf(response.status)] ?? "";
  const reason = detail.error === "NOT_FOUND" && typeof detail.reason === "string" ? detail.reason : "";
  const proof = reason && isObject(parsed._verifiability) ? (parsed._verifiability as ApiError["proof"]) : null;
  const what = (Object.hasOwn(reasons, reason) ? reasons[reason] : undefined) ?? todo;
  const cursor = detail.error === "GONE" && isText(parsed.cursor) ? parsed.cursor : "";
  return new ApiError(printable(detail.error), printable(detail.message), what, requestId, response.status, retryAfter, [], reason, proof, raw, cursor);
}

/** The code whose advice is good for every error of a status: a later version of the API has further codes. */
function codeOf(status: number): string {
  if (status === 404) return "NOT_FOUND";
  if (status === 429) return "RATE_LIMITED";
  if (status === 503) return "SOURCE_UNAVAILABLE";
  return status >= 500 ? "INTERNAL" : "INVALID_REQUEST";
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Seconds, also until a date by the server's own clock (RFC 9110 §10.2.3); null where the header names neither. */
function retryAfterOf(headers: Headers): number | null {
  const value = headers.get("Retry-After") ?? "";
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const at = httpDate(value);
  if (Number.isNaN(at)) return null;
  const now = httpDate(headers.get("Date") ?? "");
  return Math.max(0, Math.ceil((at - (Number.isNaN(now) ? Date.now() : now)) / 1000));
}

/** Milliseconds since 1970, or NaN; a date of HTTP is always in GMT. */
function httpDate(value: string): number {
  if (!/^[A-Z][a-z]{2,8},? .*:/.test(value)) return NaN;
  return Date.parse(value.endsWith(" GMT") ? value : `${value} GMT`);
}

function objectOf(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

function isViolation(v: unknown): v is { loc: string[]; msg: string; type: string } {
  return isObject(v) && Array.isArray(v.loc) && typeof v.msg === "string";
}

/** Replaces control and invisible characters, which would do something to a terminal. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu, "?");
}

// src/index.ts
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";

// node_modules/openapi-fetch/dist/index.mjs
var PATH_PARAM_RE = /\{[^{}]+\}/g;
var supportsRequestInitExt = () => {
  return typeof process === "object" && Number.parseInt(process?.versions?.node?.substring(0, 2)) >= 18 && process.versions.undici;
};
function randomID() {
  return Math.random().toString(36).slice(2, 11);
}
function createClient(clientOptions) {
  let {
    baseUrl = "",
    Request: CustomRequest = globalThis.Request,
    fetch: baseFetch = globalThis.fetch,
    querySerializer: globalQuerySerializer,
    bodySerializer: globalBodySerializer,
    pathSerializer: globalPathSerializer,
    headers: baseHeaders,
    requestInitExt = void 0,
    ...baseOptions
  } = { ...clientOptions };
  requestInitExt = supportsRequestInitExt() ? requestInitExt : void 0;
  baseUrl = removeTrailingSlash(baseUrl);
  const globalMiddlewares = [];
  async function coreFetch(schemaPath, fetchOptions) {
    const {
      baseUrl: localBaseUrl,
      fetch: fetch2 = baseFetch,
      Request = CustomRequest,
      headers,
      params = {},
      parseAs = "json",
      querySerializer: requestQuerySerializer,
      bodySerializer = globalBodySerializer ?? defaultBodySerializer,
      pathSerializer: requestPathSerializer,
      body,
      middleware: requestMiddlewares = [],
      ...init
    } = fetchOptions || {};
    let finalBaseUrl = baseUrl;
    if (localBaseUrl) {
      finalBaseUrl = removeTrailingSlash(localBaseUrl) ?? baseUrl;
    }
    let querySerializer = typeof globalQuerySerializer === "function" ? globalQuerySerializer : createQuerySerializer(globalQuerySerializer);
    if (requestQuerySerializer) {
      querySerializer = typeof requestQuerySerializer === "function" ? requestQuerySerializer : createQuerySerializer({
        ...typeof globalQuerySerializer === "object" ? globalQuerySerializer : {},
        ...requestQuerySerializer
      });
    }
    const pathSerializer = requestPathSerializer || globalPathSerializer || defaultPathSerializer;
    const serializedBody = body === void 0 ? void 0 : bodySerializer(
      body,
      // Note: we declare mergeHeaders() both here and below because it’s a bit of a chicken-or-egg situation:
      // bodySerializer() needs all headers so we aren’t dropping ones set by the user, however,
      // the result of this ALSO sets the lowest-priority content-type header. So we re-merge below,
      // setting the content-type at the very beginning to be overwritten.
      // Lastly, based on the way headers work, it’s not a simple “present-or-not” check becauase null intentionally un-sets headers.
      mergeHeaders(baseHeaders, headers, params.header)
    );
    const finalHeaders = mergeHeaders(
      // with no body, we should not to set Content-Type
      serializedBody === void 0 || // if serialized body is FormData; browser will correctly set Content-Type & boundary expression
      serializedBody instanceof FormData ? {} : {
        "Content-Type": "application/json"
      },
      baseHeaders,
      headers,
      params.header
    );
    const finalMiddlewares = [...globalMiddlewares, ...requestMiddlewares];
    const requestInit = {
      redirect: "follow",
      ...baseOptions,
      ...init,
      body: serializedBody,
      headers: finalHeaders
    };
    let id;
    let options;
    let request = new Request(
      createFinalURL(schemaPath, { baseUrl: finalBaseUrl, params, querySerializer, pathSerializer }),
      requestInit
    );
    let response;
    for (const key in init) {
      if (!(key in request)) {
        request[key] = init[key];
      }
    }
    if (finalMiddlewares.length) {
      id = randomID();
      options = Object.freeze({
        baseUrl: finalBaseUrl,
        fetch: fetch2,
        parseAs,
        querySerializer,
        bodySerializer,
        pathSerializer
      });
      for (const m of finalMiddlewares) {
        if (m && typeof m === "object" && typeof m.onRequest === "function") {
          const result = await m.onRequest({
            request,
            schemaPath,
            params,
            options,
            id
          });
          if (result) {
            if (result instanceof Request) {
              request = result;
            } else if (result instanceof Response) {
              response = result;
              break;
            } else {
              throw new Error("onRequest: must return new Request() or Response() when modifying the request");
            }
          }
        }
      }
    }
    if (!response) {
      try {
        response = await fetch2(request, requestInitExt);
      } catch (error2) {
        let errorAfterMiddleware = error2;
        if (finalMiddlewares.length) {
          for (let i = finalMiddlewares.length - 1; i >= 0; i--) {
            const m = finalMiddlewares[i];
            if (m && typeof m === "object" && typeof m.onError === "function") {
              const result = await m.onError({
                request,
                error: errorAfterMiddleware,
                schemaPath,
                params,
                options,
                id
              });
              if (result) {
                if (result instanceof Response) {
                  errorAfterMiddleware = void 0;
                  response = result;
                  break;
                }
                if (result instanceof Error) {
                  errorAfterMiddleware = result;
                  continue;
                }
                throw new Error("onError: must return new Response() or instance of Error");
              }
            }
          }
        }
        if (errorAfterMiddleware) {
          throw errorAfterMiddleware;
        }
      }
      if (finalMiddlewares.length) {
        for (let i = finalMiddlewares.length - 1; i >= 0; i--) {
          const m = finalMiddlewares[i];
          if (m && typeof m === "object" && typeof m.onResponse === "function") {
            const result = await m.onResponse({
              request,
              response,
              schemaPath,
              params,
              options,
              id
            });
            if (result) {
              if (!(result instanceof Response)) {
                throw new Error("onResponse: must return new Response() when modifying the response");
              }
              response = result;
            }
          }
        }
      }
    }
    const contentLength = response.headers.get("Content-Length");
    if (response.status === 204 || request.method === "HEAD" || contentLength === "0" && !response.headers.get("Transfer-Encoding")?.includes("chunked")) {
      return response.ok ? { data: void 0, response } : { error: void 0, response };
    }
    if (response.ok) {
      const getResponseData = async () => {
        if (parseAs === "stream") {
          return response.body;
        }
        if (parseAs === "json" && !contentLength) {
          const raw = await response.text();
          return raw ? JSON.parse(raw) : void 0;
        }
        return await response[parseAs]();
      };
      return { data: await getResponseData(), response };
    }
    let error = await response.text();
    try {
      error = JSON.parse(error);
    } catch {
    }
    return { error, response };
  }
  return {
    request(method, url, init) {
      return coreFetch(url, { ...init, method: method.toUpperCase() });
    },
    /** Call a GET endpoint */
    GET(url, init) {
      return coreFetch(url, { ...init, method: "GET" });
    },
    /** Call a PUT endpoint */
    PUT(url, init) {
      return coreFetch(url, { ...init, method: "PUT" });
    },
    /** Call a POST endpoint */
    POST(url, init) {
      return coreFetch(url, { ...init, method: "POST" });
    },
    /** Call a DELETE endpoint */
    DELETE(url, init) {
      return coreFetch(url, { ...init, method: "DELETE" });
    },
    /** Call a OPTIONS endpoint */
    OPTIONS(url, init) {
      return coreFetch(url, { ...init, method: "OPTIONS" });
    },
    /** Call a HEAD endpoint */
    HEAD(url, init) {
      return coreFetch(url, { ...init, method: "HEAD" });
    },
    /** Call a PATCH endpoint */
    PATCH(url, init) {
      return coreFetch(url, { ...init, method: "PATCH" });
    },
    /** Call a TRACE endpoint */
    TRACE(url, init) {
      return coreFetch(url, { ...init, method: "TRACE" });
    },
    /** Register middleware */
    use(...middleware) {
      for (const m of middleware) {
        if (!m) {
          continue;
        }
        if (typeof m !== "object" || !("onRequest" in m || "onResponse" in m || "onError" in m)) {
          throw new Error("Middleware must be an object with one of `onRequest()`, `onResponse() or `onError()`");
        }
        globalMiddlewares.push(m);
      }
    },
    /** Unregister middleware */
    eject(...middleware) {
      for (const m of middleware) {
        const i = globalMiddlewares.indexOf(m);
        if (i !== -1) {
          globalMiddlewares.splice(i, 1);
        }
      }
    }
  };
}
function serializePrimitiveParam(name, value, options) {
  if (value === void 0 || value === null) {
    return "";
  }
  if (typeof value === "object") {
    throw new Error(
      "Deeply-nested arrays/objects aren\u2019t supported. Provide your own `querySerializer()` to handle these."
    );
  }
  return `${name}=${options?.allowReserved === true ? value : encodeURIComponent(value)}`;
}
function serializeObjectParam(name, value, options) {
  if (!value || typeof value !== "object") {
    return "";
  }
  const values = [];
  const joiner = {
    simple: ",",
    label: ".",
    matrix: ";"
  }[options.style] || "&";
  if (options.style !== "deepObject" && options.explode === false) {
    for (const k in value) {
      values.push(k, options.allowReserved === true ? value[k] : encodeURIComponent(value[k]));
    }
    const final2 = values.join(",");
    switch (options.style) {
      case "form": {
        return `${name}=${final2}`;
      }
      case "label": {
        return `.${final2}`;
      }
      case "matrix": {
        return `;${name}=${final2}`;
      }
      default: {
        return final2;
      }
    }
  }
  for (const k in value) {
    const finalName = options.style === "deepObject" ? `${name}[${k}]` : k;
    values.push(serializePrimitiveParam(finalName, value[k], options));
  }
  const final = values.join(joiner);
  return options.style === "label" || options.style === "matrix" ? `${joiner}${final}` : final;
}
function serializeArrayParam(name, value, options) {
  if (!Array.isArray(value)) {
    return "";
  }
  if (options.explode === false) {
    const joiner2 = { form: ",", spaceDelimited: "%20", pipeDelimited: "|" }[options.style] || ",";
    const final = (options.allowReserved === true ? value : value.map((v) => encodeURIComponent(v))).join(joiner2);
    switch (options.style) {
      case "simple": {
        return final;
      }
      case "label": {
        return `.${final}`;
      }
      case "matrix": {
        return `;${name}=${final}`;
      }
      // case "spaceDelimited":
      // case "pipeDelimited":
      default: {
        return `${name}=${final}`;
      }
    }
  }
  const joiner = { simple: ",", label: ".", matrix: ";" }[options.style] || "&";
  const values = [];
  for (const v of value) {
    if (options.style === "simple" || options.style === "label") {
      values.push(options.allowReserved === true ? v : encodeURIComponent(v));
    } else {
      values.push(serializePrimitiveParam(name, v, options));
    }
  }
  return options.style === "label" || options.style === "matrix" ? `${joiner}${values.join(joiner)}` : values.join(joiner);
}
function createQuerySerializer(options) {
  return function querySerializer(queryParams) {
    const search = [];
    if (queryParams && typeof queryParams === "object") {
      for (const name in queryParams) {
        const value = queryParams[name];
        if (value === void 0 || value === null) {
          continue;
        }
        if (Array.isArray(value)) {
          if (value.length === 0) {
            continue;
          }
          search.push(
            serializeArrayParam(name, value, {
              style: "form",
              explode: true,
              ...options?.array,
              allowReserved: options?.allowReserved || false
            })
          );
          continue;
        }
        if (typeof value === "object") {
          search.push(
            serializeObjectParam(name, value, {
              style: "deepObject",
              explode: true,
              ...options?.object,
              allowReserved: options?.allowReserved || false
            })
          );
          continue;
        }
        search.push(serializePrimitiveParam(name, value, options));
      }
    }
    return search.join("&");
  };
}
function defaultPathSerializer(pathname, pathParams) {
  let nextURL = pathname;
  for (const match of pathname.match(PATH_PARAM_RE) ?? []) {
    let name = match.substring(1, match.length - 1);
    let explode = false;
    let style = "simple";
    if (name.endsWith("*")) {
      explode = true;
      name = name.substring(0, name.length - 1);
    }
    if (name.startsWith(".")) {
      style = "label";
      name = name.substring(1);
    } else if (name.startsWith(";")) {
      style = "matrix";
      name = name.substring(1);
    }
    if (!pathParams || pathParams[name] === void 0 || pathParams[name] === null) {
      continue;
    }
    const value = pathParams[name];
    if (Array.isArray(value)) {
      nextURL = nextURL.replace(match, serializeArrayParam(name, value, { style, explode }));
      continue;
    }
    if (typeof value === "object") {
      nextURL = nextURL.replace(match, serializeObjectParam(name, value, { style, explode }));
      continue;
    }
    if (style === "matrix") {
      nextURL = nextURL.replace(match, `;${serializePrimitiveParam(name, value)}`);
      continue;
    }
    nextURL = nextURL.replace(match, style === "label" ? `.${encodeURIComponent(value)}` : encodeURIComponent(value));
  }
  return nextURL;
}
function defaultBodySerializer(body, headers) {
  if (body instanceof FormData) {
    return body;
  }
  if (headers) {
    const contentType = headers.get instanceof Function ? headers.get("Content-Type") ?? headers.get("content-type") : headers["Content-Type"] ?? headers["content-type"];
    if (contentType === "application/x-www-form-urlencoded") {
      return new URLSearchParams(body).toString();
    }
  }
  return JSON.stringify(body);
}
function createFinalURL(pathname, options) {
  let finalURL = `${options.baseUrl}${pathname}`;
  if (options.params?.path) {
    finalURL = options.pathSerializer(finalURL, options.params.path);
  }
  let search = options.querySerializer(options.params.query ?? {});
  if (search.startsWith("?")) {
    search = search.substring(1);
  }
  if (search) {
    finalURL += `?${search}`;
  }
  return finalURL;
}
function mergeHeaders(...allHeaders) {
  const finalHeaders = new Headers();
  for (const h of allHeaders) {
    if (!h || typeof h !== "object") {
      continue;
    }
    const iterator = h instanceof Headers ? h.entries() : Object.entries(h);
    for (const [k, v] of iterator) {
      if (v === null) {
        finalHeaders.delete(k);
      } else if (Array.isArray(v)) {
        for (const v2 of v) {
          finalHeaders.append(k, v2);
        }
      } else if (v !== void 0) {
        finalHeaders.set(k, v);
      }
    }
  }
  return finalHeaders;
}
function removeTrailingSlash(url) {
  if (url.endsWith("/")) {
    return url.substring(0, url.length - 1);
  }
  return url;
}

// src/advice.ts
var advice = {
  CAPTCHA_SOLVER_NOT_CONFIGURED: "This deployment cannot read that register. Do not retry.",
  COMING_SOON: "This is not available yet.",
  GONE: "It is kept no longer. Do not retry; in place of a cursor take the cursor of the error.",
  INTERNAL: "Retry once; then report the request id.",
  INVALID_REQUEST: "Correct what the message names; unknown parameters are refused, never ignored.",
  METHOD_NOT_ALLOWED: "Use a method that the header Allow names.",
  NOT_ACCEPTABLE: "Let the header Accept allow the form of the body.",
  NOT_FOUND: "What was asked for is not there; reason says what that proves. Do not retry.",
  PRODUCT_NOT_ENABLED: "Ask for a key that has the product.",
  RATE_LIMITED: "Wait as long as Retry-After says, then retry.",
  REQUEST_TOO_LARGE: "Shorten or split the request.",
  SOURCE_UNAVAILABLE: "Retry when Retry-After says so; it says nothing about whether the record exists.",
  UNAUTHORIZED: "Check the API key.",
  UNSUPPORTED_MEDIA_TYPE: "Name the form of the body in the header Content-Type, in UTF-8, without compression.",
  WEEK_NOT_ARCHIVED: "The rate of that day is not known; do not take another week's."
};
var reasons = {
  LICENSE_ABSENT: "The license is proven not to exist.",
  TYPE_ABSENT: "The number is proven not to stand for a license of that type; leave the type out to see whether it stands for another.",
  STATE_NOT_SERVED: "That state is not served, so nothing is known of the license; ask the state's own register.",
  CARRIER_NOT_SERVED: "That carrier is not served, so nothing is known of its rates; the listing of carriers has the codes.",
  CARRIER_MISNAMED: "Ask again by the code that the message names, where that carrier is meant.",
  TABLE_UNKNOWN: "No bracket table of that carrier is known; what it charges is among its fuel surcharges.",
  DOCUMENT: "Take sha256 and at from one entry of an answer's evidence, with a key of the same environment.",
  NAME: "Nothing is kept under that name or id; check how it is written.",
  PATH: "The path is wrong, so nothing was asked; check the address of the API."
};
var proofs = ["LICENSE_ABSENT", "TYPE_ABSENT"];

// src/errors.ts
var AssayError = class extends Error {
  get name() {
    return this.constructor.name;
  }
};
var ApiError = class extends AssayError {
  constructor(code, detail, advice2, requestId, status, retryAfter, violations = [], reason = "", proof = null, raw = "", cursor = "") {
    super(`${code}: ${detail}${requestId && ` (request ${requestId})`}`);
    this.code = code;
    this.detail = detail;
    this.advice = advice2;
    this.requestId = requestId;
    this.status = status;
    this.retryAfter = retryAfter;
    this.violations = violations;
    this.reason = reason;
    this.proof = proof;
    this.cursor = cursor;
    this.#raw = raw;
  }
  code;
  detail;
  advice;
  requestId;
  status;
  retryAfter;
  violations;
  reason;
  proof;
  cursor;
  #raw;
  /** The body as it came. Keep it where it is a proof: `assay evidence verify` reads it. */
  get raw() {
    return this.#raw;
  }
  /** Whether the license is proven not to exist. No other 404 proves anything. */
  get isProofOfAbsence() {
    return proofs.includes(this.reason);
  }
};
var ConfidenceError = class extends AssayError {
  constructor(confidence, required, notes, requestId, raw) {
    super(`the confidence is ${confidence}, below ${required}${notes.map((n) => `; ${n.code}: ${n.message}`).join("")}`);
    this.confidence = confidence;
    this.required = required;
    this.notes = notes;
    this.requestId = requestId;
    this.#raw = raw;
  }
  confidence;
  required;
  notes;
  requestId;
  #raw;
  /** The answer as it came, for a person to judge. */
  get raw() {
    return this.#raw;
  }
};
var MemberError = class extends AssayError {
  constructor(member, why, notes) {
    super(`member "${member}" is ${why}`);
    this.member = member;
    this.why = why;
    this.notes = notes;
  }
  member;
  why;
  notes;
};
var UnreachableError = class extends AssayError {
  constructor(url, cause) {
    super(`the API at ${url} cannot be reached; check that it runs, with curl ${url}/openapi.json, and that the address (ASSAY_API_URL) is right`, { cause });
    this.url = url;
  }
  url;
};
var ForeignError = class extends AssayError {
  constructor(url, status) {
    super(`there is no Assay API at ${url}: its answer, status ${status}, is none of the API's`);
    this.url = url;
    this.status = status;
  }
  url;
  status;
};

// src/answer.ts
var Answer = class {
  constructor(body, raw, requestId, environment, headers) {
    this.body = body;
    this.raw = raw;
    this.requestId = requestId;
    this.environment = environment;
    this.headers = headers;
    this.#statements = statementsOf(body);
    this.blocks = this.#statements.map((s) => s.claims);
  }
  body;
  raw;
  requestId;
  environment;
  headers;
  /** The _verifiability blocks: one, or one for each carrier of an answer for several. A listing has none. */
  blocks;
  #statements;
  /** Throws a ConfidenceError where a block's confidence is lower. */
  requireConfidence(least) {
    for (const v of this.blocks) {
      if (!(v.extraction_confidence >= least)) {
        throw new ConfidenceError(v.extraction_confidence, least, v.notes, this.requestId, this.raw);
      }
    }
    return this;
  }
  /**
   * Throws a MemberError where one of the members is not reported or only inferred, and where records have no such member.
   * Nested members are dotted, such as address.county; address asks for all of its members. current holds
   * where it is true: the newest week is the one that is due.
   */
  require(...members) {
    for (const member of members) {
      if (this.#statements.length === 0) throw new MemberError(member, "unknown", []);
      for (const s of this.#statements) {
        const why = doubt(s, member);
        if (why) throw new MemberError(member, why, s.claims.notes);
      }
    }
    return this;
  }
};
function statementsOf(body) {
  if (!isObject(body)) return [];
  const lists = [body.weeks, body.rows, body.results].filter(Array.isArray).flat();
  if (isObject(body._verifiability)) {
    const records = body.record === void 0 ? lists : [...lists, body.record];
    return [{ claims: body._verifiability, records }];
  }
  return Array.isArray(body.results) ? body.results.flatMap(statementsOf) : [];
}
function doubt({ claims, records }, member) {
  const names = (named) => named === member || named.startsWith(`${member}.`) || member.startsWith(`${named}.`);
  if (member === "current") return claims.current === true ? void 0 : "not true";
  if (claims.not_reported.some(names)) return "not reported";
  if (claims.inferred.some(names)) return "inferred";
  return records.every((r) => has(r, member)) ? void 0 : "unknown";
}
function has(record, member) {
  let value = record;
  for (const name of member.split(".")) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return false;
    value = value[name];
  }
  return true;
}
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// src/transport.ts
var maxBody = 128 << 20;
async function exchange(s, request) {
  const deadline = Date.now() + s.timeout;
  for (let attempt = 1; ; attempt++) {
    const { response, body } = await send(s, request.clone(), deadline);
    if (response.status === 200 || response.status === 201) return new Response(body, { status: response.status, headers: response.headers });
    const failure = failureOf(s, response, body);
    const wait = failure instanceof ApiError && isRepeatable(request, failure) ? waitFor(failure) : void 0;
    if (wait === void 0 || attempt >= s.attempts || Date.now() + wait >= deadline) throw failure;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}
function isRepeatable(request, failure) {
  return request.method !== "POST" || request.headers.has("Idempotency-Key") || failure.status === 429;
}
async function send(s, request, deadline) {
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
async function bytesOf(s, response) {
  const chunks = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBody) throw new ForeignError(s.base, response.status);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
function waitFor(failure) {
  const busy = failure.status === 429 || failure.status === 503;
  if (!busy || failure.retryAfter === null || failure.code === "CAPTCHA_SOLVER_NOT_CONFIGURED") return void 0;
  return failure.retryAfter * 1e3;
}
function failureOf(s, response, body) {
  const raw = body.toString();
  const parsed = objectOf(raw);
  const detail = parsed.detail;
  const requestId = printable(response.headers.get("X-Request-ID") ?? "");
  const retryAfter = retryAfterOf(response.headers);
  if (Array.isArray(detail) && detail.length > 0 && detail.every(isViolation)) {
    const text = detail.map((v) => `${v.loc.join(" ")}: ${v.msg}`).join("; ");
    return new ApiError("INVALID_REQUEST", printable(text), advice.INVALID_REQUEST ?? "", requestId, response.status, retryAfter, detail, "", null, raw);
  }
  const isOtherPath = response.status === 404 && !response.headers.has("Assay-Environment");
  if (!isObject(detail) || !isText(detail.error) || !isText(detail.message) || isOtherPath) return new ForeignError(s.base, response.status);
  const todo = advice[Object.hasOwn(advice, detail.error) ? detail.error : codeOf(response.status)] ?? "";
  const reason = detail.error === "NOT_FOUND" && typeof detail.reason === "string" ? detail.reason : "";
  const proof = reason && isObject(parsed._verifiability) ? parsed._verifiability : null;
  const what = (Object.hasOwn(reasons, reason) ? reasons[reason] : void 0) ?? todo;
  const cursor = detail.error === "GONE" && isText(parsed.cursor) ? parsed.cursor : "";
  return new ApiError(printable(detail.error), printable(detail.message), what, requestId, response.status, retryAfter, [], reason, proof, raw, cursor);
}
function codeOf(status) {
  if (status === 404) return "NOT_FOUND";
  if (status === 429) return "RATE_LIMITED";
  if (status === 503) return "SOURCE_UNAVAILABLE";
  return status >= 500 ? "INTERNAL" : "INVALID_REQUEST";
}
function isText(value) {
  return typeof value === "string" && value !== "";
}
function retryAfterOf(headers) {
  const value = headers.get("Retry-After") ?? "";
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const at = httpDate(value);
  if (Number.isNaN(at)) return null;
  const now = httpDate(headers.get("Date") ?? "");
  return Math.max(0, Math.ceil((at - (Number.isNaN(now) ? Date.now() : now)) / 1e3));
}
function httpDate(value) {
  if (!/^[A-Z][a-z]{2,8},? .*:/.test(value)) return NaN;
  return Date.parse(value.endsWith(" GMT") ? value : `${value} GMT`);
}
function objectOf(text) {
  try {
    const parsed = JSON.parse(text);
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}
function isViolation(v) {
  return isObject(v) && Array.isArray(v.loc) && typeof v.msg === "string";
}
function printable(text) {
  return text.replace(/[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu, "?");
}

// src/index.ts
var Client = class {
  #sending;
  #confidence;
  #api;
  constructor(options = {}) {
    knowAll(options, { key: 1, url: 1, requireConfidence: 1, timeout: 1, attempts: 1 });
    this.#sending = {
      base: baseOf(options.url),
      key: keyOf(options.key),
      timeout: options.timeout ?? 12e4,
      attempts: options.attempts ?? 3
    };
    this.#confidence = options.requireConfidence ?? 0;
    this.#api = createClient({ baseUrl: this.#sending.base, fetch: (request) => exchange(this.#sending, request) });
  }
  /** The carriers and how each is read. */
  carriers() {
    return this.#ask(this.#api.GET("/v1/ltl/carriers", { parseAs: "text" }));
  }
  /** Weeks of one carrier. */
  fuelSurcharge(carrier, weeks = {}) {
    return this.#surcharges([carrier], weeks);
  }
  /** Weeks of several carriers, or of all ten when none is named. The body's errors name those that could not be read. */
  async fuelSurcharges(carriers = [], weeks = {}) {
    const { body, raw, requestId, environment, headers } = await this.#surcharges(carriers, weeks);
    const several = "results" in body ? body : { results: [body], errors: [] };
    return new Answer(several, raw, requestId, environment, headers);
  }
  async #surcharges(carriers, w) {
    knowAll(w, { last: 1, asOf: 1, from: 1, to: 1, knownAt: 1, announced: 1 });
    const query = {
      carriers: carriers.length > 0 ? carriers : void 0,
      weeks: w.last,
      as_of: w.asOf,
      from: w.from,
      to: w.to,
      known_at: w.knownAt,
      announced: w.announced
    };
    return this.#askData(this.#api.GET("/v1/ltl/fuel-surcharge", { params: { query }, parseAs: "text" }));
  }
  /** The bracket table of a carrier that applied on a day, by default today. */
  fuelTable(carrier, asOf) {
    return this.#askData(this.#api.GET("/v1/ltl/fuel-tables", { params: { query: { carrier, as_of: asOf } }, parseAs: "text" }));
  }
  /** The national diesel prices of the Mondays from one day to another. */
  diesel(from, to) {
    return this.#askData(this.#api.GET("/v1/ltl/diesel", { params: { query: { from, to } }, parseAs: "text" }));
  }
  /** What changed since a cursor. Without one there are no changes, and the body's cursor is where to begin. */
  async changes(since, options = {}) {
    knowAll(options, { product: 1, source: 1, type: 1, portfolio: 1, limit: 1, wait: 1 });
    return this.#ask(this.#api.GET("/v1/changes", { params: { query: { since, ...options } }, parseAs: "text" }));
  }
  /** Holds invoice lines against what carriers published for their ship dates. The results are in the lines' order. */
  async audit(lines, options = {}) {
    const answer = await this.#audit(lines, options, false);
    if (answer.body.results?.length !== lines.length) throw new ForeignError(this.#sending.base, 200);
    return answer;
  }
  /** Tells what the audit would cost. It is free. */
  quoteAudit(lines, options = {}) {
    return this.#audit(lines, options, true);
  }
  async #audit(lines, o, dry) {
    knowAll(o, { tolerancePoints: 1, toleranceAmount: 1, idempotencyKey: 1, contract: 1, keep: 1 });
    const text = JSON.stringify(lines);
    return this.#ask(
      this.#api.POST("/v1/ltl/audit", {
        params: {
          // Decimal texts are numbers in the document; as texts they keep their decimals.
          query: { tolerance_points: o.tolerancePoints, tolerance_amount: o.toleranceAmount, dry_run: dry || void 0, contract: o.contract, keep: o.keep || void 0 },
          header: { "Idempotency-Key": o.idempotencyKey ?? sha256(text) }
        },
        body: lines,
        bodySerializer: () => text,
        parseAs: "text"
      })
    );
  }
  /** The audits that you keep, the newest first. */
  audits() {
    return this.#ask(this.#api.GET("/v1/ltl/audits", { parseAs: "text" }));
  }
  /** The audit with an id, as it was answered. It is free. */
  keptAudit(id) {
    return this.#ask(this.#api.GET("/v1/ltl/audits/{id}", { params: { path: { id } }, parseAs: "text" }));
  }
  /** Deletes an audit. */
  async deleteAudit(id) {
    await this.#ask(this.#api.DELETE("/v1/ltl/audits/{id}", { params: { path: { id } }, parseAs: "text" }));
  }
  /**
   * A ZIP for a carrier, of a kept audit: the letter, the lines that may be contested, and the documents. It is free.
   */
  async packet(id, carrier, sender) {
    const init = { params: { path: { id } }, body: { carrier, sender }, parseAs: "arrayBuffer" };
    const { data } = await this.#api.POST("/v1/ltl/audits/{id}/packet", init);
    return new Uint8Array(data);
  }
  /**
   * The licenses of customers, in their order. MATCHED has the license; REVIEW has candidates, between which a person decides. The same
   * customers are charged once within 24 hours.
   */
  async match(customers) {
    const text = JSON.stringify(customers);
    const answer = await this.#ask(
      this.#api.POST("/v1/abc/match", {
        params: { header: { "Idempotency-Key": sha256(text) } },
        body: customers,
        bodySerializer: () => text,
        parseAs: "text"
      })
    );
    if (answer.body.results?.length !== customers.length) throw new ForeignError(this.#sending.base, 200);
    return answer;
  }
  /** Whether to deliver to the holder of a license, by a lookup and the delinquent lists. It fails as a lookup does. */
  delivery(query) {
    return this.#ask(this.#api.GET("/v1/abc/delivery", { params: { query }, parseAs: "text" }));
  }
  /** Whether to deliver, line by line in their order, by our copies of the registers. The same list is charged once within 24 hours. */
  async deliveries(lines) {
    const text = JSON.stringify(lines);
    const answer = await this.#ask(
      this.#api.POST("/v1/abc/delivery", {
        params: { header: { "Idempotency-Key": sha256(text) } },
        body: lines,
        bodySerializer: () => text,
        parseAs: "text"
      })
    );
    if (answer.body.results?.length !== lines.length) throw new ForeignError(this.#sending.base, 200);
    return answer;
  }
  /**
   * Gives a proof an address that anybody opens, without a key: of an answer, of a line of a kept audit, or of a lookup that found no such
   * license. What the documents do not say is refused. It is free.
   */
  share(what) {
    return this.#ask(this.#api.POST("/v1/shares", { body: what, parseAs: "text" }));
  }
  /** The proofs that you share, the newest first. */
  shares() {
    return this.#ask(this.#api.GET("/v1/shares", { parseAs: "text" }));
  }
  /** Ends a proof, by its token or id. */
  async revokeShare(tokenOrId) {
    await this.#ask(this.#api.DELETE("/v1/shares/{share}", { params: { path: { share: tokenOrId } }, parseAs: "text" }));
  }
  /** Your webhooks, the oldest first. */
  webhooks() {
    return this.#ask(this.#api.GET("/v1/webhooks", { parseAs: "text" }));
  }
  /** The webhook of an id. */
  webhook(id) {
    return this.#ask(this.#api.GET("/v1/webhooks/{id}", { params: { path: { id } }, parseAs: "text" }));
  }
  /** Has each change sent to a URL from now on: of some types or all, of a portfolio's licenses or all. The body has the secret, once. */
  createWebhook(target) {
    return this.#ask(this.#api.POST("/v1/webhooks", { body: target, parseAs: "text" }));
  }
  /** Tests a webhook, pauses or resumes it, rotates its secret, or sends the event of an id again (replay). */
  actOnWebhook(id, order) {
    return this.#ask(this.#api.POST("/v1/webhooks/{id}", { params: { path: { id } }, body: order, parseAs: "text" }));
  }
  /** Deletes a webhook. */
  async deleteWebhook(id) {
    await this.#ask(this.#api.DELETE("/v1/webhooks/{id}", { params: { path: { id } }, parseAs: "text" }));
  }
  /** What became of the deliveries of the last 7 days, the newest first. */
  webhookDeliveries(id, limit) {
    return this.#ask(this.#api.GET("/v1/webhooks/{id}/deliveries", { params: { path: { id }, query: { limit } }, parseAs: "text" }));
  }
  /** The portfolios that you keep, by their names. */
  portfolios() {
    return this.#ask(this.#api.GET("/v1/abc/portfolios", { parseAs: "text" }));
  }
  /** The licenses of a portfolio with today's verdicts. */
  portfolio(name) {
    return this.#ask(this.#api.GET("/v1/abc/portfolios/{name}", { params: { path: { name } }, parseAs: "text" }));
  }
  /** Whom of a portfolio not to deliver to today or on another day, with the reasons. No source is read, and it is free. */
  stops(name, query = {}) {
    return this.#ask(this.#api.GET("/v1/abc/portfolios/{name}/stops", { params: { path: { name }, query }, parseAs: "text" }));
  }
  /** Keeps licenses under a name, in place of those that were there. What cannot be read is told in errors. */
  putPortfolio(name, licenses) {
    return this.#ask(this.#api.PUT("/v1/abc/portfolios/{name}", { params: { path: { name } }, body: { licenses }, parseAs: "text" }));
  }
  /**
   * Adds licenses to a portfolio and removes others: all of it or nothing. What is removed with a label goes with that label alone.
   * A license that is added with another label keeps both.
   */
  changePortfolio(name, change) {
    return this.#ask(this.#api.PATCH("/v1/abc/portfolios/{name}", { params: { path: { name } }, body: change, parseAs: "text" }));
  }
  /** Says how often licenses are looked up whose status no copy prints. With dryRun nothing is changed, and the answer tells what it would cost. */
  confirmPortfolio(name, every, dryRun = false) {
    const query = { confirm: every, ...dryRun ? { dry_run: true } : {} };
    return this.#ask(this.#api.PATCH("/v1/abc/portfolios/{name}", { params: { path: { name }, query }, body: {}, parseAs: "text" }));
  }
  /** Deletes a portfolio. */
  async deletePortfolio(name) {
    await this.#ask(this.#api.DELETE("/v1/abc/portfolios/{name}", { params: { path: { name } }, parseAs: "text" }));
  }
  /** The contracts that you keep, by their names. */
  contracts() {
    return this.#ask(this.#api.GET("/v1/ltl/contracts", { parseAs: "text" }));
  }
  /** The contract of a name. */
  contract(name) {
    return this.#ask(this.#api.GET("/v1/ltl/contracts/{name}", { params: { path: { name } }, parseAs: "text" }));
  }
  /** Keeps terms under a name, in place of those that were there. */
  putContract(name, terms) {
    return this.#ask(this.#api.PUT("/v1/ltl/contracts/{name}", { params: { path: { name } }, body: { terms }, parseAs: "text" }));
  }
  /** Deletes a contract. */
  async deleteContract(name) {
    await this.#ask(this.#api.DELETE("/v1/ltl/contracts/{name}", { params: { path: { name } }, parseAs: "text" }));
  }
  /** The states and what each register can prove. */
  states() {
    return this.#ask(this.#api.GET("/v1/abc/states", { parseAs: "text" }));
  }
  /** One license. An ApiError that isProofOfAbsence means that it is proven not to exist. */
  license(state, licenseNumber) {
    const params = { path: { license_number: licenseNumber }, query: { state } };
    return this.#askData(this.#api.GET("/v1/abc/license/{license_number}", { params, parseAs: "text" }));
  }
  /** One page of a search. */
  async search(state, q) {
    knowAll(q, { dbaName: 1, ownerName: 1, address: 1, limit: 1, cursor: 1 });
    const query = { state, dba_name: q.dbaName, owner_name: q.ownerName, address: q.address, limit: q.limit, cursor: q.cursor };
    return this.#askData(this.#api.GET("/v1/abc/search", { params: { query }, parseAs: "text" }));
  }
  /** The pages of a search, from the query's cursor on. Each is an answer of its own, and a charge. */
  async *searchPages(state, query) {
    for (let cursor = query.cursor; ; ) {
      const page = await this.search(state, { ...query, cursor });
      yield page;
      const next = page.body.next_cursor ?? void 0;
      if (next === void 0) return;
      if (next === cursor) throw new AssayError("the page after this cursor is that page itself");
      cursor = next;
    }
  }
  /** Downloads a document that an answer names. Bytes that do not have the SHA-256 of the answer are an error. */
  async evidence(entry) {
    const params = { path: { sha256: entry.sha256 }, query: { at: entry.at } };
    const { data, response } = await this.#api.GET("/v1/evidence/{sha256}", { params, parseAs: "arrayBuffer" });
    const bytes = new Uint8Array(data ?? new ArrayBuffer(0));
    if (sha256(bytes) !== entry.sha256) throw new AssayError(`the document that came is not the one with the SHA-256 ${entry.sha256}`);
    return { ...entry, bytes, name: fileName(response.headers.get("Content-Disposition"), entry.sha256) };
  }
  /** Makes a call whose answer has _verifiability blocks. An answer without its proof is none. */
  async #askData(call) {
    const answer = await this.#ask(call);
    if (answer.blocks.length === 0) throw new ForeignError(this.#sending.base, 200);
    return answer.requireConfidence(this.#confidence);
  }
  async #ask(call) {
    const { data, response } = await call;
    const header = (name) => response.headers.get(name) ?? "";
    try {
      const body = JSON.parse(String(data));
      return new Answer(body, String(data), header("X-Request-ID"), header("Assay-Environment"), response.headers);
    } catch {
      throw new ForeignError(this.#sending.base, response.status);
    }
  }
};
function knowAll(options, known) {
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(known, name)) throw new AssayError(`unknown option ${name}: there are ${Object.keys(known).join(", ")}`);
  }
}
function keyOf(given) {
  const file = process.env.ASSAY_API_KEY_FILE;
  const key = given || process.env.ASSAY_API_KEY || (file ? readFileSync(file, "utf8").trim() : "");
  if (!key) throw new AssayError("ASSAY_API_KEY is not set: `assay keys create` issues a key");
  if (!/^[!-~]+$/.test(key)) throw new AssayError("the API key has a blank or a character that no key has");
  return key;
}
function baseOf(given) {
  const address = given || process.env.ASSAY_API_URL || "http://127.0.0.1:8080";
  const url = URL.canParse?.(address) === false ? void 0 : new URL(address);
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw new AssayError("want an address of the API such as http://127.0.0.1:8080");
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}
function sha256(content) {
  return createHash("sha256").update(content).digest("hex");
}
function fileName(disposition, hash) {
  const name = basename(/filename="([^"\\]+)"/.exec(disposition ?? "")?.[1] ?? "");
  return name === "" || name === "." || name === ".." ? hash : name;
}
export {
  Answer,
  ApiError,
  AssayError,
  Client,
  ConfidenceError,
  ForeignError,
  MemberError,
  UnreachableError
};

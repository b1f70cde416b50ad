/** Describes errors of connections, TLS and undici as `AppError` with our texts, and reads the delay that a service requests. */
import { definedFields } from "../../../base/definedFields";
import { type AppError, AppFailure } from "../../../domain/errors/appError";
import { errors } from "./undici";
import { asNumber, asArray, asRecord, asText } from "../../../base/jsonValue";

const timeouts = new Set([
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
  "ETIMEDOUT",
  "ESOCKETTIMEDOUT",
]);

const texts: Readonly<Record<string, string>> = {
  ECONNREFUSED: "Nothing listens at this address (ECONNREFUSED).",
  ENOTFOUND: "The host name is not known (ENOTFOUND).",
  EAI_AGAIN: "The host name can't be looked up now (EAI_AGAIN).",
  ECONNRESET: "The connection was reset (ECONNRESET).",
  EPIPE: "The connection was closed (EPIPE).",
  UND_ERR_SOCKET: "The connection was closed before the answer was complete.",
  UND_ERR_CONNECT_TIMEOUT: "No connection was made in time.",
  UND_ERR_HEADERS_TIMEOUT: "No answer began in time.",
  UND_ERR_BODY_TIMEOUT: "The answer fell silent.",
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: "HTTP/1.1 is not spoken there (no application protocol in common).",
};

/** The code for a name that resolves to an address that is not public; nothing was sent. */
export const privateAddressCode = "SLUICE_PRIVATE_ADDRESS";

/** Codes of errors while decompressing. */
const compressionCodes = /^(Z_|ZSTD_|ERR_(_ERROR_FORMAT|BROTLI|ZSTD))/;

/** OpenSSL's codes for certificate errors, as Node reports them. */
const certificateCodes =
  /^(CERT_|CRL_|UNABLE_TO_|ERROR_IN_C|DEPTH_ZERO_|SELF_SIGNED_|INVALID_(CA|PURPOSE)|PATH_LENGTH_|HOSTNAME_MISMATCH|ERR_TLS_CERT_)/;

export function readTransportError(error: unknown): AppError {
  if (error instanceof AppFailure) return error.error;
  const code = findCode(error);
  const text = error instanceof Error ? error.message : String(error);
  const broken = describeBroken(error, code);
  if (broken !== undefined) return { kind: "malformed", message: broken, ...definedFields({ code }) };
  const isTimeout =
    (code !== undefined && timeouts.has(code)) || (error instanceof Error && error.name === "TimeoutError");
  const message = (code !== undefined && (texts[code] ?? describeTls(code))) || text || "The connection failed.";
  return { kind: isTimeout ? "timed-out" : "unreachable", message, ...definedFields({ code }) };
}

/** Describes a response that can't be read, such as invalid HTTP, or a refused private address; `undefined` for other errors. */
function describeBroken(error: unknown, code: string | undefined): string | undefined {
  if (error instanceof errors.HTTPParserError) return `The answer breaks the rules of HTTP: ${error.message}.`;
  if (code === privateAddressCode) {
    return "The result's address leads into this machine or its network, where the gateway is not.";
  }
  if (code === "UND_ERR_HEADERS_OVERFLOW") return `The answer's headers are too long (${code}).`;
  return code !== undefined && compressionCodes.test(code)
    ? `The answer's compression is broken (${code}).`
    : undefined;
}

/** Whether the code means that the server was reached but its certificate is not trusted. */
export function isCertificateCode(code: string | undefined): boolean {
  return code !== undefined && certificateCodes.test(code);
}

function describeTls(code: string): string | undefined {
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return `The certificate belongs to another host (${code}).`;
  return isCertificateCode(code) ? `The certificate is not trusted (${code}).` : undefined;
}

/** Node and undici wrap the error that matters; several addresses of one host make an AggregateError. */
function findCode(error: unknown, depth = 0): string | undefined {
  if (!(error instanceof Error) || depth > 4) return undefined;
  if ("code" in error && typeof error.code === "string" && error.code !== "") return error.code;
  const inner = error instanceof AggregateError ? (error.errors as unknown[])[0] : error.cause;
  return findCode(inner, depth + 1);
}

// Reads the delay that a service requests before the next attempt, from the header or the details of the error.

export interface ResponseHeaders {
  /** The value of a header by its lower-case name. */
  get(name: string): string | undefined;
}

/** Milliseconds. Longer delays are cut, because an error with `Infinity`, for which JSON has no number, could not be stored. */
const maxDelay = 366 * 24 * 60 * 60 * 1000;

/**
 * Milliseconds. A date is measured against the response's own `Date`: this machine's clock may be wrong.
 * `retry-after-ms: 0` is ignored: some servers send it together with a real `retry-after`.
 */
export function readRetryAfter(headers: ResponseHeaders, body: unknown, now: number): number | undefined {
  const requested = readRequested(headers, body, now);
  return requested === undefined ? undefined : Math.min(requested, maxDelay);
}

function readRequested(headers: ResponseHeaders, body: unknown, now: number): number | undefined {
  const exact = asNumber(headers.get("retry-after-ms"));
  if (exact !== undefined && exact > 0) return Math.ceil(exact);
  const header = headers.get("retry-after");
  const seconds = asNumber(header);
  if (seconds !== undefined) return Math.max(0, Math.ceil(seconds * 1000));
  const date = header === undefined ? Number.NaN : Date.parse(header);
  if (!Number.isNaN(date)) {
    const sent = Date.parse(headers.get("date") ?? "");
    return Math.max(0, date - (Number.isNaN(sent) ? now : sent));
  }
  return readRetryInfo(body);
}

/** google.rpc.RetryInfo: `"retryDelay": "48s"` in the error's details. */
function readRetryInfo(body: unknown): number | undefined {
  const error = asRecord(asRecord(Array.isArray(body) ? body[0] : body)?.["error"]);
  for (const detail of asArray(error?.["details"])) {
    const delay = /^(\d+(?:\.\d+)?)s$/.exec(asText(asRecord(detail)?.["retryDelay"]) ?? "");
    if (delay) return Math.ceil(Number(delay[1]) * 1000);
  }
  return undefined;
}

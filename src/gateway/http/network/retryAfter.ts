/** The delay that a service requests before the next attempt: header or error details. */
import { asNumber, asArray, asRecord, asText } from "../../../base/jsonValue";

export interface ResponseHeaders {
  /** The value of a header by its lower-case name. */
  get(name: string): string | undefined;
}

/** Milliseconds; more is the same. Without a bound an error could hold `Infinity`, which JSON has no number for, and could not be stored. */
const maxDelay = 366 * 24 * 60 * 60 * 1000;

/**
 * Milliseconds. A date is measured against the response's own `Date`: this machine's clock may be wrong.
 * `retry-after-ms: 0` is ignored: some servers send it beside a real `retry-after`.
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

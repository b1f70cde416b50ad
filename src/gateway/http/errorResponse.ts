/** An HTTP error response with any body to an `AppError`. Its texts are shortened by the caller, after the key was removed from them. */
import { definedFields } from "../../base/definedFields";
import type { AppError } from "../../domain/errors/appError";
import { describePage, readErrorCodes, readErrorField, readErrorMessage } from "./errorFields";
import { classifyError } from "./errorKind";
import { readSizes } from "./overflow";
import { asRecord, asText, parseJson } from "../../base/jsonValue";
import { type ResponseHeaders, readRetryAfter } from "./network/retryAfter";

const requestIdHeaders = ["x-request-id", "request-id", "x-goog-request-id", "cf-ray"];

export interface ErrorResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly text: string;
  /** Milliseconds since 1970, for a `Retry-After` date without a `Date` beside it. */
  readonly now: number;
}

export function readErrorResponse({ status, headers, text, now }: ErrorResponse): AppError {
  const body = parseJson(text);
  const record = asRecord(Array.isArray(body) ? body[0] : body);
  const ownMessage = record === undefined ? undefined : readErrorMessage(record);
  const codes = record === undefined ? [] : readErrorCodes(record);
  const field = record === undefined ? undefined : readErrorField(record);
  const isNamed = field === undefined || ownMessage?.includes(field.split(".").at(-1) ?? "");
  const message =
    ownMessage === undefined ? describeUnreadable(status, text) : isNamed ? ownMessage : `${ownMessage} (${field})`;
  const requestId = readRequestId(headers) ?? asText(record?.["request_id"]);
  const contentType = headers.get("content-type");
  const retryAfterMs = readRetryAfter(headers, body, now);
  const code = codes[0];
  const kind = classifyError({ status, codes, message });
  return {
    kind,
    message,
    ...(kind === "too-large" ? readSizes(message, record) : {}),
    status,
    ...definedFields({ code, requestId, retryAfterMs, contentType }),
    ...(ownMessage === undefined && text !== "" ? { firstBytes: text } : {}),
  };
}

export function readRequestId(headers: ResponseHeaders): string | undefined {
  return requestIdHeaders.map((name) => headers.get(name)).find((id) => id !== undefined && id !== "");
}

function describeUnreadable(status: number, text: string): string {
  const trimmed = text.trim();
  if (trimmed === "") return `The gateway answered with status ${status} and nothing else.`;
  const page = describePage(trimmed, ` (status ${status})`);
  if (page !== undefined) return page;
  if (parseJson(trimmed) !== undefined) return `The gateway answered with status ${status}.`;
  const plain = trimmed
    .slice(0, 4000)
    .replace(/<[^<>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return plain === "" ? `The gateway answered with status ${status}.` : plain.slice(0, 300);
}

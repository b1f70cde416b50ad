/**
 * Reads an HTTP error response with any body into an `AppError`: its texts, its kind, and by how much a prompt is too long. The caller removes the
 * key from the texts and then shortens them.
 */
import { definedFields } from "../../base/definedFields";
import type { AppError } from "../../domain/errors/appError";
import { asRecord, asText, parseJson, asArray, type JsonRecord, asNumber, isRecord } from "../../base/jsonValue";
import { type ResponseHeaders, readRetryAfter } from "./network/transportError";
import type { AppErrorKind } from "../../domain/errors/errorKinds";

const requestIdHeaders = ["x-request-id", "request-id", "x-goog-request-id", "cf-ray"];

interface ErrorResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly text: string;
  /** Milliseconds since 1970, for a `Retry-After` date in a response without a `Date`. */
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

/**
 * The message of an error object, under the names that services and gateways give it; `undefined` for a record that is no error. Below are
 * the readers of its codes and of the request field at fault.
 */
export function readErrorMessage(record: JsonRecord): string | undefined {
  const error = asRecord(record["error"]);
  const text = asText(record["error"]);
  const detail = record["detail"];
  const found = [
    asText(error?.["message"]),
    // In `{"error":"some_code","message":"the text"}` the value with white space is the text.
    text !== undefined && /\s/.test(text) ? text : undefined,
    asText(record["message"]),
    asText(asRecord(record["message"])?.["message"]),
    text,
    asText(record["msg"]),
    asText(detail),
    asText(asRecord(asArray(detail)[0])?.["msg"]),
    asText(asRecord(detail)?.["message"]),
    asText(record["error_msg"]),
    asText(record["err"]),
    asText(asRecord(asArray(record["errors"])[0])?.["message"]),
    asText(asRecord(asRecord(record["response"])?.["error"])?.["message"]),
    asText(asRecord(record["header"])?.["message"]),
    asText(asRecord(record["base_resp"])?.["status_msg"]),
    asText(record["description"]),
    asText(error?.["detail"]),
    asText(error?.["msg"]),
    asText(record["title"]),
  ].find((candidate) => candidate !== undefined);
  const raw = asText(asRecord(error?.["metadata"])?.["raw"]);
  return found !== undefined && raw !== undefined ? `${found} (${raw})` : found;
}

/** The field of the request that is at fault. */
function readErrorField(record: JsonRecord): string | undefined {
  const place = asArray(asRecord(asArray(record["detail"])[0])?.["loc"]);
  const path = place.filter((step) => typeof step === "string" || typeof step === "number").join(".");
  return asText(asRecord(record["error"])?.["param"]) ?? asText(path);
}

/** All values that may be a code, with the most specific first. */
function readErrorCodes(record: JsonRecord): readonly string[] {
  const error = asRecord(record["error"]);
  const text = asText(record["error"]);
  const reasons = asArray(error?.["details"]).map((detail) => asRecord(detail)?.["reason"]);
  const found = [
    ...(error === undefined ? [] : [error["code"], error["status"], error["type"], error["status_code"]]),
    ...reasons,
    asRecord(error?.["details"])?.["error_code"],
    text !== undefined && !/\s/.test(text) ? text : undefined,
    record["code"],
    record["error_code"],
    record["type"] === "error" ? asRecord(record["message"])?.["type"] : record["type"],
    record["status_code"],
    record["status"],
    asRecord(record["base_resp"])?.["status_code"],
  ];
  return found.flatMap((value) => {
    if (typeof value === "number") return [String(value)];
    const code = asText(value);
    return code === undefined ? [] : [code];
  });
}

/** Describes a web page in place of an error by its title; `undefined` for other text. */
function describePage(text: string, status = ""): string | undefined {
  if (!/^<(?:!doctype|html|head|body|\?xml)/i.test(text)) return undefined;
  const title = /<title[^<>]*>([^<]*)/i.exec(text)?.[1]?.trim();
  return `The gateway answered with a web page${status}${title ? `: ${title.slice(0, 200)}` : "."}`;
}

// Classifies an error by its status, its codes and, as a last resort, its message.

interface ErrorFacts {
  /** The HTTP status, or the number in an error inside a stream. */
  readonly status: number | undefined;
  readonly codes: readonly string[];
  readonly message: string;
}

const byCode: readonly (readonly [RegExp, AppErrorKind])[] = [
  [/not_enabled|(?:capability|feature|task_type)_disabled|capability_not/, "not-enabled"],
  [
    /insufficient_(?:\w{1,40}_)?(?:quota|balance|funds?|credits?)|billing|quota_exceeded|payment_required|out_of_credits|arrear|pre_consume/,
    "insufficient-balance",
  ],
  [/api_key_invalid|(?:invalid|incorrect)_api_key|unauthenticated|authentication|^unauthorized$/, "unauthorized"],
  [
    /context_length|context_window|context_size|max_prompt_tokens|too_many_prompt_tokens|request_too_large|payload_too_large/,
    "too-large",
  ],
  [/already_(?:terminal|exists|finished)|conflict|^aborted$/, "conflict"],
  [/rate_limit|too_many_requests|resource_exhausted|throttl/, "rate-limited"],
  [/not_found|not_exist|unknown_model/, "not-found"],
  [/permission|forbidden|access_denied/, "forbidden"],
  [/overloaded|unavailable|server_error|internal|api_error|deadline|timeout|upstream/, "unavailable"],
  [/invalid|bad_request|failed_precondition|out_of_range|unsupported|tool_use_failed/, "rejected"],
];

const balanceText =
  /\b(?:insufficient|not enough|exceeded your)\b.{0,40}\b(?:balance|quota|credits?|funds?)\b|余额不足|额度不足/i;
const notEnabledText =
  /\b(?:task[ _]?type|capability|feature)\b.{0,60}\b(?:not (?:been )?enabled|disabled|not available)\b/i;

/** llama.cpp refuses the form of a chat request with a status of 500, and would again. No refusal of a task has these words. */
const refusedForm =
  /\btools? param requires\b|\bunsupported param: tools?\b|\bcannot use tools?\b|\bsystem role not supported\b|\bconversation roles must alternate\b/i;

function classifyError({ status, codes, message }: ErrorFacts): AppErrorKind {
  const names = codes.map((code) => code.toLowerCase().replaceAll(/[\s-]/g, "_"));
  const named = byCode.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1];
  if (status === undefined) return named ?? classifyText(message) ?? "unavailable";
  // A server that failed may have processed the request, unless it refused the form or a task type that is not enabled.
  if (status >= 500 && refusedForm.test(message)) return "rejected";
  if (status >= 500)
    return named === "not-enabled" || (status === 501 && notEnabledText.test(message)) ? "not-enabled" : "unavailable";
  if (status < 400) return "malformed";
  switch (status) {
    case 401:
      return "unauthorized";
    case 402:
      return "insufficient-balance";
    case 408:
      return "timed-out";
    case 409:
      return "conflict";
    case 413:
      return "too-large";
    case 429:
      return named === "insufficient-balance" || named === "not-enabled" ? named : "rate-limited";
    case 425:
      return "unavailable";
    case 403:
      return named === "insufficient-balance" || named === "not-enabled" || named === "rate-limited"
        ? named
        : (classifyText(message) ?? "forbidden");
    case 404:
      return named === "not-enabled" ? named : notEnabledText.test(message) ? "not-enabled" : "not-found";
    case 400:
    case 422:
      // Services refuse a long prompt with the code of any invalid request; only the message names the length.
      if (named === "rejected" && saysTooLong(message)) return "too-large";
      return named !== undefined && named !== "unavailable" ? named : (classifyText(message) ?? "rejected");
    default:
      return named !== undefined && named !== "unavailable" ? named : (classifyText(message) ?? "rejected");
  }
}

function classifyText(message: string): AppErrorKind | undefined {
  if (notEnabledText.test(message)) return "not-enabled";
  if (balanceText.test(message)) return "insufficient-balance";
  if (saysTooLong(message)) return "too-large";
  return undefined;
}

// Recognises by the message of an error that the prompt is longer than the model's context, and by how much, because services share no
// error code for it.

const size =
  /\b(?:context (?:length|window|size|limit)|prompt|inputs?|input length|model (?:token limit|length)|number of tokens|tokens? (?:count|limit)|too many tokens|length of (?:the |your )?messages)\b/i;
const excess =
  /\b(?:exceed(?:s|ed|ing)?|too (?:long|large|many)|(?:longer|greater|larger|more) than|overflows?|must (?:be <=|have less than)|length should be|reduce the length|maximum (?:context|prompt|model) length|maximum allowed)\b/i;
/** Limits of the answer or of another part of the request, which a shorter chat does not help. */
const otherLimit =
  /\bmax_(?:completion_|output_|new_)?tokens\b|\b(?:output|completion) tokens\b|\bimages?\b|\bcharacters\b|\btool/i;
const context = /\b(?:context (?:length|window|size|limit)|maximum (?:context|prompt|model) length)\b/i;
const chinese = /(?:输入|上下文|提示词?|prompt|请求长度)[^。]{0,20}(?:超长|超过|超出|过长)/i;

/** Characters of a message that are read. After them a message quotes the request. */
const maxRead = 1000;

/** The number after or before the words for a limit. `exceeded by` is excluded, because it names a difference. */
const limits = [
  />\s*(\d{3,9})/,
  /\[\d+, ?(\d{3,9})\]/,
  /\b(\d{3,9}) maximum\b/,
  /(?:\b(?:limit|maximum|allowed|exceed(?:s|ed)?|less than|context (?:length|window|size))\b(?!(?: exceeded)? by\b)|<=)[^\d]{0,40}?(\d{3,9})/i,
] as const;
/** A number that exceeds the limit by this factor is no count of tokens, but an id or a time. */
const maxRatio = 100;

/** The sizes that a refusal for length names, in tokens. `record`: its body, in which llama.cpp has them as fields. */
function readSizes(
  message: string,
  record: JsonRecord | undefined,
): { readonly contextSize?: number; readonly promptSize?: number } {
  const fields = asRecord(record?.["error"]);
  const named = asNumber(fields?.["n_ctx"]);
  // MiniMax ends its messages with its own code: `(2013)`.
  const own = message.slice(0, maxRead).replace(/ \(\d{4}\)$/, "");
  const text = own.replaceAll(/(?<=\d),(?=\d{3}\b)/g, "");
  const read = limits.map((pattern) => pattern.exec(text)?.[1]).find((digits) => digits !== undefined);
  const contextSize = named ?? (read === undefined ? undefined : Number(read));
  if (contextSize === undefined) return {};
  const counts = [...text.matchAll(/\d{3,9}/g)].map(([digits]) => Number(digits));
  const larger = counts.filter((count) => count > contextSize && count < contextSize * maxRatio);
  const promptSize = asNumber(fields?.["n_prompt_tokens"]) ?? (larger.length === 0 ? undefined : Math.max(...larger));
  return { contextSize, ...definedFields({ promptSize }) };
}

function saysTooLong(message: string): boolean {
  const text = message.slice(0, maxRead);
  if (chinese.test(text)) return true;
  if (!excess.test(text)) return false;
  return context.test(text) || (size.test(text) && !otherLimit.test(text));
}

/**
 * Reads an error inside a stream, for the decoders. Gateways pass on errors of any vendor in any family. `value`: JSON, or bare text. A
 * number from 400 to 599 in it is read as the status.
 */
export function readErrorChunk(value: unknown): AppError {
  const record = asRecord(value);
  const text = asText(value);
  const plain = text === undefined ? undefined : (describePage(text) ?? text);
  const message = plain ?? (record && readErrorMessage(record)) ?? "The service reported an error without a text.";
  const codes = record === undefined ? [] : readErrorCodes(record);
  const status = codes.map(asNumber).find((number) => number !== undefined && number >= 400 && number < 600);
  const retryAfterMs = readRetryAfter({ get: () => undefined }, value, 0);
  const requestId = asText(record?.["request_id"]);
  const code = codes[0];
  const kind = classifyError({ status, codes, message });
  return {
    kind,
    message,
    ...(kind === "too-large" ? readSizes(message, record) : {}),
    ...definedFields({ code, requestId, retryAfterMs }),
  };
}

/** Whether a chunk is an error rather than a part of the answer. */
export function isErrorChunk(chunk: JsonRecord): boolean {
  const error = chunk["error"];
  if (asText(error) !== undefined) return true;
  if (isRecord(error) && Object.values(error).some((value) => value !== null && value !== "" && value !== 0))
    return true;
  if (chunk["type"] === "error" || chunk["object"] === "error") return true;
  if (isErrorStatus(asRecord(chunk["base_resp"])?.["status_code"] ?? 0)) return true;
  if ("choices" in chunk || asRecord(chunk["usage"]) !== undefined) return false;
  if (chunk["success"] === false || chunk["detail"] !== undefined || Array.isArray(chunk["errors"])) return true;
  const isCoded = ["code", "error_code"].some((name) => isErrorCode(chunk[name]));
  const isFailed = ["status", "status_code"].some((name) => isErrorStatus(chunk[name]));
  return readErrorMessage(chunk) !== undefined && (isCoded || isFailed || chunk["error_msg"] !== undefined);
}

function isErrorCode(value: unknown): boolean {
  if (typeof value === "number") return value !== 0 && value !== 200;
  return typeof value === "string" && !/^(?:|0|200|ok|success)$/i.test(value);
}

/** Whether a `status` field means an error; it may also report progress. */
function isErrorStatus(value: unknown): boolean {
  const number = asNumber(value);
  return number === undefined ? /error|fail/i.test(asText(value) ?? "") : number >= 400;
}

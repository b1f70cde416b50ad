/** The one reader of error answers: any body, status and headers to a `GatewayError`. Its texts are cut where the key is taken out of them. */
import { definedFields } from "../../base/definedFields";
import type { GatewayError } from "../../domain/errors";
import { classifyError } from "./errorKind";
import { asArray, asNumber, asRecord, asText, isRecord, type JsonRecord, parseJson } from "./jsonValue";
import { type AnswerHeaders, readRetryAfter } from "./retryAfter";

const requestIdHeaders = ["x-request-id", "request-id", "x-goog-request-id", "cf-ray"];

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly text: string;
  /** Milliseconds since 1970, for a `Retry-After` date without a `Date` beside it. */
  readonly now: number;
}

export function readErrorBody({ status, headers, text, now }: ErrorAnswer): GatewayError {
  const body = parseJson(text);
  const record = asRecord(Array.isArray(body) ? body[0] : body);
  const said = record === undefined ? undefined : readMessage(record);
  const codes = record === undefined ? [] : readCodes(record);
  const field = record === undefined ? undefined : readField(record);
  const isNamed = field === undefined || said?.includes(field.split(".").at(-1) ?? "");
  const message = said === undefined ? describeUnreadable(status, text) : isNamed ? said : `${said} (${field})`;
  const requestId = readRequestId(headers) ?? asText(record?.["request_id"]);
  const contentType = headers.get("content-type");
  const retryAfterMs = readRetryAfter(headers, body, now);
  const code = codes[0];
  return {
    kind: classifyError({ status, codes, message }),
    message,
    status,
    ...definedFields({ code, requestId, retryAfterMs, contentType }),
    ...(said === undefined && text !== "" ? { firstBytes: text } : {}),
  };
}

/** An error inside a stream: a JSON value, or bare text. Its own number takes the place of the status. */
export function readErrorValue(value: unknown): GatewayError {
  const record = asRecord(value);
  const words = asText(value);
  const said = words === undefined ? undefined : (describePage(words) ?? words);
  const message = said ?? (record && readMessage(record)) ?? "The service reported an error without a text.";
  const codes = record === undefined ? [] : readCodes(record);
  const status = codes.map(asNumber).find((number) => number !== undefined && number >= 400 && number < 600);
  const retryAfterMs = readRetryAfter({ get: () => undefined }, value, 0);
  const requestId = asText(record?.["request_id"]);
  const code = codes[0];
  return {
    kind: classifyError({ status, codes, message }),
    message,
    ...definedFields({ code, requestId, retryAfterMs }),
  };
}

/** Whether a chunk of a stream is an error rather than a part of an answer. */
export function looksLikeError(chunk: JsonRecord): boolean {
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
  return readMessage(chunk) !== undefined && (isCoded || isFailed || chunk["error_msg"] !== undefined);
}

function isErrorCode(value: unknown): boolean {
  if (typeof value === "number") return value !== 0 && value !== 200;
  return typeof value === "string" && !/^(?:|0|200|ok|success)$/i.test(value);
}

/** `status` may also say that work goes on. */
function isErrorStatus(value: unknown): boolean {
  const number = asNumber(value);
  return number === undefined ? /error|fail/i.test(asText(value) ?? "") : number >= 400;
}

export function readRequestId(headers: AnswerHeaders): string | undefined {
  return requestIdHeaders.map((name) => headers.get(name)).find((id) => id !== undefined && id !== "");
}

/** The words of an answer that is nothing else. */
export function readMessage(record: JsonRecord): string | undefined {
  const error = asRecord(record["error"]);
  const text = asText(record["error"]);
  const detail = record["detail"];
  const found = [
    asText(error?.["message"]),
    // `{"error":"some_code","message":"the text"}`: the one with words in it is the text.
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

/** What in the request is meant, where the text does not say it. */
function readField(record: JsonRecord): string | undefined {
  const place = asArray(asRecord(asArray(record["detail"])[0])?.["loc"]);
  const path = place.filter((step) => typeof step === "string" || typeof step === "number").join(".");
  return asText(asRecord(record["error"])?.["param"]) ?? asText(path);
}

/** All that may be a code, the most telling first. */
function readCodes(record: JsonRecord): readonly string[] {
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

function describeUnreadable(status: number, text: string): string {
  const trimmed = text.trim();
  if (trimmed === "") return `The gateway answered with status ${status} and nothing else.`;
  const page = describePage(trimmed, ` (status ${status})`);
  if (page !== undefined) return page;
  if (parseJson(trimmed) !== undefined) return `The gateway answered with status ${status}.`;
  const plain = trimmed
    .slice(0, 4000)
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return plain === "" ? `The gateway answered with status ${status}.` : plain.slice(0, 300);
}

/** Of a page only its title is worth reading. */
function describePage(text: string, status = ""): string | undefined {
  if (!/^<(?:!doctype|html|head|body|\?xml)/i.test(text)) return undefined;
  const title = /<title[^>]*>([^<]*)/i.exec(text)?.[1]?.trim();
  return `The gateway answered with a web page${status}${title ? `: ${title.slice(0, 200)}` : "."}`;
}

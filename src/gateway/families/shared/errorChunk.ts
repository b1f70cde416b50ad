/** Errors inside a stream, for the decoders: which chunk is one, and what it says. Gateways pass on errors of any vendor in any family. */
import { definedFields } from "../../../base/definedFields";
import type { AppError } from "../../../domain/errors/appError";
import { describePage, readErrorCodes, readErrorMessage } from "../../http/errorFields";
import { classifyError } from "../../http/errorKind";
import { readSizes } from "../../http/overflow";
import { asNumber, asRecord, asText, isRecord, type JsonRecord } from "../../../base/jsonValue";
import { readRetryAfter } from "../../http/network/retryAfter";

/** `value`: JSON, or bare text. A number from 400 to 599 in it is read as the status. */
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

/** `status` may also report progress. */
function isErrorStatus(value: unknown): boolean {
  const number = asNumber(value);
  return number === undefined ? /error|fail/i.test(asText(value) ?? "") : number >= 400;
}

/** The fields of an error object, as the many services and gateways name them: message, codes, the field of the request that is meant. */
import { asArray, asRecord, asText, type JsonRecord } from "../../base/jsonValue";

/** `undefined` for a record that is no error. */
export function readErrorMessage(record: JsonRecord): string | undefined {
  const error = asRecord(record["error"]);
  const text = asText(record["error"]);
  const detail = record["detail"];
  const found = [
    asText(error?.["message"]),
    // `{"error":"some_code","message":"the text"}`: the one with white space in it is the text.
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
export function readErrorField(record: JsonRecord): string | undefined {
  const place = asArray(asRecord(asArray(record["detail"])[0])?.["loc"]);
  const path = place.filter((step) => typeof step === "string" || typeof step === "number").join(".");
  return asText(asRecord(record["error"])?.["param"]) ?? asText(path);
}

/** All values that may be a code, the most specific first. */
export function readErrorCodes(record: JsonRecord): readonly string[] {
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

/** A web page in the place of an error, by its title; `undefined` for other text. */
export function describePage(text: string, status = ""): string | undefined {
  if (!/^<(?:!doctype|html|head|body|\?xml)/i.test(text)) return undefined;
  const title = /<title[^<>]*>([^<]*)/i.exec(text)?.[1]?.trim();
  return `The gateway answered with a web page${status}${title ? `: ${title.slice(0, 200)}` : "."}`;
}

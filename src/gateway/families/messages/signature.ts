/** The signature in the opaque data of the messages family: the service checks it when the block is sent back. */
import { asRecord, asText } from "../../../base/jsonValue";

/** Redacted thinking is its own signature. */
export function readSignature(data: unknown): string | undefined {
  const record = asRecord(data);
  if (record?.["type"] === "redacted_thinking") return asText(record["data"]);
  return record?.["type"] === "thinking" ? asText(record["signature"]) : undefined;
}

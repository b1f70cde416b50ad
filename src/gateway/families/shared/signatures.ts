/** What a service signed in an answer and checks when it comes back. */
import { asRecord, asText } from "../../http/jsonValue";

/** Of an opaque part of any family; thinking that is not shown is its own signature. */
export function readSignature(data: unknown): string | undefined {
  const record = asRecord(data);
  if (record?.["type"] === "redacted_thinking") return asText(record["data"]);
  if (record?.["type"] === "thinking") return asText(record["signature"]);
  return asText(record?.["thoughtSignature"]) ?? asText(asRecord(record?.["part"])?.["thoughtSignature"]);
}

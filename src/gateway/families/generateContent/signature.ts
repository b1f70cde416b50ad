/** Thought signatures in the opaque data of the generate-content family: the service checks them when a part is sent back. */
import { asRecord, asText } from "../../../base/jsonValue";

export function readThoughtSignature(data: unknown): string | undefined {
  const record = asRecord(data);
  return asText(record?.["thoughtSignature"]) ?? asText(asRecord(record?.["part"])?.["thoughtSignature"]);
}

/** A whole part is kept without its signature; a signature alone is dropped. */
export function withoutSignature(data: unknown): unknown {
  const part = asRecord(asRecord(data)?.["part"]);
  if (part === undefined) return undefined;
  const { thoughtSignature: _, ...unsigned } = part;
  return { part: unsigned };
}

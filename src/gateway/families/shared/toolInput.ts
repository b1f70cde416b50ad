/** Parses the arguments of a tool call at its end; invalid JSON is never repaired (S3). */
import { isRecord, parseJson } from "../../../base/jsonValue";

export type ToolInput = Readonly<Record<string, unknown>>;

/** Templates of models encode the arguments up to three times. */
const maxEncodings = 3;

/** Some servers send `null` for no arguments (Q-T13). A JSON text that holds the object as JSON again is that object. */
export function readInput(text: string): ToolInput | undefined {
  let value = parseJson(text);
  if (value === null) return {};
  for (let decoded = 1; typeof value === "string" && decoded < maxEncodings; decoded += 1) value = parseJson(value);
  return isRecord(value) ? value : undefined;
}

/** Why `readInput` returned `undefined`. */
export function describeArguments(text: string): string {
  try {
    JSON.parse(text);
    return "The arguments are not a JSON object.";
  } catch (error) {
    return `The arguments are not valid JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

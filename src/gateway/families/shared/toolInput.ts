/** Parses the arguments of a tool call at its end; invalid JSON is never repaired (S3). */
import { isRecord, parseJson } from "../../../base/jsonValue";

export type ToolInput = Readonly<Record<string, unknown>>;

/** Some servers send `null` for no arguments (Q-T13). */
export function readInput(text: string): ToolInput | undefined {
  const value = parseJson(text);
  if (value === null) return {};
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

/** The arguments of a tool call as text: read at the end, never repaired (S3). */
import { isRecord, parseJson } from "../../http/jsonValue";

export type ToolInput = Readonly<Record<string, unknown>>;

/** `null` stands for no arguments with some servers (T13). */
export function readInput(text: string): ToolInput | undefined {
  const value = parseJson(text);
  if (value === null) return {};
  return isRecord(value) ? value : undefined;
}

/** What is wrong with arguments that `readInput` could not read. */
export function describeArguments(text: string): string {
  try {
    JSON.parse(text);
    return "The arguments are not a JSON object.";
  } catch (error) {
    return `The arguments are not valid JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

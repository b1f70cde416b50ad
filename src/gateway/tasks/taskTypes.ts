/** The words of the task interface for the types of tasks. */
import { asNumber, asText } from "../../base/jsonValue";
import { defaultStylizedImageWord } from "../../domain/gateway/modelAccess";
import { type TaskType, taskTypeFacts, taskTypes } from "../../domain/task/taskTypes";

export function writeTaskType(type: TaskType, vendorWord: string): string {
  const { hasVendorWord, wire } = taskTypeFacts(type);
  return hasVendorWord ? vendorWord : wire.word;
}

/** The word of a request, or the number of a response. Empty for anything else. */
export function readTaskTypes(value: unknown, vendorWord: string): readonly TaskType[] {
  const number = asNumber(value);
  return taskTypes.filter((type) =>
    number === undefined ? writeTaskType(type, vendorWord) === value : taskTypeFacts(type).wire.number === number,
  );
}

/** The type in a response; one that is not known here is what the service wrote. */
export function readTypeName(value: unknown): string | undefined {
  return readTaskTypes(value, defaultStylizedImageWord)[0] ?? asNumber(value)?.toString() ?? asText(value);
}

/** The words of the task interface for the types of tasks. */
import { settingDefaults } from "../../domain/settingDefaults";
import { type TaskType, taskTypes } from "../../domain/task";
import { asNumber } from "../jsonValue";

export const defaultStylizedImageWord = settingDefaults.stylizedImageTaskType;

export function writeTaskType(type: TaskType, stylizedImageWord: string): string {
  switch (type) {
    case "video":
      return "video";
    case "async-image":
      return "async_image";
    case "stylized-image":
      return stylizedImageWord;
  }
}

/** The word of a request, or the number of a response: 1, 2, 3. Empty for anything else. */
export function readTaskTypes(value: unknown, stylizedImageWord: string): readonly TaskType[] {
  const number = asNumber(value);
  if (number !== undefined) {
    const type = ([undefined, "stylized-image", "video", "async-image"] as const)[number];
    return type === undefined ? [] : [type];
  }
  return taskTypes.filter((type) => writeTaskType(type, stylizedImageWord) === value);
}

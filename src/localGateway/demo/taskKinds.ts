/** The kinds of tasks: numbers, prices, durations and results. */
import { keysOf } from "../../base/keysOf";

export interface TaskKind {
  /** The value of `task_type` in responses. */
  readonly number: number;
  /** Held at creation, minor units. */
  readonly estimate: number;
  /** From creation to the end, shortest and longest, seconds. */
  readonly seconds: readonly [number, number];
  /** Where `result_assets_json` has the address of the result. */
  readonly resultField: string;
}

/**
 * By the values of `task_type` in requests. The numbers are not read from the client's table: a mistake there is found by tests
 * against this gateway.
 */
export const taskKinds = {
  stylized_image: { number: 1, estimate: 300, seconds: [12, 30], resultField: "image_url" },
  video: { number: 2, estimate: 1200, seconds: [40, 90], resultField: "video_url" },
  async_image: { number: 3, estimate: 200, seconds: [8, 20], resultField: "image_url" },
} as const satisfies Readonly<Record<string, TaskKind>>;

export type TaskTypeWord = keyof typeof taskKinds;
export const taskTypeWords = keysOf<TaskTypeWord>(taskKinds);
/** The word in whose place an account's vendor may have another one. */
export const vendorWord = "stylized_image" satisfies TaskTypeWord;

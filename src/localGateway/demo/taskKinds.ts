/** The kinds of tasks: numbers, prices, durations and results. */
import { keysOf } from "../../base/definedFields";

export interface TaskKind {
  /** The value of `task_type` in responses. */
  readonly number: number;
  /** Held at creation, minor units. */
  readonly estimate: number;
  /** From creation to the end, shortest and longest, seconds. */
  readonly seconds: readonly [number, number];
  /** The result: its field in `result_assets_json`, and its line in `resultFormats`. */
  readonly result: { readonly field: string; readonly format: string };
}

const image = { field: "image_url", format: "png" } as const;

/**
 * By the values of `task_type` in requests. The numbers are not read from the client's table: a mistake there is found by tests
 * against this gateway.
 */
export const taskKinds = {
  stylized_image: { number: 1, estimate: 300, seconds: [12, 30], result: image },
  video: { number: 2, estimate: 1200, seconds: [40, 90], result: { field: "video_url", format: "mp4" } },
  async_image: { number: 3, estimate: 200, seconds: [8, 20], result: image },
} as const satisfies Readonly<Record<string, TaskKind>>;

export type TaskTypeWord = keyof typeof taskKinds;
export const taskTypeWords = keysOf<TaskTypeWord>(taskKinds);
/** The word in whose place an account's vendor may have another one. */
export const vendorWord = "stylized_image" satisfies TaskTypeWord;

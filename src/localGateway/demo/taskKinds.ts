/** The kinds of tasks: numbers, prices, durations and results. */
import { keysOf } from "../../base/definedFields";

export interface TaskKind {
  /** The value of `task_type` in responses. */
  readonly number: number;
  /** Minor units that are held at creation. */
  readonly estimate: number;
  /** Seconds from creation to the end: the shortest and the longest. */
  readonly seconds: readonly [number, number];
  /** The result: its field in `result_assets_json`, and its key in `resultFormats`. */
  readonly result: { readonly field: string; readonly format: string };
}

const image = { field: "image_url", format: "png" } as const;

/**
 * The kinds by the values of `task_type` in requests. The numbers are not imported from the client's table, so that tests against
 * this gateway find a mistake there.
 */
export const taskKinds = {
  stylized_image: { number: 1, estimate: 300, seconds: [12, 30], result: image },
  video: { number: 2, estimate: 1200, seconds: [40, 90], result: { field: "video_url", format: "mp4" } },
  async_image: { number: 3, estimate: 200, seconds: [8, 20], result: image },
} as const satisfies Readonly<Record<string, TaskKind>>;

export type TaskTypeWord = keyof typeof taskKinds;
export const taskTypeWords = keysOf<TaskTypeWord>(taskKinds);
/** The word that an account's vendor may replace by another one. */
export const vendorWord = "stylized_image" satisfies TaskTypeWord;

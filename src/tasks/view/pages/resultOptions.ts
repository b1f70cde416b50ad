/** What a result was made with beside prompt and model, for the pages that compare results: as it was asked for, and the seed that the gateway took. */
import { acceptedOf } from "../../../domain/task/phase";
import type { Task } from "../../../domain/task/task";
import type { ResultOption } from "../../contract/galleryPageContract";

/** `asked`: read from the request. Its seed may be missing or another one than the gateway reports, by which two results of one prompt differ. */
export function resultOptions(task: Task, asked: readonly ResultOption[] = []): readonly ResultOption[] {
  const assets = acceptedOf(task)?.remote.assets;
  const seed = assets?.kind === "assets" ? assets.seed : undefined;
  if (seed === undefined) return asked;
  return [...asked.filter(({ name }) => name !== "seed"), { name: "seed", value: String(seed) }];
}

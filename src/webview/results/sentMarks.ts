/** Marks of results that the host is asked for, and their announcement once it has done so. */
import { type GalleryRow, maxResults, offersAction, type ResultIntent } from "../../protocol/galleryPageContract";
import type { PageActions } from "../shared/page";
import { hasMarks, type JudgeFields, judgementWords } from "./resultWords";

export class SentMarks {
  readonly #actions: Pick<PageActions<ResultIntent>, "send" | "announce">;
  #asked: { readonly ids: ReadonlySet<string>; readonly change: JudgeFields } | undefined;

  constructor(actions: Pick<PageActions<ResultIntent>, "send" | "announce">) {
    this.#actions = actions;
  }

  /** In several messages where there are more than one holds. */
  send(rows: readonly GalleryRow[], change: JudgeFields): void {
    const tasks = rows.filter(isResult).map(({ id }) => id);
    if (tasks.length === 0) return;
    for (let from = 0; from < tasks.length; from += maxResults)
      this.#actions.send({ type: "results-judge", tasks: tasks.slice(from, from + maxResults), ...change });
    this.#asked = { ids: new Set(tasks), change };
  }

  /** Once all of their rows have come back with them. */
  announce(source: readonly GalleryRow[]): void {
    if (this.#asked === undefined) return;
    const { ids, change } = this.#asked;
    if (!source.every((row) => !ids.has(row.id) || hasMarks(row, change))) return;
    this.#asked = undefined;
    this.#actions.announce(judgementWords(ids.size, change));
  }
}

/** A task without a result, as a batch may have, has no marks. */
function isResult(row: GalleryRow): boolean {
  return offersAction(row, "copy-path");
}

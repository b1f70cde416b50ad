/** Marks of results that the host is asked for: their announcement once it has done so, and the undo of the last ones. */
import { type GalleryRow, maxResults, offersAction, type ResultIntent } from "../../contract/galleryPageContract";
import type { PageActions } from "../../../webview/page";
import { hasMarks, type JudgeFields, judgementWords } from "./resultCell";

interface Mark {
  readonly ids: readonly string[];
  readonly change: JudgeFields;
}

export class SentMarks {
  readonly #actions: Pick<PageActions<ResultIntent>, "send" | "announce">;
  #asked: Mark | undefined;
  #last: { readonly words: string; readonly before: readonly Mark[] } | undefined;
  #showsLast = false;

  constructor(actions: Pick<PageActions<ResultIntent>, "send" | "announce">) {
    this.#actions = actions;
  }

  /** That results were rejected, in words, until the person goes on. Other marks are seen on their results. */
  get lastWords(): string | undefined {
    return this.#showsLast ? this.#last?.words : undefined;
  }

  /** `undo` still takes it back. */
  hideLast(): void {
    this.#showsLast = false;
  }

  send(rows: readonly GalleryRow[], change: JudgeFields): void {
    const results = rows.filter(isResult);
    if (results.length === 0) return;
    const changed = results.filter((row) => !hasMarks(row, change));
    if (changed.length > 0) {
      this.#last = { words: judgementWords(changed.length, change), before: marksBefore(changed, change) };
      this.#showsLast = change.choice === "rejected";
    }
    this.#post({ ids: results.map(({ id }) => id), change });
  }

  /** The results get the marks that they had before the last ones. Returns their ids. */
  undo(): readonly string[] {
    const before = this.#last?.before ?? [];
    this.#last = undefined;
    for (const mark of before) this.#post(mark);
    return before.flatMap(({ ids }) => ids);
  }

  /** Announces the marks once all of their rows have come back with them. */
  announce(source: readonly GalleryRow[]): void {
    if (this.#asked === undefined) return;
    const { ids, change } = this.#asked;
    const asked = new Set(ids);
    if (!source.every((row) => !asked.has(row.id) || hasMarks(row, change))) return;
    this.#asked = undefined;
    this.#actions.announce(judgementWords(ids.length, change));
  }

  /** In several messages where there are more than one holds. */
  #post(mark: Mark): void {
    const { ids, change } = mark;
    for (let from = 0; from < ids.length; from += maxResults)
      this.#actions.send({ type: "results-judge", tasks: ids.slice(from, from + maxResults), ...change });
    this.#asked = mark;
  }
}

/** What the rows have now of the fields that will change, once for all rows that have the same. */
function marksBefore(rows: readonly GalleryRow[], { rating, choice }: JudgeFields): readonly Mark[] {
  const marks = new Map<string, { readonly ids: string[]; readonly change: JudgeFields }>();
  for (const row of rows) {
    const change: JudgeFields = {
      ...(rating === undefined ? {} : { rating: row.rating ?? 0 }),
      ...(choice === undefined ? {} : { choice: row.choice ?? "none" }),
    };
    const key = JSON.stringify(change);
    const mark = marks.get(key) ?? { ids: [], change };
    mark.ids.push(row.id);
    marks.set(key, mark);
  }
  return [...marks.values()];
}

/** A task without a result, as a batch may have, has no marks. */
function isResult(row: GalleryRow): boolean {
  return offersAction(row, "copy-path");
}

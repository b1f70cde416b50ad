/** Marks of results that are sent to the host: announces them once the host has stored them, and undoes the last ones. */
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

  /** The sentence that results were rejected, until the person goes on. Other marks are seen on their results. */
  get lastWords(): string | undefined {
    return this.#showsLast ? this.#last?.words : undefined;
  }

  /** Hides the sentence; `undo` still takes the marks back. */
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

  /** Gives the results the marks that they had before the last ones, and returns their ids. */
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

  /** Sends the mark, in several messages if there are more results than one message holds. */
  #post(mark: Mark): void {
    const { ids, change } = mark;
    for (let from = 0; from < ids.length; from += maxResults)
      this.#actions.send({ type: "results-judge", tasks: ids.slice(from, from + maxResults), ...change });
    this.#asked = mark;
  }
}

/** The present marks of the rows in the fields that will change, once for all rows that have the same. */
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

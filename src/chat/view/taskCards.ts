/** The cards of tasks in the chat: posts the content of each card that a page has drawn, again when its task changes, and words that content. */
import { basename } from "node:path";
import { definedFields } from "../../base/definedFields";
import type { Clock } from "../../base/clock";
import { Coalescer } from "../../base/async/serialQueue";
import { type Disposable, DisposableStore } from "../../base/disposable";
import type { Task } from "../../domain/task/task";
import type { TaskCardState, TaskCardView } from "../contract/chatPageContract";
import type { TaskBoard } from "../../tasks/board/board";
import { mediaFacts } from "../../domain/task/taskTypes";
import { isCardAction } from "../../domain/task/taskActions";
import type { ShownFile } from "../../tasks/contract/taskPageContract";
import type { PictureLooks } from "../../tasks/results/pictureState";
import { type LocalResult, resultFile } from "../../tasks/results/resultFile";
import { taskRow } from "../../tasks/view/taskRow";
import { cutLabel } from "../../domain/words/label";
import { taskTypeName } from "../../domain/words/taskTypeWords";
import { stateName } from "../../tasks/view/taskWords";
import { shownFileOf, toneOf } from "../../tasks/view/pageFacts";

export interface TaskCardsOptions {
  readonly board: Pick<TaskBoard, "listed" | "onDidChange" | "loaded">;
  readonly clock: Clock;
  readonly viewOf: (task: Task) => TaskCardView;
  readonly post: (cards: readonly TaskCardState[]) => void;
}

/** Milliseconds for which changes are gathered into one message. */
const batchTime = 100;

export class TaskCards implements Disposable {
  readonly #options: TaskCardsOptions;
  readonly #registrations = new DisposableStore();
  readonly #coalescer: Coalescer<string>;
  /** The last state that was posted for each watched task, as JSON; an empty string where nothing was posted yet. */
  #watched = new Map<string, string>();

  constructor(options: TaskCardsOptions) {
    this.#options = options;
    this.#coalescer = this.#registrations.add(
      new Coalescer({ clock: options.clock, delay: batchTime, flush: (ids) => this.#send(ids) }),
    );
    this.#registrations.add(
      options.board.onDidChange((ids) => {
        const watched = [...this.#watched.keys()].filter((id) => ids.has(id));
        if (watched.length > 0) this.#coalescer.add(watched);
      }),
    );
  }

  /** Sets the tasks whose cards the page has drawn. It replaces the previous list. */
  watch(ids: readonly string[]): void {
    const { board } = this.#options;
    const before = this.#watched;
    this.#watched = new Map(ids.map((id) => [id, before.get(id) ?? ""]));
    const fresh = ids.filter((id) => !before.has(id));
    const isKnown = (id: string): boolean => board.listed.has(id);
    this.#send(fresh.filter(isKnown));
    const missing = fresh.filter((id) => !isKnown(id));
    // Older tasks are read from disk after the newest, so missing ones are posted once all are loaded.
    if (missing.length > 0) void board.loaded().then(() => this.#send(missing));
  }

  /** Updates all cards after a change of something else that they show, not of a task. */
  refresh(): void {
    this.#coalescer.add([...this.#watched.keys()]);
  }

  /** Forgets all cards, because the page was hidden or reloaded. */
  reset(): void {
    this.#watched.clear();
  }

  dispose(): void {
    this.#registrations.dispose();
  }

  #send(ids: Iterable<string>): void {
    const { board, viewOf, post } = this.#options;
    const changed: TaskCardState[] = [];
    for (const id of ids) {
      const task = board.listed.get(id);
      const state: TaskCardState = { id, ...definedFields({ view: task && viewOf(task) }) };
      const text = JSON.stringify(state);
      const last = this.#watched.get(id);
      if (last === undefined || last === text) continue;
      this.#watched.set(id, text);
      changed.push(state);
    }
    if (changed.length > 0) post(changed);
  }
}

// Words the content of a task's card. Pure.

export interface TaskCardContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly locale: string;
  /** The address from which the page may load a file of the results folder. */
  readonly urlOf: (path: string) => string;
  /** Whether this window has the folder of that file open. */
  readonly isOpenHere?: (file: string) => boolean;
  /** Whether the page may decode the picture at that path. */
  readonly pictureState: PictureLooks["of"];
}

export function taskCard(task: Task, context: TaskCardContext): TaskCardView {
  const { intent } = task;
  const { now, locale, isOpenHere } = context;
  const row = taskRow(task, now, locale, { isOpenHere });
  const isSaved = row.actions.includes("show-saved");
  const tone = toneOf(task);
  const file = resultFile(task);
  return {
    id: intent.id,
    state: { name: stateName(task), tone },
    prompt: cutLabel(intent.prompt),
    facts: [taskTypeName(intent.type), intent.model, ...row.remarks.filter((remark) => remark !== stateName(task))],
    money: row.money,
    actions: row.actions.filter(isCardAction).filter((action) => action !== "save-into-workspace" || !isSaved),
    spoken: row.spoken,
    ...definedFields({
      problem: tone === "attention" || tone === "failed" ? row.state : undefined,
      file: file && fileOf(file, context),
    }),
  };
}

/** The file on the card; `undefined` until the header of a picture has been read. */
function fileOf(result: LocalResult, { urlOf, pictureState }: TaskCardContext): ShownFile | undefined {
  const file = shownFileOf(result, urlOf);
  if (file.kind === "other" || mediaFacts(file.kind).preview !== "picture") return file;
  const state = pictureState(result.path);
  if (state === "waits") return undefined;
  return state === "too-large" ? { kind: "other", name: basename(result.path), isTooLarge: true } : file;
}

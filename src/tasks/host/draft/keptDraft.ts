/** What a person had typed when they left *Submit Selection as Task…*, so that Esc loses nothing. */
import type * as vscode from "vscode";
import * as z from "zod/mini";
import { definedFields } from "../../../base/definedFields";
import { taskTypes } from "../../../domain/task/task";
import { emptyDraft, holdsWork, type TaskDraft } from "./taskDraft";

const key = "keptDraft";
/** Pictures are too large for this memory: they come back in the same window only. */
const keptSchema = z.object({
  typed: z.string(),
  type: z.exactOptional(z.enum(taskTypes)),
  model: z.exactOptional(z.string()),
  metadata: z._default(z.record(z.string(), z.unknown()), {}),
});

export class KeptDraft {
  readonly #memory: vscode.Memento;
  #inWindow: TaskDraft | undefined;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  read(): TaskDraft | undefined {
    if (this.#inWindow) return this.#inWindow;
    const read = keptSchema.safeParse(this.#memory.get(key));
    return read.success ? { ...emptyDraft, ...read.data } : undefined;
  }

  /** Keeps nothing where nothing would be lost, else resolves with what `read` gives from then on. */
  async keep(draft: TaskDraft): Promise<TaskDraft | undefined> {
    const [first = ""] = draft.prompts;
    const isOnlyPlace = draft.source === undefined && draft.prompts.length === 1;
    const typed = draft.typed.trim() === "" && isOnlyPlace ? first : draft.typed;
    if (!holdsWork({ ...draft, typed: typed === first && !isOnlyPlace ? "" : typed })) return undefined;
    const kept = (this.#inWindow = { ...draft, typed });
    const { type, model, metadata } = draft;
    await this.#memory.update(key, { typed, metadata, ...definedFields({ type, model }) });
    return kept;
  }

  async forget(): Promise<void> {
    this.#inWindow = undefined;
    await this.#memory.update(key, undefined);
  }
}

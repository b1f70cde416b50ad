/** The questions of the model that wait for the person (A13). An answer is a text for the model and never decides an approval. */
import { randomUUID } from "node:crypto";
import { abortReason } from "../../base/async/abort";
import type { PersonAnswer } from "../../domain/tools/tool";

export class OpenQuestions {
  readonly #open = new Map<string, (answer: PersonAnswer) => void>();

  /** The answer rejects with the signal's reason when that aborts first. */
  ask(signal: AbortSignal): { readonly id: string; readonly answer: Promise<PersonAnswer> } {
    const id = randomUUID();
    const answer = new Promise<PersonAnswer>((resolve, reject) => {
      const close = (): void => {
        this.#open.delete(id);
        signal.removeEventListener("abort", onAbort);
      };
      const onAbort = (): void => {
        close();
        reject(abortReason(signal));
      };
      this.#open.set(id, (given) => {
        close();
        resolve(given);
      });
      signal.addEventListener("abort", onAbort, { once: true });
      if (signal.aborted) onAbort();
    });
    return { id, answer };
  }

  /** False when no such question is open: it was answered, stopped, or never asked. */
  answer(id: string, answer: PersonAnswer): boolean {
    const give = this.#open.get(id);
    give?.(answer);
    return give !== undefined;
  }

  /** Called when the person sent a message instead of an answer. */
  leaveAll(): void {
    for (const give of [...this.#open.values()]) give({ type: "message" });
  }

  get count(): number {
    return this.#open.size;
  }
}

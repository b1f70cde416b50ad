/**
 * The questions that are open to the person: each is asked once, answered once, and ends when the turn is stopped (A3).
 * The id of a question is random and goes to the page only, so nobody else can answer it. Whether the whole change was on
 * the screen before the answer is known to the page alone: the host takes the page's word for it.
 */
import { randomUUID } from "node:crypto";
import { abortReason } from "../base/abort";
import { definedFields } from "../base/definedFields";
import type { AskingCall, ProposedChange } from "../domain/tool";
import type { Approval } from "../domain/transcript";

export interface Decision {
  readonly allow: boolean;
  /** A word to the model. */
  readonly note?: string;
}

interface Question {
  readonly change: ProposedChange | undefined;
  readonly answer: (decision: Decision) => void;
}

export class Approvals {
  readonly #open = new Map<string, Question>();

  /** The decision rejects with the signal's reason when that aborts first. */
  ask(
    { title, ask }: AskingCall,
    signal: AbortSignal,
  ): { readonly approval: Approval; readonly decision: Promise<Decision> } {
    const id = randomUUID();
    const decision = new Promise<Decision>((resolve, reject) => {
      const close = (): void => {
        this.#open.delete(id);
        signal.removeEventListener("abort", onAbort);
      };
      const onAbort = (): void => {
        close();
        reject(abortReason(signal));
      };
      this.#open.set(id, {
        change: ask.change,
        answer: (made) => {
          close();
          resolve(made);
        },
      });
      signal.addEventListener("abort", onAbort, { once: true });
      if (signal.aborted) onAbort();
    });
    const { reason, preview } = ask;
    return { approval: { id, title, reason, ...definedFields({ preview }) }, decision };
  }

  /** False when no such question is open: it was answered, stopped, or never asked. */
  decide(id: string, decision: Decision): boolean {
    const question = this.#open.get(id);
    question?.answer(decision);
    return question !== undefined;
  }

  /** What the editor's diff shows for an open question. */
  changeOf(id: string): ProposedChange | undefined {
    return this.#open.get(id)?.change;
  }

  get count(): number {
    return this.#open.size;
  }
}

/** The requests behind the answers of a chat, kept in memory while there is room (S4). */
import type { TracedRequest } from "../../domain/chat/requestTrace";

/** Bodies hold the whole history, so the oldest answers go first. */
const maxAnswers = 20;

export class AnswerRequests {
  readonly #byAnswer = new Map<string, readonly TracedRequest[]>();

  /** `answer`: its id. In the order in which they were sent. */
  add(answer: string, request: TracedRequest): void {
    this.#byAnswer.set(answer, [...this.of(answer), request]);
    const [oldest] = this.#byAnswer.keys();
    if (this.#byAnswer.size > maxAnswers && oldest !== undefined) this.#byAnswer.delete(oldest);
  }

  of(answer: string): readonly TracedRequest[] {
    return this.#byAnswer.get(answer) ?? [];
  }
}

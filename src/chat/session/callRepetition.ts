/** Which calls of a turn are not run again: one that gave the same result again and again while nothing new happened, one that would be paid once more, and one that can't be read. */
import { ToolRefusal } from "../../domain/tools/tool";
import type { OpenCall } from "./openCall";

/** So often in a row, or so often paid, and not once more. */
const sameCallLimit = 3;

interface KnownResult {
  readonly result: string;
  /** How often in a row it was given. */
  readonly times: number;
  /** The count of news when it was given last. */
  readonly news: number;
}

/** Refuses a call that was repeated too often. The text does not count as a result of the call. */
export class RepeatedCall extends ToolRefusal {}

/** For one turn. */
export class CallRepetition {
  readonly #results = new Map<string, KnownResult>();
  readonly #tasks = new Map<string, number>();
  /** Grows with each result that no call had given before, and with each change of a file: after it the same call may give another result. */
  #news = 0;

  /** Why the call is not run; `undefined` when it may run. */
  refusalOf(call: OpenCall): RepeatedCall | undefined {
    const signature = signatureOf(call);
    if ((this.#tasks.get(signature) ?? 0) >= sameCallLimit) {
      return new RepeatedCall(
        `This same call was made ${sameCallLimit} times in this turn, and each time is paid: it was not made again. Use what it gave, or ask the person.`,
      );
    }
    const known = this.#results.get(signature);
    if (known?.news !== this.#news || known.times < sameCallLimit) return undefined;
    return new RepeatedCall(
      `This same call was made ${sameCallLimit} times with the same result, and nothing new has happened since: it was not run again. Use that result. For another one change the arguments or do something else first; otherwise answer.`,
    );
  }

  /** Once the call has ended. */
  note(call: OpenCall): void {
    const { result } = call;
    if (result === undefined) return;
    const signature = signatureOf(call);
    const known = this.#results.get(signature);
    const isSame = known?.result === result;
    if (!isSame || call.hasChangedFiles) this.#news += 1;
    const times = isSame && known.news === this.#news ? known.times + 1 : 1;
    this.#results.set(signature, { result, times, news: this.#news });
  }

  /** The call was to submit a task. */
  noteTask(call: OpenCall): void {
    const signature = signatureOf(call);
    this.#tasks.set(signature, (this.#tasks.get(signature) ?? 0) + 1);
  }
}

/** The same call, in that many answers in a row, in a form that can't be read. */
export interface InvalidCall {
  readonly name: string;
  readonly times: number;
}

/** Finds a call that a model makes again and again although its arguments, or the tool that it means, can't be read. For one turn. */
export class InvalidCalls {
  /** In how many answers in a row each was made, by its signature. */
  #counts = new Map<string, InvalidCall>();

  /** The call that ends the turn: each further request would be paid for nothing. */
  get stuck(): InvalidCall | undefined {
    return [...this.#counts.values()].find(({ times }) => times >= sameCallLimit);
  }

  /** Once the calls of an answer have ended. `calls`: those of them that could not be read, each with its arguments as text. */
  noteAnswer(calls: readonly { readonly name: string; readonly text: string }[]): void {
    const before = this.#counts;
    this.#counts = new Map();
    for (const { name, text } of calls) {
      const signature = `${name} ${text}`;
      this.#counts.set(signature, { name, times: (before.get(signature)?.times ?? 0) + 1 });
    }
  }
}

function signatureOf({ name, input }: Pick<OpenCall, "name" | "input">): string {
  return `${name} ${JSON.stringify(input)}`;
}

/** Tool calls from fragments, in all the forms that gateways send (Q-T1 to Q-T15), for families whose fragments don't mark begin and end. A call is complete at the end of the stream, never before. */
import { definedFields } from "../../../base/definedFields";
import { isRecord } from "../../../base/jsonValue";
import type { Answer } from "./answer";
import { JsonBalance } from "./jsonBalance";
import {
  argumentText,
  type FragmentRouting,
  type PendingCall,
  routeFragment,
  type ToolCallFragment,
} from "./toolCallRouting";
import { describeArguments, readInput } from "./toolInput";

export interface ToolCallEnding {
  /** Why no call may be run, if so. */
  readonly stopped?: string | undefined;
  /** The finish reason is one that follows whole calls: a call without arguments has none. */
  readonly finished: boolean;
  /** The output limit ended the answer: the last call may be cut. */
  readonly limited: boolean;
}

/** Why the call is refused that the output limit has cut. */
export const cutAtLimit = {
  reason: "The answer reached the output limit before the call was complete.",
  atLimit: true,
} as const;

export class ToolCallAssembly {
  readonly #answer: Answer;
  readonly #calls: PendingCall[] = [];
  readonly #byId = new Map<string, PendingCall>();
  readonly #byIndex = new Map<number, PendingCall>();
  readonly #routing: FragmentRouting;
  /** The number of calls whose start was emitted in order. */
  #settled = 0;

  constructor(answer: Answer) {
    this.#answer = answer;
    this.#routing = { calls: this.#calls, byId: this.#byId, byIndex: this.#byIndex };
  }

  get any(): boolean {
    return this.#calls.some((call) => call.name !== "");
  }

  push(fragment: ToolCallFragment): void {
    const isEmptyObject = isRecord(fragment.arguments) && Object.keys(fragment.arguments).length === 0;
    const text = isEmptyObject ? "" : argumentText(fragment.arguments);
    if (this.#isRepetition(fragment, text)) return;
    const call = this.#callOf(fragment, isEmptyObject ? "{}" : text);
    if (call !== this.#calls.at(-1)) this.settle();
    if (isEmptyObject) call.emptyObject = true;
    if (fragment.extra !== undefined) call.extra = fragment.extra;
    addName(call, fragment.name);
    this.#append(call, text);
  }

  /** Emits the start of every call that has a name: something else follows. */
  settle(): void {
    // In order: a call without a name holds back the ones after it.
    for (; this.#settled < this.#calls.length; this.#settled++) {
      const call = this.#calls[this.#settled];
      if (call === undefined || call.name === "") return;
      this.#start(call);
    }
  }

  /** Whether the arguments of a call are not complete yet. */
  isOpen(): boolean {
    return this.#calls.some((call) => {
      if (call.name === "") return false;
      if (call.text.trim() === "") return !call.emptyObject;
      return splitValues(call).some((text) => readInput(text) === undefined);
    });
  }

  end(ending: ToolCallEnding): void {
    for (const call of [...this.#calls]) {
      if (call.name === "") this.#answer.malformed("A tool call has no name.", call.text);
      else this.#start(call);
    }
    for (const call of [...this.#calls]) if (call.name !== "") this.#finish(call, ending);
  }

  /** By `call`: the extra content that has to be sent back. */
  extras(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(
      this.#calls.flatMap(({ call, extra }) => (extra === undefined ? [] : [[call, extra] as const])),
    );
  }

  #callOf(fragment: ToolCallFragment, text: string): PendingCall {
    const { id, index } = fragment;
    const call = routeFragment(this.#routing, fragment, text);
    if (call === undefined) return this.#open(id, index);
    if (id !== undefined && !this.#byId.has(id)) {
      call.wireId ??= id;
      this.#byId.set(id, call);
    } else if (index !== undefined && this.#byIndex.get(index) !== call) {
      this.#byIndex.set(index, call);
      call.displacing = false;
    }
    return call;
  }

  #open(id: string | undefined, index: number | undefined): PendingCall {
    this.settle();
    const call: PendingCall = {
      call: `call-${this.#calls.length}`,
      wireId: id,
      name: "",
      text: "",
      balance: new JsonBalance(),
      started: false,
      emptyObject: false,
      placeHolder: false,
      displacing: index !== undefined && this.#byIndex.has(index),
      extra: undefined,
    };
    this.#calls.push(call);
    if (id !== undefined) this.#byId.set(id, call);
    if (index !== undefined) this.#byIndex.set(index, call);
    return call;
  }

  /** A gateway that sends a whole call again at the end, with its id: it must not be run twice. */
  #isRepetition({ id, name }: ToolCallFragment, text: string): boolean {
    const known = id === undefined || name === undefined ? undefined : this.#byId.get(id);
    return known !== undefined && known.name === name && known.balance.balanced && isSameJson(known.text, text);
  }

  #start(call: PendingCall): void {
    if (call.started) return;
    call.started = true;
    const { wireId, name } = call;
    const block = this.#answer.newBlock();
    this.#answer.emit({ type: "tool-call-start", block, call: call.call, ...definedFields({ wireId }), name });
    if (call.text !== "") this.#answer.emit({ type: "tool-call-delta", call: call.call, text: call.text });
  }

  #append(call: PendingCall, text: string): void {
    if (text === "") return;
    if (call.text === "") call.placeHolder = text === "{}";
    call.text += text;
    call.balance.push(text);
    if (call.name === "") return;
    if (call.started) this.#answer.emit({ type: "tool-call-delta", call: call.call, text });
    else this.#start(call);
  }

  #finish(call: PendingCall, { stopped, finished, limited }: ToolCallEnding): void {
    const isLast = call === this.#calls.at(-1);
    const cut = limited && isLast ? cutAtLimit : undefined;
    if (stopped !== undefined) {
      this.#refuse(call, cut ?? { reason: stopped });
      return;
    }
    const texts = splitValues(call);
    const [input, ...others] = texts.map(readInput);
    if (call.text.trim() === "") {
      if (finished || call.emptyObject) this.#answer.emit({ type: "tool-call-end", call: call.call, input: {} });
      else this.#refuse(call, cut ?? { reason: "No arguments came." });
    } else if (input !== undefined && others.every((other) => other !== undefined)) {
      this.#answer.emit({ type: "tool-call-end", call: call.call, input });
      others.forEach((other, at) => this.#addCall(call, texts[at + 1] ?? "", other));
    } else this.#refuse(call, cut ?? { reason: describeArguments(call.text) });
  }

  #refuse({ call, text }: PendingCall, why: { readonly reason: string; readonly atLimit?: true }): void {
    this.#answer.emit({ type: "tool-call-invalid", call, text, ...why });
  }

  /** Two whole values in a row are two calls (Q-T13). */
  #addCall(call: PendingCall, text: string, input: Readonly<Record<string, unknown>>): void {
    const added = this.#open(undefined, undefined);
    added.name = call.name;
    added.text = text;
    this.#start(added);
    this.#answer.emit({ type: "tool-call-end", call: added.call, input });
  }
}

/** A repeated name is ignored; one that is sent in parts is joined (Q-T5). */
function addName(call: PendingCall, name: string | undefined): void {
  if (name === undefined || call.started || name === call.name) return;
  call.name = name.startsWith(call.name) ? name : call.name + name;
}

function splitValues({ balance, text, placeHolder }: PendingCall): readonly string[] {
  const { ends, balanced } = balance;
  if (!balanced || ends.length < 2) return [text];
  const values = ends.map((end, at) => text.slice(at === 0 ? 0 : ends[at - 1], end));
  // `{}` and then the real arguments are one call, not one without arguments and another one (Q-T12).
  return placeHolder && values.length === 2 && values[1]?.trim() !== "{}" ? values.slice(1) : values;
}

/** Equal values, whatever their white space. */
function isSameJson(one: string, other: string): boolean {
  if (one === other) return true;
  const [first, second] = [readInput(one), readInput(other)];
  return first !== undefined && second !== undefined && JSON.stringify(first) === JSON.stringify(second);
}

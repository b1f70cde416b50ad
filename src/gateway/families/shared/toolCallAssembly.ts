/** Tool calls out of fragments, in all the forms that gateways give them (T1 to T15). A call is complete at the end of the stream, never before. */
import { definedFields } from "../../../base/definedFields";
import type { Answer } from "./answer";
import { isRecord } from "../../http/jsonValue";
import { createJsonBalance, type JsonBalance } from "./jsonBalance";
import { describeArguments, readInput } from "./toolInput";

export interface ToolCallFragment {
  readonly index?: number | undefined;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  /** Text, or an object from servers that send one (T7). */
  readonly arguments?: unknown;
  /** What has to be sent back with this call, unchanged. */
  readonly extra?: unknown;
}

export interface ToolCallEnding {
  /** No sign of completion came: no call is run. Decided by `isOpen` among others. */
  readonly cut: boolean;
  /** Why none of them may be run, if so. */
  readonly stopped?: string | undefined;
  /** The service ended the answer as one does after whole calls, so that no arguments means none. */
  readonly finished: boolean;
}

export interface ToolCallAssembly {
  push(fragment: ToolCallFragment): void;
  /** Calls that have a name are told of: something else follows. */
  settle(): void;
  readonly any: boolean;
  /** Whether a call is not whole yet, as far as can be seen. */
  isOpen(): boolean;
  end(ending: ToolCallEnding): void;
  /** By `call`: what has to be sent back. Empty if nothing. */
  extras(): Readonly<Record<string, unknown>>;
}

interface PendingCall {
  readonly call: string;
  wireId: string | undefined;
  name: string;
  text: string;
  readonly balance: JsonBalance;
  started: boolean;
  /** Its arguments came as `{}`, an object: there is nothing to wait for. */
  emptyObject: boolean;
  /** It began with a whole `{}`, which some servers put where the arguments are to come. */
  placeHolder: boolean;
  /** It took an index that another call had (T2): its own may show up later (T3). */
  displacing: boolean;
  extra: unknown;
}

export function createToolCallAssembly(answer: Answer): ToolCallAssembly {
  const calls: PendingCall[] = [];
  const byId = new Map<string, PendingCall>();
  const byIndex = new Map<number, PendingCall>();
  let told = 0;

  const open = (id: string | undefined, index: number | undefined): PendingCall => {
    settle();
    const call: PendingCall = {
      call: `call-${calls.length}`,
      wireId: id,
      name: "",
      text: "",
      balance: createJsonBalance(),
      started: false,
      emptyObject: false,
      placeHolder: false,
      displacing: index !== undefined && byIndex.has(index),
      extra: undefined,
    };
    calls.push(call);
    if (id !== undefined) byId.set(id, call);
    if (index !== undefined) byIndex.set(index, call);
    return call;
  };

  /** A known id, then the index, then the last call; a new id on a used index is another call (T1, T2, T3, T10, T11). */
  const route = (fragment: ToolCallFragment, text: string): PendingCall => {
    const { index, id, name } = fragment;
    const there = index === undefined ? undefined : byIndex.get(index);
    const last = calls.at(-1);
    if (id !== undefined) {
      const known = there?.wireId === id ? there : byId.get(id);
      if (known !== undefined) return isAnother(known, fragment, text) ? open(id, index) : at(known, index);
      const unnamed = there ?? (index === undefined ? last : undefined);
      if (unnamed !== undefined && takesId(unnamed, name)) {
        unnamed.wireId ??= id;
        byId.set(id, unnamed);
        return unnamed;
      }
      return open(id, index);
    }
    if (there !== undefined) {
      const repeats = there.wireId !== undefined && name === there.name;
      return !repeats && isNext(there, name, text) ? open(undefined, index) : there;
    }
    if (last === undefined) return open(undefined, index);
    if (index !== undefined) {
      const isItsTail = name === undefined && last.name !== "" && (last.displacing || !last.balance.balanced);
      return isItsTail ? at(last, index) : open(undefined, index);
    }
    if (name === undefined || last.name === "") return last;
    return name !== last.name || isNext(last, name, text) ? open(undefined, index) : last;
  };

  const at = (call: PendingCall, index: number | undefined): PendingCall => {
    if (index !== undefined && byIndex.get(index) !== call) {
      byIndex.set(index, call);
      call.displacing = false;
    }
    return call;
  };

  /** The same id for two calls (T10). */
  const isAnother = (known: PendingCall, { index, name }: ToolCallFragment, text: string): boolean => {
    if (name === undefined || known.name === "") return false;
    if (name !== known.name && (known.text !== "" || (index !== undefined && !byIndex.has(index)))) return true;
    return known.balance.balanced && text.trim() !== "" && name === known.name;
  };

  /** A gateway that says a whole call once more at the end, with its id: run twice, it would do twice what was asked once. */
  const isRepetition = ({ id, name }: ToolCallFragment, text: string): boolean => {
    const known = id === undefined || name === undefined ? undefined : byId.get(id);
    return known !== undefined && known.name === name && known.balance.balanced && sameJson(known.text, text);
  };

  const settle = (): void => {
    // Calls are told of in their order; one without a name waits, and the ones after it don't wait for it.
    for (; told < calls.length; told++) {
      const call = calls[told];
      if (call === undefined || call.name === "") return;
      start(call);
    }
  };

  const start = (call: PendingCall): void => {
    if (call.started) return;
    call.started = true;
    const { wireId, name } = call;
    const block = answer.newBlock();
    answer.emit({
      type: "tool-call-start",
      block,
      call: call.call,
      ...definedFields({ wireId }),
      name,
    });
    if (call.text !== "") answer.emit({ type: "tool-call-delta", call: call.call, text: call.text });
  };

  const append = (call: PendingCall, text: string): void => {
    if (text === "") return;
    if (call.text === "") call.placeHolder = text === "{}";
    call.text += text;
    call.balance.push(text);
    if (call.name === "") return;
    if (call.started) answer.emit({ type: "tool-call-delta", call: call.call, text });
    else start(call);
  };

  const finish = (call: PendingCall, ending: ToolCallEnding): void => {
    const invalid = (reason: string): void =>
      answer.emit({ type: "tool-call-invalid", call: call.call, text: call.text, reason });
    if (ending.stopped !== undefined) {
      invalid(ending.stopped);
      return;
    }
    const texts = splitValues(call);
    const inputs = texts.map(readInput);
    const [input, ...others] = inputs;
    if (call.text.trim() === "") {
      if (ending.finished || call.emptyObject) answer.emit({ type: "tool-call-end", call: call.call, input: {} });
      else invalid("No arguments came.");
    } else if (input !== undefined && others.every((other) => other !== undefined)) {
      answer.emit({ type: "tool-call-end", call: call.call, input });
      others.forEach((other, at) => addCall(call, texts[at + 1] ?? "", other));
    } else invalid(describeArguments(call.text));
  };

  /** Two whole values behind each other are two calls (T13). */
  const addCall = (call: PendingCall, text: string, input: Readonly<Record<string, unknown>>): void => {
    const added = open(undefined, undefined);
    added.name = call.name;
    added.text = text;
    start(added);
    answer.emit({ type: "tool-call-end", call: added.call, input });
  };

  return {
    push(fragment) {
      const isEmptyObject = isRecord(fragment.arguments) && Object.keys(fragment.arguments).length === 0;
      const text = isEmptyObject ? "" : argumentText(fragment.arguments);
      if (isRepetition(fragment, text)) return;
      const call = route(fragment, isEmptyObject ? "{}" : text);
      if (call !== calls.at(-1)) settle();
      if (isEmptyObject) call.emptyObject = true;
      if (fragment.extra !== undefined) call.extra = fragment.extra;
      addName(call, fragment.name);
      append(call, text);
    },
    settle,
    get any() {
      return calls.some((call) => call.name !== "");
    },
    isOpen: () =>
      calls.some((call) => {
        if (call.name === "") return false;
        return call.text.trim() === ""
          ? !call.emptyObject
          : splitValues(call).some((text) => readInput(text) === undefined);
      }),
    end(ending) {
      for (const call of [...calls]) {
        if (call.name === "") answer.malformed("A tool call has no name.", call.text);
        else start(call);
      }
      for (const call of [...calls]) if (call.name !== "") finish(call, ending);
    },
    extras: () =>
      Object.fromEntries(calls.flatMap(({ call, extra }) => (extra === undefined ? [] : [[call, extra] as const]))),
  };
}

/** Whether an id that was not heard of before belongs to a call that is there already. */
function takesId(call: PendingCall, name: string | undefined): boolean {
  if (call.wireId === undefined)
    return call.name === "" || ((name ?? call.name) === call.name && !call.balance.balanced);
  // A server that makes up an id for each fragment: without a name it is no head of another call.
  return name === undefined && call.name !== "" && !call.balance.balanced;
}

/** Whether a fragment without an id begins another call in the place of `call`, rather than repeating its name (T5). */
function isNext(call: PendingCall, name: string | undefined, text: string): boolean {
  if (name === undefined || call.name === "") return false;
  if (name === call.name) return call.balance.balanced && text.trim() !== "";
  return call.text !== "";
}

/** The same name again says nothing; a name that goes on does (T5). */
function addName(call: PendingCall, name: string | undefined): void {
  if (name === undefined || call.started || name === call.name) return;
  call.name = name.startsWith(call.name) ? name : call.name + name;
}

function argumentText(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null ? JSON.stringify(value) : "";
}

function splitValues({ balance, text, placeHolder }: PendingCall): readonly string[] {
  const { ends, balanced } = balance;
  if (!balanced || ends.length < 2) return [text];
  const values = ends.map((end, at) => text.slice(at === 0 ? 0 : ends[at - 1], end));
  // Arguments that took the place of none are one call, not a call without any and another with them (T12).
  return placeHolder && values.length === 2 && values[1]?.trim() !== "{}" ? values.slice(1) : values;
}

/** Said in other words, or rather in other white space. */
function sameJson(one: string, other: string): boolean {
  if (one === other) return true;
  const [first, second] = [readInput(one), readInput(other)];
  return first !== undefined && second !== undefined && JSON.stringify(first) === JSON.stringify(second);
}

/**
 * Assembles tool calls from fragments in all the forms that gateways send (Q-T1 to Q-T15), for families whose fragments do not mark the beginning
 * and end. A call is complete only at the end of the stream.
 */
import { definedFields } from "../../base/definedFields";
import { isRecord, parseJson } from "../../base/jsonValue";
import type { Answer } from "./answer";

export interface ToolCallEnding {
  /** The reason why no call may be run; missing if calls may be run. */
  readonly stopped?: string | undefined;
  /** Whether the finish reason follows only whole calls: a call without a text of arguments then has no arguments. */
  readonly finished: boolean;
  /** Whether the output limit ended the answer, so that the last call may be cut. */
  readonly limited: boolean;
}

/** The refusal of a call that the output limit has cut. */
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
  #started = 0;

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
    this.#answer.countPiece();
    const call = this.#callOf(fragment, isEmptyObject ? "{}" : text);
    if (call !== this.#calls.at(-1)) this.startNamed();
    if (isEmptyObject) call.emptyObject = true;
    if (fragment.extra !== undefined) call.extra = fragment.extra;
    addName(call, fragment.name);
    this.#append(call, text);
  }

  /** Emits the start of every call that has a name, because something else follows. */
  startNamed(): void {
    // Starts are emitted in order, so a call without a name delays the calls after it.
    for (; this.#started < this.#calls.length; this.#started++) {
      const call = this.#calls[this.#started];
      if (call === undefined || call.name === "") return;
      this.#start(call);
    }
  }

  /** Whether the arguments of a call are not complete yet. */
  isOpen(): boolean {
    return this.#calls.some((call) => {
      if (call.name === "") return false;
      if (call.text.trim() === "") return !call.emptyObject;
      return splitValues(call).some((text) => parseArguments(text) === undefined);
    });
  }

  end(ending: ToolCallEnding): void {
    for (const call of [...this.#calls]) {
      if (call.name === "") this.#answer.malformed("A tool call has no name.", call.text);
      else this.#start(call);
    }
    for (const call of [...this.#calls]) if (call.name !== "") this.#finish(call, ending);
  }

  /** The extra content that has to be sent back, by `call`. */
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
    this.startNamed();
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

  /** Whether a gateway repeats a whole call with its id at the end of the stream. The call must not be run twice. */
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
    const [input, ...others] = texts.map(parseArguments);
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

  /** Adds another call, because two whole values in a row are two calls (Q-T13). */
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
  const [first, second] = [parseArguments(one), parseArguments(other)];
  return first !== undefined && second !== undefined && JSON.stringify(first) === JSON.stringify(second);
}

// Finds the call that a fragment belongs to: by its id, then by its index, else the last one (Q-T1, Q-T2, Q-T3, Q-T10, Q-T11).

interface ToolCallFragment {
  readonly index?: number | undefined;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  /** Text, or an object from servers that send one (Q-T7). */
  readonly arguments?: unknown;
  /** Data that has to be sent back unchanged with this call. */
  readonly extra?: unknown;
}

interface PendingCall {
  readonly call: string;
  wireId: string | undefined;
  name: string;
  text: string;
  readonly balance: JsonBalance;
  started: boolean;
  /** Whether the arguments came as the object `{}`, so that they are complete. */
  emptyObject: boolean;
  /** Whether the text began with a whole `{}`, which some servers send before the real arguments. */
  placeHolder: boolean;
  /** Whether the call took the index of another call (Q-T2): a later fragment may bring its own index (Q-T3). */
  displacing: boolean;
  extra: unknown;
}

interface FragmentRouting {
  /** The calls in the order of their first fragments. */
  readonly calls: readonly PendingCall[];
  readonly byId: ReadonlyMap<string, PendingCall>;
  readonly byIndex: ReadonlyMap<number, PendingCall>;
}

/** Returns the fragment's call; `undefined` if the fragment begins another call. `text`: its arguments. */
function routeFragment(routing: FragmentRouting, fragment: ToolCallFragment, text: string): PendingCall | undefined {
  return fragment.id === undefined
    ? routeWithoutId(routing, fragment, text)
    : routeById(routing, fragment, fragment.id, text);
}

function routeById(
  routing: FragmentRouting,
  fragment: ToolCallFragment,
  id: string,
  text: string,
): PendingCall | undefined {
  const { index, name } = fragment;
  const indexed = index === undefined ? undefined : routing.byIndex.get(index);
  const known = indexed?.wireId === id ? indexed : routing.byId.get(id);
  if (known !== undefined) return isAnother(routing, known, fragment, text) ? undefined : known;
  const candidate = indexed ?? (index === undefined ? routing.calls.at(-1) : undefined);
  return candidate !== undefined && takesId(candidate, name) ? candidate : undefined;
}

function routeWithoutId(
  { calls, byIndex }: FragmentRouting,
  { index, name }: ToolCallFragment,
  text: string,
): PendingCall | undefined {
  const indexed = index === undefined ? undefined : byIndex.get(index);
  if (indexed !== undefined) {
    const repeatsName = indexed.wireId !== undefined && name === indexed.name;
    return !repeatsName && isNext(indexed, name, text) ? undefined : indexed;
  }
  const last = calls.at(-1);
  if (last === undefined) return undefined;
  if (index !== undefined) {
    const isItsTail = name === undefined && last.name !== "" && (last.displacing || !last.balance.balanced);
    return isItsTail ? last : undefined;
  }
  if (name === undefined || last.name === "") return last;
  return name !== last.name || isNext(last, name, text) ? undefined : last;
}

/** Whether the fragment begins another call with the same id (Q-T10). */
function isAnother(
  { byIndex }: FragmentRouting,
  known: PendingCall,
  { index, name }: ToolCallFragment,
  text: string,
): boolean {
  if (name === undefined || known.name === "") return false;
  if (name !== known.name && (known.text !== "" || (index !== undefined && !byIndex.has(index)))) return true;
  return known.balance.balanced && text.trim() !== "" && name === known.name;
}

/** Whether a new id belongs to an existing call. */
function takesId(call: PendingCall, name: string | undefined): boolean {
  if (call.wireId === undefined) {
    return call.name === "" || ((name ?? call.name) === call.name && !call.balance.balanced);
  }
  // Some servers generate an id for each fragment, so a fragment without a name does not begin a call.
  return name === undefined && call.name !== "" && !call.balance.balanced;
}

/** Whether a fragment without an id begins another call after `call`, rather than repeating its name (Q-T5). */
function isNext(call: PendingCall, name: string | undefined, text: string): boolean {
  if (name === undefined || call.name === "") return false;
  if (name === call.name) return call.balance.balanced && text.trim() !== "";
  return call.text !== "";
}

function argumentText(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null ? JSON.stringify(value) : "";
}

/** Finds the ends of whole JSON values in text that arrives in chunks, without parsing it again for each chunk. */
export class JsonBalance {
  #depth = 0;
  #offset = 0;
  #inString = false;
  #escaped = false;
  #trailing = false;
  readonly #ends: number[] = [];

  /** Whether the text so far is one or more whole objects or arrays, with nothing after them. */
  get balanced(): boolean {
    return this.#depth === 0 && this.#ends.length > 0 && !this.#trailing && !this.#inString;
  }

  /** The offset after each whole object or array of the top level. */
  get ends(): readonly number[] {
    return this.#ends;
  }

  push(text: string): void {
    for (let at = 0; at < text.length; at++, this.#offset++) {
      const code = text.charCodeAt(at);
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (code === 0x5c) this.#escaped = true;
        else if (code === 0x22) this.#inString = false;
        continue;
      }
      if (code === 0x22) this.#inString = true;
      else if (code === 0x7b || code === 0x5b) this.#depth += 1;
      else if (code === 0x7d || code === 0x5d) {
        this.#depth -= 1;
        if (this.#depth !== 0) continue;
        this.#ends.push(this.#offset + 1);
        this.#trailing = false;
        continue;
      }
      if (this.#depth === 0 && code > 0x20) this.#trailing = true;
    }
  }
}

// Parses the arguments of a tool call at its end; invalid JSON is never repaired (S3).

export type ToolInput = Readonly<Record<string, unknown>>;

/** Templates of models encode the arguments up to three times. */
const maxEncodings = 3;

/** Some servers send `null` for no arguments (Q-T13). A JSON string that holds the object as JSON is read as the object. */
export function parseArguments(text: string): ToolInput | undefined {
  let value = parseJson(text);
  if (value === null) return {};
  for (let decoded = 1; typeof value === "string" && decoded < maxEncodings; decoded += 1) value = parseJson(value);
  return isRecord(value) ? value : undefined;
}

/** Why `parseArguments` returned `undefined`. */
export function describeArguments(text: string): string {
  try {
    JSON.parse(text);
    return "The arguments are not a JSON object.";
  } catch (error) {
    return `The arguments are not valid JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Which of the calls so far a fragment of a tool call belongs to: by its id, then by its index, else the last one (Q-T1, Q-T2, Q-T3, Q-T10, Q-T11). */
import type { JsonBalance } from "./jsonBalance";

export interface ToolCallFragment {
  readonly index?: number | undefined;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  /** Text, or an object from servers that send one (Q-T7). */
  readonly arguments?: unknown;
  /** Has to be sent back with this call, unchanged. */
  readonly extra?: unknown;
}

export interface PendingCall {
  readonly call: string;
  wireId: string | undefined;
  name: string;
  text: string;
  readonly balance: JsonBalance;
  started: boolean;
  /** The arguments came as `{}`, an object: they are complete. */
  emptyObject: boolean;
  /** The text began with a whole `{}`, which some servers send before the real arguments. */
  placeHolder: boolean;
  /** It took an index that another call had (Q-T2): a later fragment may bring its own (Q-T3). */
  displacing: boolean;
  extra: unknown;
}

export interface FragmentRouting {
  /** In the order of their first fragments. */
  readonly calls: readonly PendingCall[];
  readonly byId: ReadonlyMap<string, PendingCall>;
  readonly byIndex: ReadonlyMap<number, PendingCall>;
}

/** `undefined`: the fragment begins another call. `text`: its arguments. */
export function routeFragment(
  routing: FragmentRouting,
  fragment: ToolCallFragment,
  text: string,
): PendingCall | undefined {
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

/** Two calls with the same id (Q-T10). */
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
  // A server that makes up an id for each fragment: a fragment without a name begins no call.
  return name === undefined && call.name !== "" && !call.balance.balanced;
}

/** Whether a fragment without an id begins another call after `call`, rather than repeating its name (Q-T5). */
function isNext(call: PendingCall, name: string | undefined, text: string): boolean {
  if (name === undefined || call.name === "") return false;
  if (name === call.name) return call.balance.balanced && text.trim() !== "";
  return call.text !== "";
}

export function argumentText(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null ? JSON.stringify(value) : "";
}

/** Quirks Q-T: tool calls of the chat-completions family, fragmented and numbered in other ways. */
import {
  type ChatChunk,
  onChunk,
  withDelta,
  without,
  kind,
  nothing,
  oneOf,
  streamKind,
  type StreamFaultKind,
} from "./faultKind";
import type { FaultKind, StreamOutput, StreamFault } from "../../src/localGateway/http/requestFaults";

/** A tool call assembled from its fragments. */
interface WholeCall {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  /** The fragments of the argument text. */
  readonly parts: readonly string[];
}

type Fragment = Readonly<Record<string, unknown>>;

/** Delays all tool calls until the finish and rewrites their fragments, one chunk for each list. */
function rewriteCalls(write: (calls: readonly WholeCall[]) => readonly (readonly Fragment[])[]): StreamFault {
  return reshapeCalls((calls) => write(calls).map((fragments) => ({ tool_calls: fragments })));
}

function reshapeCalls(write: (calls: readonly WholeCall[]) => readonly unknown[]): StreamFault {
  const calls = new Map<number, WholeCall>();
  return onChunk((chunk, choice): readonly StreamOutput[] => {
    for (const { index, id, function: named } of choice.delta.tool_calls ?? []) {
      const known = calls.get(index) ?? { index, id: id ?? "", name: named.name ?? "", parts: [] };
      const parts =
        named.arguments === undefined || named.arguments === "" ? known.parts : [...known.parts, named.arguments];
      calls.set(index, { ...known, parts });
    }
    if (choice.finish_reason === null) {
      const rest = without(choice.delta, "tool_calls");
      return Object.keys(rest).length > 0 ? [withDelta(chunk, rest)] : [];
    }
    const head: ChatChunk = { ...chunk, choices: [{ ...choice, finish_reason: null }] };
    return [...write([...calls.values()]).map((delta) => withDelta(head, delta)), { data: chunk }];
  });
}

const argumentsOf = ({ parts }: WholeCall): string => parts.join("");

/** The regular fragments: a head with the name, then one for each part of the arguments. */
function ordinary({ index, id, name, parts }: WholeCall): readonly Fragment[] {
  const head = { index, id, type: "function", function: { name, arguments: "" } };
  return [head, ...parts.map((part) => ({ index, function: { arguments: part } }))];
}

const one = (
  call: WholeCall,
  change: (fragment: Fragment, nth: number) => Fragment,
): readonly (readonly Fragment[])[] => ordinary(call).map((fragment, nth) => [change(fragment, nth)]);

/** Each fragment of each call on its own, changed. */
function eachFragment(change: (fragment: Fragment, nth: number, call: WholeCall) => Fragment): StreamFault {
  return rewriteCalls((calls) => calls.flatMap((call) => one(call, (fragment, nth) => change(fragment, nth, call))));
}

const whole = ({ index, id, name }: WholeCall, text: unknown): Fragment => ({
  index,
  id,
  type: "function",
  function: { name, arguments: text },
});

const inOne = (make: (call: WholeCall) => Fragment): StreamFault =>
  rewriteCalls((calls) => calls.map((call) => [make(call)]));

/** The name in two halves, before the arguments. */
function namePieces({ index, id, name, parts }: WholeCall): readonly (readonly Fragment[])[] {
  const cut = Math.ceil(name.length / 2);
  const head = { index, id, type: "function", function: { name: name.slice(0, cut), arguments: "" } };
  const tail = { index, function: { name: name.slice(cut), arguments: "" } };
  return [[head], [tail], ...parts.map((part) => [{ index, function: { arguments: part } }])];
}

function lateName({ index, id, name, parts }: WholeCall): readonly (readonly Fragment[])[] {
  const fragments = parts.map((part) => [{ index, id, type: "function", function: { arguments: part } }]);
  return [...fragments, [{ index, id, function: { name, arguments: "" } }]];
}

/** Fragments of all calls in turn, instead of one call after the other. */
function interleave(calls: readonly WholeCall[]): readonly (readonly Fragment[])[] {
  const lists = calls.map(ordinary);
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  const turns = Array.from({ length: longest }, (_, nth) => lists.flatMap((list) => list.slice(nth, nth + 1)));
  return turns.flatMap((fragments) => fragments.map((fragment) => [fragment]));
}

const badArguments = {
  empty: () => "",
  null: () => "null",
  double: (text: string) => `${text}${text}`,
  trailing: (text: string) => `${text} That should do.`,
} as const;

function legacy(form: "function_call" | "no-type"): StreamFault {
  if (form === "no-type") return eachFragment((fragment) => without(fragment, "type"));
  return reshapeCalls((calls) =>
    calls
      .slice(0, 1)
      .flatMap(({ name, parts }) => [
        { function_call: { name, arguments: "" } },
        ...parts.map((part) => ({ function_call: { arguments: part } })),
      ]),
  );
}

const nullList = (value: null | []): StreamFault =>
  onChunk((chunk, { delta }) => [
    delta.tool_calls === undefined ? withDelta(chunk, { ...delta, tool_calls: value }) : { data: chunk },
  ]);

const callKind = <T>(known: FaultKind<T>, open: (value: T) => StreamFault): StreamFaultKind =>
  streamKind(known, open, "chat-completions");

export const callFaults: readonly StreamFaultKind[] = [
  callKind(kind("tool.no-index", "leaves out the index of tool call fragments", nothing), () =>
    eachFragment((fragment) => without(fragment, "index")),
  ),
  callKind(kind("tool.same-index", "gives all parallel calls index 0, each with its own id", nothing), () =>
    eachFragment((fragment, _nth, { id }) => ({ ...fragment, index: 0, id })),
  ),
  callKind(kind("tool.index-flip", "gives the head of each call index 0 and the rest its own index", nothing), () =>
    eachFragment((fragment, nth) => (nth === 0 ? { ...fragment, index: 0 } : fragment)),
  ),
  callKind(kind("tool.empty-id", "has empty ids and names in the later fragments of a call", nothing), () =>
    eachFragment((fragment, nth, { parts }) =>
      nth === 0
        ? fragment
        : { ...fragment, id: nth % 2 === 0 ? null : "", function: { name: "", arguments: parts[nth - 1] ?? "" } },
    ),
  ),
  callKind(
    kind("tool.name-repeat", "repeats the name in each fragment, or cuts it into pieces", oneOf("repeat", "pieces")),
    (form) =>
      form === "pieces"
        ? rewriteCalls((calls) => calls.flatMap(namePieces))
        : eachFragment((fragment, nth, { id, name, parts }) =>
            nth === 0 ? fragment : { ...fragment, id, function: { name, arguments: parts[nth - 1] ?? "" } },
          ),
  ),
  callKind(kind("tool.whole", "sends each call with all of its arguments in one fragment", nothing), () =>
    inOne((call) => whole(call, argumentsOf(call))),
  ),
  callKind(kind("tool.args-object", "sends the arguments as an object instead of text", nothing), () =>
    inOne((call) => {
      const object: unknown = JSON.parse(argumentsOf(call) || "{}");
      return whole(call, object);
    }),
  ),
  callKind(kind("tool.late-name", "sends the name of a call after its arguments", nothing), () =>
    rewriteCalls((calls) => calls.flatMap(lateName)),
  ),
  callKind(kind("tool.sparse-index", "numbers calls 1, 3, 5 instead of 0, 1, 2", nothing), () =>
    eachFragment((fragment, _nth, { index }) => ({ ...fragment, index: index * 2 + 1 })),
  ),
  callKind(kind("tool.no-id", "gives calls no id, or all the same", oneOf("none", "same")), (form) =>
    eachFragment((fragment, nth) =>
      form === "none" || nth > 0 ? without(fragment, "id") : { ...fragment, id: "call_1" },
    ),
  ),
  callKind(kind("tool.interleave", "mixes the fragments of parallel calls", nothing), () => rewriteCalls(interleave)),
  callKind(
    kind("tool.prefix-json", "goes on after arguments that parse: with blanks, or with text", oneOf("blanks", "text")),
    (form) =>
      rewriteCalls((calls) =>
        calls.flatMap((call) => {
          const parts = [argumentsOf(call), ...(form === "blanks" ? ["  ", "\n"] : ["  ", "x"])];
          return ordinary({ ...call, parts }).map((fragment) => [fragment]);
        }),
      ),
  ),
  callKind(
    kind(
      "tool.bad-args",
      "sends arguments that are empty, null, twice the same object, or followed by text",
      oneOf("empty", "null", "double", "trailing"),
    ),
    (form) => inOne((call) => whole(call, badArguments[form](argumentsOf(call)))),
  ),
  callKind(
    kind("tool.legacy", "uses the old function_call, or leaves out the type", oneOf("function_call", "no-type")),
    legacy,
  ),
  callKind(kind("tool.null-list", "has tool_calls null or empty on text chunks", oneOf("null", "empty")), (form) =>
    nullList(form === "null" ? null : []),
  ),
];

/** T: the switches for tool calls of the chat-completions family, each with the fragments that show it. */
import assert from "node:assert/strict";
import { definedFields } from "../../../../src/base/definedFields";
import {
  contentOf,
  deltasOf,
  finishesOf,
  type Fragment,
  fragmentsOf,
  type StreamCase,
  streamCases,
  type Streamed,
  textOf,
} from "./streaming";

const sameAnswer = (faulty: Streamed, plain: Streamed): void => {
  assert.notEqual(contentOf(plain), "");
  assert.equal(contentOf(faulty), contentOf(plain));
};
const heads = (streamed: Streamed): readonly Fragment[] =>
  fragmentsOf(streamed).filter(({ function: { name } }) => name !== undefined && name !== "");
const argumentsOf = (fragments: readonly Fragment[]): string =>
  fragments.map((fragment) => textOf(fragment.function.arguments)).join("");
const bothArguments = '{"path":"src/app.ts"}{"path":"src/b.ts"}';
/** The same argument text in all, whatever it hangs on. */
const sameArguments = (faulty: Streamed): void => assert.equal(argumentsOf(fragmentsOf(faulty)), bothArguments);
const call = (shows: StreamCase["shows"], value?: string): StreamCase => ({
  ...definedFields({ value }),
  prompt: "calls",
  shows: (faulty, plain) => {
    assert.equal(argumentsOf(fragmentsOf(plain)), bothArguments);
    assert.equal(contentOf(faulty), contentOf(plain));
    assert.equal(finishesOf(faulty).at(-1), "tool_calls");
    shows(faulty, plain);
  },
});

const badArguments = (value: string | undefined, expected: readonly string[]): StreamCase =>
  call(
    (faulty) =>
      assert.deepEqual(
        fragmentsOf(faulty).map((fragment) => fragment.function.arguments),
        expected,
      ),
    value,
  );
const nullList = (value: string | undefined, expected: unknown): StreamCase => ({
  ...definedFields({ value }),
  shows: (faulty, plain) => {
    assert.ok(deltasOf(faulty).length > 10);
    for (const delta of deltasOf(faulty)) assert.deepEqual(delta.tool_calls, expected);
    sameAnswer(faulty, plain);
  },
});

export const callCases = streamCases({
  "tool.no-index": [
    call((faulty) => {
      assert.ok(fragmentsOf(faulty).every(({ index }) => index === undefined));
      assert.equal(heads(faulty).length, 2);
      sameArguments(faulty);
    }),
  ],
  "tool.same-index": [
    call((faulty) => {
      assert.ok(fragmentsOf(faulty).every(({ index }) => index === 0));
      assert.equal(new Set(heads(faulty).map(({ id }) => id)).size, 2);
      sameArguments(faulty);
    }),
  ],
  "tool.index-flip": [
    call((faulty) => {
      assert.deepEqual(
        heads(faulty).map(({ index }) => index),
        [0, 0],
      );
      assert.ok(fragmentsOf(faulty).some(({ index }) => index === 1));
      sameArguments(faulty);
    }),
  ],
  "tool.empty-id": [
    call((faulty) => {
      const later = fragmentsOf(faulty).filter((fragment) => fragment.function.name === "");
      assert.ok(later.some(({ id }) => id === "") && later.some(({ id }) => id === null));
      assert.equal(heads(faulty).length, 2);
      sameArguments(faulty);
    }),
  ],
  "tool.name-repeat": [
    call((faulty) => {
      assert.equal(heads(faulty).length, fragmentsOf(faulty).length);
      assert.ok(heads(faulty).length > 4);
      sameArguments(faulty);
    }),
    call((faulty) => {
      assert.deepEqual(
        heads(faulty).map((fragment) => fragment.function.name),
        ["read_", "file", "read_", "file"],
      );
      sameArguments(faulty);
    }, "pieces"),
  ],
  "tool.whole": [badArguments(undefined, ['{"path":"src/app.ts"}', '{"path":"src/b.ts"}'])],
  "tool.args-object": [
    call((faulty) =>
      assert.deepEqual(
        fragmentsOf(faulty).map((fragment) => fragment.function.arguments),
        [{ path: "src/app.ts" }, { path: "src/b.ts" }],
      ),
    ),
  ],
  "tool.late-name": [
    call((faulty) => {
      const first = fragmentsOf(faulty).filter(({ index }) => index === 0);
      assert.deepEqual([first[0]!.function.name, first.at(-1)!.function.name], [undefined, "read_file"]);
      sameArguments(faulty);
    }),
  ],
  "tool.sparse-index": [
    call((faulty) => assert.deepEqual([...new Set(fragmentsOf(faulty).map(({ index }) => index))], [1, 3])),
  ],
  "tool.no-id": [
    call((faulty) => assert.ok(fragmentsOf(faulty).every(({ id }) => id === undefined))),
    call(
      (faulty) =>
        assert.deepEqual(
          heads(faulty).map(({ id }) => id),
          ["call_1", "call_1"],
        ),
      "same",
    ),
  ],
  "tool.interleave": [
    call((faulty) => {
      const order = fragmentsOf(faulty).map(({ index }) => index);
      assert.deepEqual(order.slice(0, 4), [0, 1, 0, 1]);
      for (const [index, expected] of ['{"path":"src/app.ts"}', '{"path":"src/b.ts"}'].entries()) {
        assert.equal(argumentsOf(fragmentsOf(faulty).filter((fragment) => fragment.index === index)), expected);
      }
    }),
  ],
  "tool.prefix-json": [
    call((faulty) => {
      const first = fragmentsOf(faulty).filter(({ index }) => index === 0);
      JSON.parse(String(first[1]!.function.arguments));
      assert.ok(first.length > 3);
      assert.deepEqual(JSON.parse(argumentsOf(first)), { path: "src/app.ts" });
    }),
    call((faulty) => {
      const first = fragmentsOf(faulty).filter(({ index }) => index === 0);
      JSON.parse(String(first[1]!.function.arguments));
      assert.throws(() => JSON.parse(argumentsOf(first)));
    }, "text"),
  ],
  "tool.bad-args": [
    badArguments(undefined, ["", ""]),
    badArguments("null", ["null", "null"]),
    badArguments("double", ['{"path":"src/app.ts"}{"path":"src/app.ts"}', '{"path":"src/b.ts"}{"path":"src/b.ts"}']),
    badArguments("trailing", ['{"path":"src/app.ts"} That should do.', '{"path":"src/b.ts"} That should do.']),
  ],
  "tool.legacy": [
    call((faulty) => {
      const old = deltasOf(faulty).flatMap((delta) => delta.function_call ?? []);
      assert.equal(old[0]!.name, "read_file");
      assert.equal(old.map((part) => part.arguments).join(""), '{"path":"src/app.ts"}');
      assert.equal(fragmentsOf(faulty).length, 0);
    }),
    call((faulty) => {
      assert.ok(fragmentsOf(faulty).every(({ type }) => type === undefined));
      sameArguments(faulty);
    }, "no-type"),
  ],
  "tool.null-list": [nullList(undefined, null), nullList("empty", [])],
});

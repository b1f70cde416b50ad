/** C: the switches for chunks of the chat-completions family, each with the chunks that show it. */
import assert from "node:assert/strict";
import { definedFields } from "../../../../src/base/definedFields";
import { chunksOf, contentOf, deltasOf, type StreamCase, streamCases, type Streamed, textOf } from "./streaming";

const sameAnswer = (faulty: Streamed, plain: Streamed): void => {
  assert.notEqual(contentOf(plain), "");
  assert.equal(contentOf(faulty), contentOf(plain));
};
const reasoningOf = (streamed: Streamed): string =>
  deltasOf(streamed)
    .map(({ reasoning_content: text }) => text ?? "")
    .join("");
const hollow = (value: string | undefined, expected: unknown): StreamCase => ({
  ...definedFields({ value }),
  shows: (faulty, plain) => {
    const more = deltasOf(faulty).length - deltasOf(plain).length;
    assert.ok(more > 10);
    assert.ok(deltasOf(faulty).filter((delta) => Object.is(delta.content, expected)).length >= more);
    sameAnswer(faulty, plain);
  },
});

export const chunkCases = streamCases({
  "chunk.usage-empty-choices": [
    {
      shows: (faulty, plain) => {
        assert.ok(!plain.text.includes('"usage"'));
        const last = chunksOf(faulty).at(-1);
        assert.deepEqual(last?.choices, []);
        assert.equal(last.usage!["completion_tokens"], deltasOf(plain).length - 2);
        sameAnswer(faulty, plain);
      },
    },
  ],
  "chunk.choices-null": [
    {
      shows: (faulty, plain) => {
        const chunks = chunksOf(faulty);
        assert.ok(
          chunks.some(({ choices }) => choices === null) && chunks.some(({ choices }) => choices === undefined),
        );
        sameAnswer(faulty, plain);
      },
    },
  ],
  "chunk.preamble": [
    {
      shows: (faulty, plain) => {
        const [first] = chunksOf(faulty);
        assert.deepEqual(first!.choices, []);
        assert.ok("prompt_filter_results" in first!);
        sameAnswer(faulty, plain);
      },
    },
  ],
  "chunk.usage-each": [
    {
      shows: (faulty, plain) => {
        const counts = chunksOf(faulty).map(({ usage }) => usage!["completion_tokens"]!);
        assert.ok(counts.length > 10 && counts.every((count, index) => index === 0 || count >= counts[index - 1]!));
        assert.ok(counts.at(-1)! > counts[0]!);
        sameAnswer(faulty, plain);
      },
    },
    { value: "null", shows: (faulty) => chunksOf(faulty).forEach(({ usage }) => assert.equal(usage, null)) },
    {
      value: "with-finish",
      shows: (faulty) => {
        const withUsage = chunksOf(faulty).filter(({ usage }) => usage !== undefined);
        assert.deepEqual(
          withUsage.map(({ choices }) => choices![0]!.finish_reason),
          ["stop"],
        );
      },
    },
  ],
  "chunk.content-null": [
    hollow(undefined, null),
    hollow("empty", ""),
    hollow("missing", undefined),
    {
      value: "parts",
      shows: (faulty, plain) => {
        const parts = deltasOf(faulty).flatMap(({ content }) =>
          Array.isArray(content) ? (content as { type: string; text: string }[]) : [],
        );
        assert.ok(parts.every(({ type }) => type === "text"));
        assert.equal(parts.map(({ text }) => text).join(""), contentOf(plain));
      },
    },
  ],
  "chunk.role-repeat": [
    {
      shows: (faulty, plain) => {
        assert.ok(deltasOf(faulty).length > 10 && deltasOf(faulty).every(({ role }) => role === "assistant"));
        sameAnswer(faulty, plain);
      },
    },
  ],
  "chunk.reasoning": [
    {
      prompt: "calls",
      shows: (faulty, plain) => {
        assert.equal(
          deltasOf(faulty)
            .map(({ reasoning }) => reasoning ?? "")
            .join(""),
          reasoningOf(plain),
        );
        assert.equal(reasoningOf(faulty), "");
        assert.notEqual(reasoningOf(plain), "");
      },
    },
    {
      value: "think",
      prompt: "calls",
      shows: (faulty, plain) => {
        assert.equal(contentOf(faulty), `<think>${reasoningOf(plain)}</think>${contentOf(plain)}`);
      },
    },
    {
      value: "both",
      prompt: "calls",
      shows: (faulty, plain) => {
        assert.equal(
          deltasOf(faulty)
            .map(({ reasoning }) => reasoning ?? "")
            .join(""),
          reasoningOf(plain),
        );
        assert.equal(reasoningOf(faulty), reasoningOf(plain));
      },
    },
  ],
  "chunk.cumulative": (["both", "reasoning", "content"] as const).map((value) => ({
    value,
    prompt: "calls" as const,
    shows: (faulty, plain) => {
      const texts = deltasOf(faulty).flatMap(({ content }) =>
        typeof content === "string" && content !== "" ? [content] : [],
      );
      const thoughts = deltasOf(faulty).flatMap(({ reasoning_content: text }) => text ?? []);
      const grows = (list: readonly string[]): boolean => list.every((text, at) => text.startsWith(list[at - 1] ?? ""));
      assert.equal(grows(texts), value !== "reasoning");
      assert.equal(grows(thoughts), value !== "content");
      assert.equal(value === "reasoning" ? texts.join("") : texts.at(-1), contentOf(plain));
      assert.equal(value === "content" ? thoughts.join("") : thoughts.at(-1), reasoningOf(plain));
    },
  })),
  "chunk.no-id": [
    {
      shows: (faulty, plain) => {
        for (const chunk of chunksOf(faulty)) assert.deepEqual(Object.keys(chunk), ["choices"]);
        sameAnswer(faulty, plain);
      },
    },
    {
      value: "changing",
      shows: (faulty, plain) => {
        const ids = chunksOf(faulty).map(({ id }) => id);
        assert.equal(new Set(ids).size, ids.length);
        assert.equal(new Set(chunksOf(faulty).map(({ model }) => model)).size, 2);
        sameAnswer(faulty, plain);
      },
    },
  ],
  "chunk.message": [
    {
      shows: (faulty, plain) => {
        const choices = chunksOf(faulty).flatMap((chunk) => chunk.choices ?? []);
        assert.ok(choices.every(({ delta }) => delta === undefined));
        assert.equal(choices.map(({ message }) => textOf(message!.content)).join(""), contentOf(plain));
      },
    },
    {
      value: "choices",
      shows: (faulty, plain) => {
        for (const { choices } of chunksOf(faulty))
          assert.deepEqual(
            choices!.map(({ index }) => index),
            [1, 0],
          );
        const own = chunksOf(faulty).map(({ choices }) => textOf(choices![1]!.delta!.content));
        assert.equal(own.join(""), contentOf(plain));
      },
    },
  ],
});

/** When a chat asks for an hour in the cache: where most of the person's last pauses need it. */
import assert from "node:assert/strict";
import type { Chat } from "../../../../src/domain/chat/chat";
import { hasLongPauses } from "../../../../src/chat/request/longPauses";

const minute = 60_000;

/** A chat with these pauses before its turns, in minutes; each turn has two answers of a minute, with a tool of ten between them. */
function chatWith(...pauses: readonly number[]): Pick<Chat, "entries"> {
  let at = 0;
  const entries = [0, ...pauses].flatMap((pause, turn) => {
    at += pause * minute;
    const answer = (id: string, wait: number): Chat["entries"][number] => {
      const startedAt = (at += wait * minute);
      at += minute;
      const facts = { family: "messages", model: "m", blocks: [], state: "complete", finish: "stop" } as const;
      return { type: "answer", id, startedAt, endedAt: at, ...facts };
    };
    const prompt: Chat["entries"][number] = { type: "user", id: `u${turn}`, text: "Go", at };
    return [prompt, answer(`a${turn}`, 0), answer(`b${turn}`, 10)];
  });
  return { entries };
}

describe("long pauses", () => {
  const cases: readonly (readonly [readonly number[], boolean])[] = [
    [[], false],
    [[1], false],
    [[10], true],
    [[59], true],
    [[61], false],
    [[1, 10], false],
    [[10, 10, 1], true],
    [[10, 10, 1, 1], false],
    [[1, 1, 1, 10, 10], true],
    [[-5, NaN], false],
  ];
  for (const [pauses, isLong] of cases)
    it(`A8: pauses of ${pauses.join(", ") || "no"} minutes ${isLong ? "ask for an hour" : "do not"}`, () =>
      assert.equal(hasLongPauses(chatWith(...pauses)), isLong));
});

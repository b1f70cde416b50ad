/** Results of tools take a share of what is left of the model's context, and what is cut off can be read (A6, A2). */
import assert from "node:assert/strict";
import { ResultRoom } from "../../../../src/chat/request/resultRoom";
import { emptyChat, toolCalls } from "../../../../src/domain/chat/chat";
import type { CallEffects } from "../../../../src/domain/tools/tool";
import { KeptResults, readResult } from "../../../../src/tools/readResult";
import { callingAnswer } from "../../../support/builders";
import { answers, makeTool } from "../../../support/chatSessions";
import { countedAnswer, summarizedChat } from "../../../support/summarizedChats";

const lines = (count: number): string => Array.from({ length: count }, (_, at) => `line ${at}: schön 字`).join("\n");
const never = new AbortController().signal;

async function readRest(kept: KeptResults, id: string, skip: number, room: number): Promise<string> {
  const prepared = await readResult(kept).prepare({ id, skip }, never);
  const page = await prepared.run(never, { room } as CallEffects);
  assert.ok(typeof page === "string");
  return page;
}

describe("room for results", () => {
  it("A6: each of an answer's results gets a quarter of what those before have left, and gives back what it does not take", () => {
    const room = new ResultRoom(10_000, () => "id");
    assert.equal(room.reserve(), 10_000, "bytes: a quarter of 40,000");
    assert.equal(room.reserve(), 7500);
    room.fit("t", "x".repeat(500), 7500, undefined);
    assert.equal(room.reserve(), Math.floor((22_500 + 7000) / 4));
    assert.equal(new ResultRoom(-5, () => "id").reserve(), 2000, "with less nobody can go on");
  });

  it("A6, A2: a cut result has its beginning and its end, its note is true, and read_result gives exactly what is missing", async () => {
    const kept = new KeptResults();
    const whole = lines(4000);
    const room = new ResultRoom(8000, kept.keep);
    const { result, cutFrom } = room.fit("t", whole, room.reserve(), undefined);
    assert.ok(Buffer.byteLength(result) <= 8000, `${Buffer.byteLength(result)}`);
    assert.equal(cutFrom, whole.length);
    const [note, omitted, id, skip] =
      /\n\((\d+) characters left out here, to fit into your context; read_result with id "(\w+)" and skip (\d+) gives them\)\n/.exec(
        result,
      )!;
    const [head, tail] = result.split(note) as [string, string];
    assert.ok(whole.startsWith(head) && whole.endsWith(tail) && head.length === Number(skip));
    assert.ok(whole.slice(0, head.length + 1).endsWith("\n"), "the beginning ends with a line");
    let missing = "";
    for (let at = Number(skip); missing.length < Number(omitted);) {
      const page = await readRest(kept, id!, at, 4000);
      assert.ok(Buffer.byteLength(page) <= 4000);
      const text = page.slice(0, page.lastIndexOf("\n(characters "));
      missing += text;
      at += text.length;
    }
    assert.ok((head + missing).startsWith(whole.slice(0, whole.length - tail.length)));
  });

  it("A4: what was cut off a result that others may have written is untrusted when it is read", async () => {
    const kept = new KeptResults();
    const [mine, foreign] = [undefined, "example.org"].map((untrusted) => {
      const room = new ResultRoom(0, kept.keep);
      return /id "(\w+)"/.exec(room.fit("t", "x".repeat(5000), room.reserve(), untrusted).result)![1]!;
    });
    const untrustedOf = async (id: string): Promise<string | undefined> =>
      (await readResult(kept).prepare({ id, skip: 0 }, never)).untrusted;
    assert.deepEqual([await untrustedOf(mine!), await untrustedOf(foreign!)], [undefined, "example.org"]);
  });

  it("F6: what is kept has a bound; the oldest result is gone first, and the model is told so", async () => {
    const kept = new KeptResults();
    const ids = Array.from({ length: 20 }, () => kept.keep({ tool: "t", text: "x".repeat(1024 * 1024) }));
    await assert.rejects(readRest(kept, ids[0]!, 0, 4000), /not kept any more/);
    assert.match(await readRest(kept, ids.at(-1)!, 0, 4000), /characters 1 to 3800 of 1048576/);
  });

  it("A6: a session cuts by what its model has left, also where the size is assumed, and the row says from how much", async () => {
    const sizes: (number | undefined)[] = [];
    const tool = makeTool("read", () => Promise.resolve(lines(40_000)));
    const seen = {
      ...tool,
      prepare: async (input: unknown, signal: AbortSignal) => {
        const call = await tool.prepare(input, signal);
        const run = (running: AbortSignal, effects?: CallEffects): Promise<string> => {
          sizes.push(effects?.room);
          return call.run(running, effects) as Promise<string>;
        };
        return { action: call.action, run };
      },
    };
    for (const contextSize of [32_000, undefined]) {
      const chat = summarizedChat(
        {
          answer: (_, index) =>
            index === 1
              ? callingAnswer({ name: "read", input: {} }, { name: "read", input: { b: 1 } })
              : countedAnswer("ok"),
        },
        {
          tools: () => [seen],
          model: () =>
            Promise.resolve({ id: "m", family: "messages", ...(contextSize === undefined ? {} : { contextSize }) }),
        },
        emptyChat("c"),
      );
      await chat.session.submit("read");
      const results = toolCalls(answers(chat.session)[0]!).map(({ progress }) => {
        assert.ok(progress.state === "done" && progress.cutFrom === lines(40_000).length);
        return Buffer.byteLength(progress.result);
      });
      const left = ((contextSize ?? 100_000) - 300) * 4;
      const [first = 0, second = 0] = results;
      assert.ok(first > left / 5 && first <= left / 4 + 1000, `${first} of ${left}`);
      assert.ok(second < first && second > left / 7);
    }
    assert.equal(sizes.length, 4);
    assert.ok(sizes.every((size) => size !== undefined));
  });
});

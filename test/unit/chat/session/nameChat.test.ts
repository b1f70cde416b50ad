/** Titles that the model gives to chats: one small request after the first answer, and never over a person's name. */
import assert from "node:assert/strict";
import { titleIn } from "../../../../src/chat/session/nameChat";
import { titleOf } from "../../../../src/chat/storage/records";
import type { ChatSessions } from "../../../../src/chat/storage/chatSessions";
import { eventsToImport } from "../../../../src/chat/storage/exportChat";
import type { ChatEvent } from "../../../../src/domain/chat/chatEvent";
import { AppFailure } from "../../../../src/domain/errors/appError";
import { readChange } from "../../../../src/chat/storage/index/sqliteChatIndex";
import { answersOf, textAnswer, until } from "../../../support/builders";
import { model } from "../../../support/chatSessions";
import { useChatWindows } from "../../../support/chatWindows";
import { countedAnswer } from "../../../support/summarizedChats";
import { withSettings } from "../../../support/plainOptions";

const never = new AbortController().signal;

describe("titles by the model", () => {
  const { openWindow, folder } = useChatWindows();
  const title = (chats: ChatSessions): string => titleOf(chats.current.state);
  const open = (
    script: { streamChat: Parameters<typeof openWindow>[0] },
    more: Parameters<typeof openWindow>[2] = {},
  ): Promise<ChatSessions> => openWindow(script.streamChat, {}, { makesTitles: () => true, ...more });

  it("V7: the first answer is followed by one request without tools, whose line is the title, also after a reload", async () => {
    const script = answersOf(
      textAnswer("It is a lamp."),
      countedAnswer("“A lamp in the code.”\n", 40),
      textAnswer("more"),
    );
    const chats = await open(script);
    await chats.shown.current.submit("what is lamp.ts?");
    await until(() => title(chats) === "A lamp in the code");
    const [, asked] = script.requests;
    assert.deepEqual(asked?.tools, []);
    assert.match(JSON.stringify(asked.messages), /what is lamp\.ts\?.*It is a lamp\./);
    await chats.shown.current.submit("and then?");
    assert.equal(script.requests.length, 3, "a second answer asks for no title");
    const { id, session } = chats.current;
    const tokens = session.chat.tokens ?? 0;
    await chats.close();
    const again = await openWindow(script.streamChat, { shown: id });
    assert.equal(title(again), "A lamp in the code");
    assert.equal(again.current.session.chat.tokens, tokens);
    const { session: indexed } = await readChange(folder().fileOf(id), id, undefined, never);
    assert.equal(indexed.named, "A lamp in the code");
  });

  it("V7, T10: its tokens count for the chat and its cap, and it is not asked for beyond the cap", async () => {
    const counted = await open(answersOf(countedAnswer("one", 100), countedAnswer("A title", 40)));
    await counted.shown.current.submit("hello");
    await until(() => title(counted) === "A title");
    assert.equal(counted.current.session.chat.tokens, 100 + 10 + 40 + 10);
    const { id } = counted.current;
    await counted.close();
    const { session: indexed } = await readChange(folder().fileOf(id), id, undefined, never);
    assert.equal(indexed.tokens, 160);
    const script = answersOf(countedAnswer("one", 100), textAnswer("never"));
    const capped = await open(
      script,
      withSettings(() => ({ "caps.tokensPerChat": 300 })),
    );
    await capped.shown.current.submit("hello");
    await capped.shown.current.submit("again");
    assert.ok(
      script.requests.every(({ messages }) => messages[0]?.role === "system"),
      "no title was asked for",
    );
  });

  it("V7, T18: its cost is in that of the chat and on the usage page, and it is not asked for beyond the cap of money", async () => {
    const costs = (cap: number): Parameters<typeof open>[1] =>
      withSettings(() => ({ "caps.moneyPerChat": cap, prices: [{ model: model.id, input: 1000, output: 0 }] }));
    const priced = await open(answersOf(countedAnswer("one", 100), countedAnswer("A title", 40)), costs(10));
    await priced.shown.current.submit("hello");
    await until(() => title(priced) === "A title");
    const { id, session } = priced.current;
    assert.deepEqual(session.chat.spent, [{ model: model.id, input: 140, output: 20, cacheRead: 0, cacheWrite: 0 }]);
    await priced.close();
    const { turns } = await readChange(folder().fileOf(id), id, undefined, never);
    assert.deepEqual(
      turns.flatMap(({ usages }) => usages.map(({ input, output }) => [input, output])),
      [[140, 20]],
    );
    // The answer costs 5, and the title about 0.30.
    const script = answersOf(countedAnswer("one", 5000), textAnswer("never"));
    const capped = await open(script, costs(5.2));
    await capped.shown.current.submit("hello");
    await capped.shown.current.submit("again");
    assert.equal(script.requests.length, 1, "no title was asked for");
  });

  it("V7: a name that the person gives stays, also when it comes while the model writes", async () => {
    const gate = Promise.withResolvers<undefined>();
    let count = 0;
    const chats = await open({
      async *streamChat() {
        count += 1;
        if (count === 2) await gate.promise;
        yield* textAnswer(count === 2 ? "The model's" : "hi");
      },
    });
    await chats.shown.current.submit("hello");
    await until(() => count === 2);
    await chats.current.change({ type: "title-set", title: "Mine" });
    gate.resolve(undefined);
    await until(() => (chats.current.session.chat.tokens ?? 0) > 30);
    assert.equal(title(chats), "Mine");
  });

  it("V7: none by the setting, by a demo model, or after a failed answer; a failure of its own is silent", async () => {
    const failing = async function* (): AsyncGenerator<ChatEvent> {
      await Promise.resolve();
      yield* [] as ChatEvent[];
      throw new AppFailure({ kind: "unavailable", message: "no" });
    };
    const off = answersOf(textAnswer("hi"));
    await (await open(off, { makesTitles: () => false })).shown.current.submit("off");
    assert.equal(off.requests.length, 1);
    const demo = answersOf(textAnswer("hi"));
    const demoModel = { ...model, demoModel: true } as const;
    await (await open(demo, { model: () => Promise.resolve(demoModel) })).shown.current.submit("demo");
    assert.equal(demo.requests.length, 1);
    let count = 0;
    const chats = await open({ streamChat: (): AsyncIterable<ChatEvent> => ((count += 1), failing()) });
    await chats.shown.current.submit("failed");
    assert.equal(count, 1, "the answer failed, so there is nothing to name");
    let turns = 0;
    const silent = await open({
      async *streamChat() {
        turns += 1;
        yield* turns === 1 ? textAnswer("hi") : failing();
      },
    });
    await silent.shown.current.submit("silent");
    await until(() => turns === 2);
    assert.equal(title(silent), "silent");
    assert.equal(silent.current.session.chat.entries.length, 2);
  });

  it("V7: Stop and the end of the chat end the request", async () => {
    let aborted = 0;
    let count = 0;
    const chats = await open({
      async *streamChat(_request, signal) {
        count += 1;
        if (count % 2 === 1) yield* textAnswer("hi");
        else
          await new Promise((_, reject) =>
            signal?.addEventListener("abort", () => {
              aborted += 1;
              reject(signal.reason as Error);
            }),
          );
      },
    });
    await chats.shown.current.submit("hello");
    await until(() => count === 2);
    chats.current.session.stop();
    await until(() => aborted === 1);
    chats.create();
    await chats.shown.current.submit("other");
    await until(() => count === 4);
    chats.create();
    await until(() => aborted === 2);
  });

  it("V7: what is no title is none", () => {
    assert.equal(titleIn("  Title: *Fix the parser*.\nAnd more"), "Fix the parser");
    assert.equal(titleIn("## 修复解析器。"), "修复解析器");
    assert.equal(titleIn("<think>\nA title is wanted.\n</think>\nFix the parser"), "Fix the parser");
    assert.equal(titleIn("<think>\nA title is"), "");
    assert.equal(titleIn(`I would be glad to give a title to this conversation, ${"which is long ".repeat(5)}`), "");
    assert.equal(titleIn(" \n"), "");
  });

  it("P4: the tokens of a title are in an exported chat too", async () => {
    const events = await eventsToImport([{ type: "tokens-spent", tokens: 3, at: 1 }]);
    assert.equal(events.length, 1);
  });
});

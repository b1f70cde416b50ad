/** Which models there are: listed, set, typed and learnt, per gateway. */
import assert from "node:assert/strict";
import { Emitter } from "../../../../src/base/event";
import { ModelCatalog, type ModelMemory } from "../../../../src/gateway/modelCatalog";
import { describeError } from "../../../../src/domain/words/describeError";
import { AppFailure } from "../../../../src/domain/errors/appError";
import type { Gateway, Model } from "../../../../src/domain/ports";
import { connectTo, home, keptLog, makeGateway } from "../../../support/builders";

const listed: readonly Model[] = [
  { id: "painter", family: "chat-completions", taskTypes: ["video"] },
  { id: "talker", family: "messages", tools: true },
];

function catalogOver(listModels: Gateway["listModels"], configured: unknown = [], kept?: unknown) {
  const memory = new Map<string, unknown>(kept === undefined ? [] : [[home.origin, kept]]);
  const connections = connectTo(makeGateway({ listModels }));
  const catalog = new ModelCatalog({
    connections,
    log: keptLog(),
    memory: {
      read: (origin) => memory.get(origin),
      write: (origin, value: ModelMemory) => void memory.set(origin, value),
    },
    configured: { read: () => configured, onDidChange: new Emitter<void>().event },
  });
  return { catalog, memory, connections };
}

const chatOf = (catalog: ModelCatalog): Model | undefined => catalog.models.current.chat;

describe("ModelCatalog", () => {
  it("C5: the chat speaks to the first model that is for chat, until another is chosen", async () => {
    const { catalog, memory } = catalogOver(() => Promise.resolve(listed));
    await catalog.load();
    assert.equal(chatOf(catalog)?.id, "talker");
    catalog.choose("painter");
    assert.equal(chatOf(catalog)?.id, "painter");
    const again = catalogOver(() => Promise.resolve(listed), [], memory.get(home.origin));
    await again.catalog.load();
    assert.equal(chatOf(again.catalog)?.id, "painter");
  });

  it("A13: a chat keeps its own model and effort; one that is in no list any more gives way to the one for new chats", async () => {
    const thinking: Model = { id: "thinker", family: "messages", thinking: true };
    const plain: Model = { id: "plain", family: "messages", thinking: false };
    const { catalog } = catalogOver(() => Promise.resolve([...listed, thinking, plain]));
    await catalog.load();
    const idOf = (model?: string): string | undefined => catalog.modelOf(model === undefined ? {} : { model })?.id;
    assert.deepEqual([idOf(), idOf("thinker"), idOf("gone")], ["talker", "thinker", "talker"]);
    catalog.choose("plain");
    assert.deepEqual([idOf(), idOf("thinker"), idOf("gone")], ["plain", "thinker", "plain"]);
    assert.equal(catalog.modelOf({ model: "thinker", effort: "high" })?.thinking, "high");
    assert.equal(catalog.modelOf({ model: "plain", effort: "high" })?.thinking, false);
    assert.equal((await catalog.chatModel({ model: "thinker", effort: "low" }))?.thinking, "low");
  });

  it("C5: a model can be typed in with its family, also where the gateway lists nothing", async () => {
    const fails: Gateway["listModels"] = () =>
      Promise.reject(new AppFailure({ kind: "not-found", message: "no list" }));
    const { catalog, memory } = catalogOver(fails);
    await catalog.load();
    assert.equal(catalog.models.current.error?.kind, "not-found");
    catalog.choose("mine", "generate-content");
    assert.deepEqual(chatOf(catalog), { id: "mine", family: "generate-content" });
    const again = catalogOver(fails, [], memory.get(home.origin));
    await again.catalog.load();
    assert.deepEqual(chatOf(again.catalog), { id: "mine", family: "generate-content" });
  });

  it("C5: a listed model keeps its family for the day when the gateway lists nothing", async () => {
    const { catalog, memory } = catalogOver(() => Promise.resolve(listed));
    await catalog.load();
    catalog.choose("talker");
    const offline = catalogOver(() => Promise.reject(new Error("offline")), [], memory.get(home.origin));
    await offline.catalog.load();
    assert.equal(chatOf(offline.catalog)?.family, "messages");
  });

  it("C5: without a model, a gateway that is down is named, asked once more with the next prompt, and then used", async () => {
    let isDown = true;
    let asked = 0;
    const { catalog } = catalogOver(() => {
      asked += 1;
      return isDown
        ? Promise.reject(new AppFailure({ kind: "unreachable", message: "refused" }))
        : Promise.resolve(listed);
    });
    await catalog.load();
    await assert.rejects(catalog.chatModel(), (failure: unknown) => {
      assert.ok(failure instanceof AppFailure);
      const { title, meaning, secondAction } = describeError(failure.error, "chat");
      assert.equal(title, "The gateway can't be reached: “refused”.");
      assert.equal(meaning, "Nothing was sent, so nothing is paid. Your message is kept.");
      assert.equal(secondAction?.id, "check-connection");
      return true;
    });
    isDown = false;
    assert.equal((await catalog.chatModel())?.id, "talker");
    assert.equal((await catalog.chatModel())?.id, "talker");
    assert.equal(asked, 3);
  });

  it("C5 (finding 21): whether the list was read is known; a gateway that could not be asked is asked again when the person comes back, any other is not", async () => {
    let answer: () => Promise<readonly Model[]> = () =>
      Promise.reject(new AppFailure({ kind: "unreachable", message: "refused" }));
    let asked = 0;
    const { catalog } = catalogOver(() => {
      asked += 1;
      return answer();
    });
    assert.equal(catalog.models.current.isRead, undefined);
    await catalog.load();
    assert.deepEqual([catalog.models.current.isRead, catalog.models.current.error?.kind], [true, "unreachable"]);
    answer = () => Promise.resolve([]);
    await catalog.retry();
    assert.deepEqual([asked, catalog.models.current.error, catalog.models.current.list], [2, undefined, []]);
    await catalog.retry();
    assert.equal(asked, 2);
  });

  it("C5: without a model, a gateway that knows no list leaves the choice to the person", async () => {
    const { catalog } = catalogOver(() =>
      Promise.reject(new AppFailure({ kind: "not-found", message: "no list", status: 404 })),
    );
    await catalog.load();
    assert.equal(await catalog.chatModel(), undefined);
  });

  it("A13: a chat whose chosen model is not known asks no other one while the list can't be read; it is read again with the next prompt", async () => {
    const read = { isDown: true, count: 0 };
    const { catalog } = catalogOver(() => {
      read.count += 1;
      return read.isDown
        ? Promise.reject(new AppFailure({ kind: "unreachable", message: "refused" }))
        : Promise.resolve(listed);
    }, [{ id: "own", family: "messages" }]);
    await catalog.load();
    assert.equal((await catalog.chatModel())?.id, "own");
    assert.equal((await catalog.chatModel({ model: "own" }))?.id, "own");
    assert.equal(read.count, 1);
    const error = { kind: "unreachable", message: "refused", notSent: true };
    await assert.rejects(catalog.chatModel({ model: "talker" }), { error });
    read.isDown = false;
    assert.equal((await catalog.chatModel({ model: "talker" }))?.id, "talker");
    assert.equal(read.count, 3);
    assert.equal((await catalog.chatModel({ model: "gone" }))?.id, "talker");
  });

  for (const kind of ["forbidden", "malformed", "rejected"] as const)
    it(`A13: a chat whose chosen model is not known asks no other one either where the list was answered with an error (${kind})`, async () => {
      let isBroken = true;
      const { catalog } = catalogOver(() =>
        isBroken ? Promise.reject(new AppFailure({ kind, message: "a page" })) : Promise.resolve(listed),
      );
      catalog.choose("own");
      await catalog.load();
      assert.equal((await catalog.chatModel())?.id, "own");
      const error = { kind, message: "a page", notSent: true };
      await assert.rejects(catalog.chatModel({ model: "talker" }), { error });
      isBroken = false;
      assert.equal((await catalog.chatModel({ model: "talker" }))?.id, "talker");
    });

  it("A13: where the list can't be read anew the former one stays, but not for another gateway or key", async () => {
    let answer: () => Promise<readonly Model[]> = () => Promise.resolve(listed);
    const { catalog, connections } = catalogOver(() => answer());
    await catalog.load();
    const ready = connections.current.current;
    assert.ok(ready.state === "ready");
    const refuse = (): Promise<never> =>
      Promise.reject(new AppFailure({ kind: "unavailable", message: "busy", status: 503 }));
    answer = refuse;
    connections.current.set({ state: "starting" });
    assert.deepEqual(catalog.models.current.list, []);
    connections.current.set({ ...ready });
    await catalog.loaded();
    assert.deepEqual([catalog.models.current.list, catalog.models.current.error?.kind], [listed, "unavailable"]);
    assert.equal((await catalog.chatModel({ model: "painter" }))?.id, "painter");
    for (const other of [
      { ...home, origin: "https://other.example" },
      { ...home, account: "other" },
      { ...home, baseUrl: `${home.baseUrl}/other` },
    ]) {
      answer = () => Promise.resolve(listed);
      connections.current.set({ ...ready });
      await catalog.loaded();
      assert.deepEqual(catalog.models.current.list, listed);
      answer = refuse;
      connections.current.set({ ...ready, home: other });
      await catalog.loaded();
      assert.deepEqual(catalog.models.current.list, []);
    }
  });

  it("C5: of two requests for the list the later one counts, whichever is answered first, and a prompt waits for it", async () => {
    const answers: PromiseWithResolvers<readonly Model[]>[] = [];
    const { catalog } = catalogOver(() => {
      const answer = Promise.withResolvers<readonly Model[]>();
      answers.push(answer);
      return answer.promise;
    });
    const first = catalog.load();
    const asked = catalog.chatModel();
    const second = catalog.load();
    answers[0]?.resolve([{ id: "older", family: "messages" }]);
    await first;
    assert.equal(chatOf(catalog), undefined);
    answers[1]?.resolve(listed);
    assert.equal((await asked)?.id, "talker");
    await second;
    assert.equal(chatOf(catalog)?.id, "talker");

    void catalog.load();
    const last = catalog.load();
    answers[3]?.resolve(listed);
    await last;
    answers[2]?.resolve([]);
    await catalog.loaded();
    assert.equal(chatOf(catalog)?.id, "talker");
  });

  it("C5: what the settings say counts over the gateway, field by field; an entry that can't be used is passed over", async () => {
    const configured = [
      { id: "talker", contextSize: 8000, tools: false },
      { id: "own", family: "messages" },
      { id: 7 },
      "x",
    ];
    const { catalog } = catalogOver(() => Promise.resolve(listed), configured);
    await catalog.load();
    assert.deepEqual(
      catalog.models.current.list.find(({ id }) => id === "talker"),
      { id: "talker", family: "messages", contextSize: 8000, tools: false },
    );
    assert.ok(catalog.models.current.list.some(({ id, family }) => id === "own" && family === "messages"));
    assert.equal(catalog.models.current.list.length, 3);
  });

  it("C5: how a model is asked is read from the settings too; what is of another kind spoils only its own entry", async () => {
    const options = { thinking: "high", maxOutputTokens: 9000, temperature: 0, extraBody: { top_k: 3, nested: [{}] } };
    const wrong = [
      { thinking: "much" },
      { maxOutputTokens: 0 },
      { maxOutputTokens: 1.5 },
      { maxOutputTokens: "9" },
      { temperature: -1 },
      { temperature: "0" },
      { extraBody: [] },
      { extraBody: "{}" },
    ].map((entry, at) => ({ id: `wrong-${at}`, ...entry }));
    const { catalog } = catalogOver(() => Promise.resolve(listed), [{ id: "talker", ...options }, ...wrong]);
    await catalog.load();
    assert.deepEqual(catalog.models.current.list, [
      listed[0],
      { id: "talker", family: "messages", tools: true, ...options },
    ]);
  });

  it("T18: the model to fall back on is the listed one, an unlisted id is reached as the model itself, and no model falls back on itself", async () => {
    const entries = ["painter", "elsewhere", "talker"].map((fallback) => ({ id: "talker", fallback }));
    for (const [entry, expected] of [
      [entries[0], listed[0]],
      [entries[1], { id: "elsewhere", family: "messages" }],
      [entries[2], undefined],
    ] as const) {
      const { catalog } = catalogOver(() => Promise.resolve(listed), [entry]);
      await catalog.load();
      const talker = catalog.models.current.list.find(({ id }) => id === "talker");
      assert.ok(talker);
      assert.deepEqual(catalog.fallbackOf(talker), expected);
    }
  });

  it("C5: that a model refused tools is remembered for this gateway, and shown", async () => {
    const { catalog, memory } = catalogOver(() => Promise.resolve(listed));
    await catalog.load();
    catalog.learnWithoutTools("talker", home.origin);
    assert.equal(chatOf(catalog)?.tools, "text");
    const again = catalogOver(() => Promise.resolve(listed), [], memory.get(home.origin));
    await again.catalog.load();
    assert.equal(chatOf(again.catalog)?.tools, "text");
  });

  it("C5, A6: what is learnt of a gateway that is not in use any more is kept for it, and changes nothing at the one in use", async () => {
    const { catalog, memory, connections } = catalogOver(() => Promise.resolve(listed));
    const before = connections.current.current;
    assert.ok(before.state === "ready");
    connections.current.set({ ...before, home: { ...home, origin: "https://other.example" } });
    await catalog.loaded();
    const shown = chatOf(catalog);
    catalog.learnWithoutTools("talker", home.origin);
    catalog.learnContextSize("talker", 32_768, home.origin);
    assert.deepEqual([[...memory.keys()], chatOf(catalog)], [[home.origin], shown]);
    connections.current.set({ state: "starting" });
    catalog.learnContextSize("talker", 16_384, home.origin);
    assert.deepEqual(catalog.models.current.list, []);
    connections.current.set(before);
    await catalog.loaded();
    assert.deepEqual([chatOf(catalog)?.tools, chatOf(catalog)?.contextSize], ["text", 16_384]);
  });

  it("C5: what was learnt is shown, can be undone, and an explicit setting beats it", async () => {
    const { catalog } = catalogOver(() => Promise.resolve(listed));
    await catalog.load();
    catalog.learnWithoutTools("talker", home.origin);
    assert.equal(chatOf(catalog)?.toolsRefused, true);
    catalog.forgetLearnt("talker");
    assert.deepEqual([chatOf(catalog)?.tools, chatOf(catalog)?.toolsRefused], [true, undefined]);
    const set = catalogOver(() => Promise.resolve(listed), [{ id: "talker", tools: true }]);
    await set.catalog.load();
    set.catalog.learnWithoutTools("talker", home.origin);
    assert.deepEqual([chatOf(set.catalog)?.tools, chatOf(set.catalog)?.toolsRefused], [true, undefined]);
    const other = catalogOver(() => Promise.resolve(listed), [{ id: "talker", images: true }]);
    await other.catalog.load();
    other.catalog.learnWithoutTools("talker", home.origin);
    assert.deepEqual([chatOf(other.catalog)?.tools, chatOf(other.catalog)?.images], ["text", true]);
  });

  it("C5, A6: the size of a context that a refusal has named replaces the listed one, is remembered, can be undone, and an explicit setting beats it", async () => {
    const { catalog, memory } = catalogOver(() => Promise.resolve(listed));
    await catalog.load();
    const listedSize = chatOf(catalog)?.contextSize;
    catalog.learnContextSize("talker", 32_768, home.origin);
    catalog.learnContextSize("talker", 1, home.origin);
    const again = catalogOver(() => Promise.resolve(listed), [], memory.get(home.origin));
    await again.catalog.load();
    assert.deepEqual([chatOf(again.catalog)?.contextSize, chatOf(again.catalog)?.contextLearnt], [32_768, true]);
    again.catalog.forgetLearnt("talker");
    assert.deepEqual(
      [chatOf(again.catalog)?.contextSize, chatOf(again.catalog)?.contextLearnt],
      [listedSize, undefined],
    );
    for (const [set, expected] of [
      [{ id: "talker", contextSize: 50_000 }, [50_000, undefined]],
      [{ id: "talker", images: true }, [32_768, true]],
    ] as const) {
      const configured = catalogOver(() => Promise.resolve(listed), [set], memory.get(home.origin));
      await configured.catalog.load();
      configured.catalog.learnContextSize("talker", 32_768, home.origin);
      assert.deepEqual([chatOf(configured.catalog)?.contextSize, chatOf(configured.catalog)?.contextLearnt], expected);
    }
  });

  it("C5: memory of another shape is no memory, and nothing fails", async () => {
    for (const kept of ["talker", { chat: 5 }, null, []]) {
      const { catalog } = catalogOver(() => Promise.resolve(listed), [], kept);
      await catalog.load();
      assert.equal(chatOf(catalog)?.id, "talker");
    }
  });
});

/** The index of chats: made from the files, read on as they grow, and the same after it was deleted. */
import assert from "node:assert/strict";
import { appendFile, mkdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { systemClock } from "../../../../../src/base/async/systemClock";
import { SqliteChatIndex } from "../../../../../src/chat/storage/index/sqliteChatIndex";
import type { TokenUsage } from "../../../../../src/domain/prices/tokenDays";
import { type SessionRecord, writeRecord } from "../../../../../src/chat/storage/records";
import { editedChats } from "../../../../support/editedChats";
import { createTemporaryFolder, type TemporaryFolder } from "../../../../support/temporaryFolder";

function header(id: string, createdAt: number): SessionRecord {
  return { type: "session", version: 1, id, createdAt, workspace: "/work" };
}

/** A prompt and its answer. */
function turn(at: number, prompt: string, answer: string, tokens = 10): readonly SessionRecord[] {
  const id = `a${at}`;
  return [
    { type: "prompt-added", id: `p${at}`, text: prompt, at },
    { type: "turn-started" },
    { type: "answer-started", id, model: "model-x", family: "messages", at },
    { type: "answer-event", id, event: { type: "text-delta", block: 0, text: answer.slice(0, 3) } },
    { type: "answer-event", id, event: { type: "text-delta", block: 0, text: answer.slice(3) } },
    { type: "answer-event", id, event: { type: "usage", input: tokens, output: 0, raw: null } },
    { type: "answer-ended", id, at: at + 1, state: "complete" },
    { type: "turn-ended" },
  ];
}

const written = (records: readonly SessionRecord[]): string => records.map(writeRecord).join("");

for (const fullText of [true, false]) {
  describe(`the chat index ${fullText ? "with" : "without"} full text`, () => {
    let folder: TemporaryFolder;
    let index: SqliteChatIndex;
    let skipped: unknown[];
    let setAside: string[];
    const fileOf = (id: string): string => `${folder.path}/chats/${id}.jsonl`;
    const open = async (): Promise<void> => {
      const [path, sessions] = [`${folder.path}/chats.db`, `${folder.path}/chats`];
      index = await SqliteChatIndex.open({
        path,
        sessions,
        clock: systemClock,
        fullText,
        onSkip: (failure) => skipped.push(failure),
        onSetAside: (file) => setAside.push(file),
      });
    };
    beforeEach(async () => {
      skipped = [];
      setAside = [];
      folder = await createTemporaryFolder();
      await mkdir(`${folder.path}/chats`);
      await writeFile(
        fileOf("one"),
        written([header("one", 1), ...turn(10, "Why is the sky blue?\nTell me.", "Rayleigh scattering")]),
      );
      await writeFile(
        fileOf("two"),
        written([header("two", 2), ...turn(20, "你好，世界", "你也好"), ...turn(30, "a hill", "grass_green")]),
      );
      await open();
    });
    afterEach(async () => {
      await index.close();
      await folder.remove();
    });
    const titles = async (): Promise<readonly string[]> => (await index.list()).map(({ title }) => title);
    const found = async (query: string): Promise<readonly string[]> =>
      (await index.search(query)).map(({ id, entry, line }) => `${id} ${entry} ${line ?? ""}`);

    it("P4: lists by the last event with title, model and tokens", async () => {
      assert.deepEqual(await index.list(), [
        {
          id: "two",
          title: "你好，世界",
          createdAt: 2,
          updatedAt: 31,
          model: "model-x",
          tokens: 20,
          pinned: false,
          workspace: "/work",
        },
        {
          id: "one",
          title: "Why is the sky blue?",
          createdAt: 1,
          updatedAt: 11,
          model: "model-x",
          tokens: 10,
          pinned: false,
          workspace: "/work",
        },
      ]);
    });

    it("P4: a file that has grown is read on, also within its last turn, and a renamed or pinned one is listed so", async () => {
      await index.list();
      const [prompt, ...rest] = turn(40, "one more", "ocean deep");
      await appendFile(fileOf("one"), written([prompt!, ...rest.slice(0, 3)]));
      assert.deepEqual(await titles(), ["Why is the sky blue?", "你好，世界"]);
      assert.deepEqual(await found("deep"), []);
      await appendFile(fileOf("one"), written(rest.slice(3)));
      await appendFile(
        fileOf("two"),
        written([
          { type: "title-set", title: "Hills" },
          { type: "pin-set", pinned: true },
        ]),
      );
      const list = await index.list();
      assert.deepEqual(
        list.map(({ title, pinned, tokens }) => [title, pinned, tokens]),
        [
          ["Hills", true, 20],
          ["Why is the sky blue?", false, 20],
        ],
      );
      assert.deepEqual(await found("deep"), ["one a40 ocean deep"]);
    });

    it("P4: a chat whose first prompt was edited or taken back is listed by the branch that is shown, read at once or on", async () => {
      const prompt = (text: string, replaces?: string): SessionRecord => ({
        type: "prompt-added",
        id: text,
        text,
        at: 50,
        ...(replaces === undefined ? {} : { replaces }),
      });
      for (const [at, [records, title]] of editedChats(prompt).entries()) {
        const [whole, grown] = [`whole${at}`, `grown${at}`];
        await writeFile(fileOf(whole), written([header(whole, 3), ...records]));
        await writeFile(fileOf(grown), written([header(grown, 3)]));
        for (const record of records) {
          await appendFile(fileOf(grown), written([record]));
          await index.list();
        }
        const listed = await index.list();
        for (const id of [whole, grown]) assert.equal(listed.find((one) => one.id === id)?.title, title, id);
      }
    });

    it("P4: finds all words of a query, also their beginnings and those of scripts without blanks", async () => {
      await index.list();
      assert.deepEqual(await found("rayl scat"), ["one a10 Rayleigh scattering"]);
      assert.deepEqual(await found("TELL"), ["one p10 Tell me."]);
      assert.deepEqual(await found("世界"), ["two p20 你好，世界"]);
      assert.deepEqual(await found("grass_g"), ["two a30 grass_green"]);
      assert.deepEqual(await found("nothing of it"), []);
      for (const odd of ['"', "* OR", "NEAR(", "-", "a AND", "'; DROP TABLE session"]) await index.search(odd);
    });

    it("P4: finds what tools were asked and what they returned, and the prompts of tasks", async () => {
      const [prompt, started, answer] = turn(50, "make it", "");
      const action = { type: "call", name: "submit_task" } as const;
      const input = { prompt: "a lighthouse\nat dusk" };
      const call = { type: "answer-event", id: "a50" } as const;
      await appendFile(
        fileOf("one"),
        written([
          ...[prompt!, started!, answer!],
          { ...call, event: { type: "tool-call-start", block: 0, call: "c", name: "submit_task" } },
          { ...call, event: { type: "tool-call-end", call: "c", input } },
          {
            type: "tool-progress",
            id: "a50",
            call: "c",
            progress: { state: "done", input, action, result: "Submitted as quokka." },
          },
        ]),
      );
      await index.list();
      assert.deepEqual(await found("dusk"), ["one a50 at dusk"]);
      assert.deepEqual(await found("quokka"), ["one a50 Submitted as quokka."]);
    });

    it("P4: deleted, damaged or read by nobody for long, it is made again from the files", async () => {
      const before = [await index.list(), await found("rayleigh")];
      const path = `${folder.path}/chats.db`;
      await rm(path);
      assert.deepEqual([await index.list(), await found("rayleigh")], before);
      await index.close();
      await truncate(path, Math.floor((await stat(path)).size / 2));
      await open();
      assert.deepEqual([await index.list(), await found("rayleigh")], before);
      await index.close();
      await writeFile(path, "no database at all");
      await open();
      assert.deepEqual([await index.list(), await found("rayleigh")], before);
      assert.equal(setAside.length, 2);
      assert.equal(await readFile(setAside[1]!, "utf8"), "no database at all");
    });

    it("T13, A8: what models took is counted by turn, with what came from the cache; again when a turn goes on, and not what others spent before an import", async () => {
      const usageOf = async (since = 0): Promise<readonly TokenUsage[]> =>
        (await index.usage(since)).toSorted((one, other) => one.at - other.at);
      const plain = { model: "model-x", input: 10, output: 0, cached: 0 };
      assert.deepEqual(await usageOf(), [
        { at: 10, ...plain },
        { at: 20, ...plain },
        { at: 30, ...plain },
      ]);
      assert.deepEqual(await usageOf(25), [{ at: 30, ...plain }]);
      const used = (id: string, model: string, cacheRead: number): readonly SessionRecord[] => [
        { type: "answer-started", id, model, family: "messages", at: 32 },
        {
          type: "answer-event",
          id,
          event: { type: "usage", input: 1000, output: 20, cacheRead, raw: null },
        },
        { type: "answer-ended", id, at: 33, state: "complete" },
      ];
      await appendFile(fileOf("two"), written([...used("b", "model-y", 900), ...used("c", "model-y", 5000)]));
      assert.deepEqual(await usageOf(30), [
        { at: 30, ...plain },
        { at: 32, model: "model-y", input: 2000, output: 40, cached: 1900 },
      ]);
      const imported: SessionRecord = { type: "chat-imported", untrusted: "a file" };
      const others = [header("three", 3), ...turn(40, "hi", "ho"), ...turn(50, "ha", "hu"), imported];
      await writeFile(fileOf("three"), written([...others, ...turn(60, "mine", "yes")]));
      assert.deepEqual(await usageOf(40), [{ at: 60, ...plain }]);
      await rm(fileOf("two"));
      assert.deepEqual(await usageOf(20), [{ at: 60, ...plain }]);
      // T18: what the local gateway has answered is counted apart, because it is free.
      const free = used("d", "model-y", 0).map((record) =>
        record.type === "answer-started" ? { ...record, isFree: true as const } : record,
      );
      await appendFile(fileOf("three"), written([...free, ...used("e", "model-y", 0)]));
      const counted = { model: "model-y", input: 1000, output: 20, cached: 0 };
      assert.deepEqual(
        (await usageOf(20)).filter(({ model }) => model === "model-y"),
        [
          { at: 32, ...counted, isFree: true },
          { at: 32, ...counted },
        ],
      );
    });

    it("T13: what was regenerated or rewound is counted all the same, each answer once, also after an undo", async () => {
      const answer = (id: string, at: number, input: number): readonly SessionRecord[] => [
        { type: "answer-started", id, model: "model-x", family: "messages", at },
        { type: "answer-event", id, event: { type: "usage", input, output: 0, raw: null } },
        { type: "answer-ended", id, at: at + 1, state: "complete" },
      ];
      const usageOf = async (): Promise<readonly unknown[]> =>
        (await index.usage(40)).map(({ at, input, cost }) => [at, input, cost?.amount]);
      const replaced = (from: string): SessionRecord => ({ type: "entries-replaced", from });
      const again = [replaced("a40"), ...answer("b", 42, 100), replaced("b"), ...answer("c", 44, 1000)];
      const path = fileOf("three");
      await writeFile(path, written([header("three", 3), ...turn(40, "hi", "ho"), ...again]));
      assert.deepEqual(await usageOf(), [[40, 1110, undefined]]);
      await appendFile(path, written([{ type: "branch-switched" }]));
      assert.deepEqual(await usageOf(), [[40, 1110, undefined]]);
      const cost = { amount: 0.5, currency: "USD", source: "gateway" } as const;
      const title: SessionRecord = {
        type: "tokens-spent",
        tokens: 7,
        of: { model: "namer", input: 7, output: 0, cacheRead: 0, cacheWrite: 0 },
        cost,
        at: 46,
      };
      await appendFile(path, written([title, replaced("p40")]));
      const rewound = [
        [40, 1110, undefined],
        [46, 7, 0.5],
      ];
      assert.deepEqual(await usageOf(), rewound);
      const before = (await index.list()).find(({ id }) => id === "three");
      assert.deepEqual([before?.tokens, before?.updatedAt], [1117, 45]);
      await rm(`${folder.path}/chats.db`);
      assert.deepEqual(await usageOf(), rewound);
      assert.deepEqual(
        (await index.list()).find(({ id }) => id === "three"),
        before,
      );
      await appendFile(path, written(turn(50, "new", "yes")));
      assert.deepEqual(await usageOf(), [...rewound, [50, 10, undefined]]);
      assert.equal((await index.list()).find(({ id }) => id === "three")?.title, "new");
    });

    it("T13: chats that were indexed before replaced answers were counted are read anew", async () => {
      const counted = await index.usage(0);
      await index.close();
      const database = new DatabaseSync(`${folder.path}/chats.db`);
      database.exec("UPDATE usage SET input = 0; PRAGMA user_version = 3;");
      database.close();
      await open();
      assert.deepEqual(await index.usage(0), counted);
    });

    it("P4: whatever a gateway has counted, every chat is listed with a count that can be shown", async () => {
      const counts = { fraction: 12.5, negative: -5, huge: 1e300 };
      for (const [id, tokens] of Object.entries(counts))
        await writeFile(
          fileOf(id),
          written([header(id, 3), ...turn(40, id, "hi", tokens), ...turn(50, "b", "c", tokens)]),
        );
      const listed = new Map((await index.list()).map(({ id, tokens }) => [id, tokens]));
      assert.equal(listed.size, 5);
      assert.deepEqual(
        Object.keys(counts).map((id) => listed.get(id)),
        [26, 0, Number.MAX_SAFE_INTEGER],
      );
    });

    it("P4: a chat that the database refuses is skipped and reported once, and the others are listed", async () => {
      await index.list();
      const database = new DatabaseSync(`${folder.path}/chats.db`);
      database.exec(
        `CREATE TRIGGER refuse BEFORE INSERT ON session WHEN new.id = 'bad' BEGIN SELECT RAISE(ABORT, 'no'); END`,
      );
      database.close();
      await writeFile(fileOf("bad"), written([header("bad", 3), ...turn(40, "bad", "hi")]));
      await writeFile(fileOf("good"), written([header("good", 3), ...turn(50, "good", "hi")]));
      for (let time = 0; time < 2; time += 1) assert.ok(!(await titles()).includes("bad"));
      assert.deepEqual(await titles(), ["good", "你好，世界", "Why is the sky blue?"]);
      assert.equal(skipped.length, 1);
    });

    it("P4: a deleted chat is gone from list and search, and comes back with its file", async () => {
      await index.list();
      const text = written([header("one", 1), ...turn(10, "again", "Rayleigh")]);
      await rm(fileOf("one"));
      assert.deepEqual(await titles(), ["你好，世界"]);
      assert.deepEqual(await found("rayleigh"), []);
      await writeFile(fileOf("one"), text);
      assert.deepEqual(await titles(), ["你好，世界", "again"]);
      // Shorter than before: another file under the same name.
      await writeFile(fileOf("two"), written([header("two", 2), ...turn(5, "short", "s")]));
      assert.deepEqual(await titles(), ["again", "short"]);
      assert.deepEqual(await found("green"), []);
    });
  });
}

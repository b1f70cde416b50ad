/** The list of the last chats: as the folder is after the newest change, whatever is shown. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { Emitter } from "../../../../src/base/event";
import { Store } from "../../../../src/base/store";
import { emptyChat } from "../../../../src/domain/chat/chat";
import { reduceChat } from "../../../../src/domain/chat/reduceChat";
import { type SessionRecord, writeRecord } from "../../../../src/chat/storage/records";
import { SessionFolder } from "../../../../src/chat/storage/sessionFolder";
import { type OpenChats, RecentChats } from "../../../../src/chat/view/recentChats";
import { eventually } from "../../../support/eventually";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";

const empty = { chat: emptyChat("shown") };
const prompt = { type: "prompt-added", id: "p", text: "hello", at: 0 } as const;
const used = { chat: reduceChat(empty.chat, prompt) };

const noneOpen: OpenChats = { open: new Map(), onDidChange: new Emitter<void>().event };

describe("the list of the last chats", () => {
  let temporary: TemporaryFolder;
  let folder: SessionFolder;
  let recent: RecentChats | undefined;
  beforeEach(async () => {
    temporary = await createTemporaryFolder();
    folder = new SessionFolder(`${temporary.path}/chats`);
    await mkdir(folder.path, { recursive: true });
    for (const id of ["one", "two"]) {
      const records: readonly SessionRecord[] = [{ type: "session", version: 1, id, createdAt: 0 }, prompt];
      await writeFile(folder.fileOf(id), records.map(writeRecord).join(""));
    }
  });
  afterEach(async () => {
    recent?.dispose();
    await temporary.remove();
  });
  const names = (): string[] | undefined => recent?.list.current.map(({ id }) => id).toSorted();
  const shows = (...ids: readonly string[]): Promise<void> =>
    eventually(`the list is ${ids.join(", ")}`, () => names()?.join() === ids.join());

  it("N6, P4: a chat that is deleted while the view shows another one leaves the list, which a tab may show", async () => {
    const session = new Store(empty);
    recent = new RecentChats(session, folder, noneOpen);
    await shows("one", "two");
    session.set(used);
    await folder.discard("one");
    recent.refresh();
    await shows("two");
  });

  it("P4: a chat that waits for the person is marked, and no longer once it was answered", async () => {
    const changed = new Emitter<void>();
    const session = { waitingCount: 1 };
    recent = new RecentChats(new Store(empty), folder, {
      open: new Map([["two", { session }]]),
      onDidChange: changed.event,
    });
    const waiting = (): readonly string[] =>
      recent!.list.current.filter(({ waits }) => waits === true).map(({ id }) => id);
    await shows("one", "two");
    assert.deepEqual(waiting(), ["two"]);
    session.waitingCount = 0;
    changed.fire();
    assert.deepEqual(waiting(), []);
    session.waitingCount = 2;
    changed.fire();
    assert.deepEqual(waiting(), ["two"]);
  });

  it("N6, P4: what was read before the deletion does not bring the chat back", async () => {
    const gate = Promise.withResolvers<undefined>();
    const read = Promise.withResolvers<undefined>();
    let lists = 0;
    const slow: Pick<SessionFolder, "list" | "fileOf"> = {
      fileOf: (id) => folder.fileOf(id),
      list: async () => {
        lists += 1;
        // Counted when it is asked for: of two readings at once, the one that began later may end first.
        if (lists > 1) return await folder.list();
        await gate.promise;
        // The reading that has waited ends in the ticks after this one.
        setImmediate(() => read.resolve(undefined));
        return [];
      },
    };
    recent = new RecentChats(new Store(empty), slow, noneOpen);
    recent.refresh();
    await shows("one", "two");
    gate.resolve(undefined);
    await read.promise;
    assert.deepEqual(names(), ["one", "two"]);
  });
});

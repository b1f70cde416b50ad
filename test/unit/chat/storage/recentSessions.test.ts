/** The last chats, read from their files alone. */
import assert from "node:assert/strict";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { recentSessions } from "../../../../src/chat/view/recentChats";
import { SessionFolder } from "../../../../src/chat/storage/sessionFolder";
import { type SessionRecord, writeRecord } from "../../../../src/chat/storage/records";
import { editedChats } from "../../../support/editedChats";
import { createTemporaryFolder } from "../../../support/temporaryFolder";

const { signal } = new AbortController();

describe("the last chats", () => {
  it("P4: five at most, newest first, named as a person named them or by their first prompt; none without a folder", async () => {
    const temporary = await createTemporaryFolder();
    try {
      const folder = new SessionFolder(`${temporary.path}/chats`);
      assert.deepEqual(await recentSessions(folder, 5, signal), []);
      await mkdir(folder.path, { recursive: true });
      const write = async (id: string, second: number, ...records: readonly SessionRecord[]): Promise<void> => {
        const header: SessionRecord = { type: "session", version: 1, id, createdAt: 0 };
        await writeFile(folder.fileOf(id), [header, ...records].map(writeRecord).join(""));
        await utimes(folder.fileOf(id), second, second);
      };
      const prompt = (text: string): SessionRecord => ({ type: "prompt-added", id: text, text, at: 0 });
      await write("empty", 90);
      await write(
        "named",
        80,
        prompt("first"),
        { type: "title-set", title: "Old" },
        { type: "title-set", title: "Name" },
      );
      await write("unnamed", 70, prompt("one\nmore"), prompt("two"), { type: "title-set", title: "" });
      for (let index = 0; index < 5; index += 1) await write(`c${index}`, 60 - index, prompt(`chat ${index}`));
      await writeFile(`${folder.path}/notes.txt`, "no chat");
      assert.deepEqual(await recentSessions(folder, 5, signal), [
        { id: "named", title: "Name", at: 80_000 },
        { id: "unnamed", title: "one", at: 70_000 },
        ...[0, 1, 2].map((index) => ({ id: `c${index}`, title: `chat ${index}`, at: (60 - index) * 1000 })),
      ]);
    } finally {
      await temporary.remove();
    }
  });

  it("P4: a chat whose first prompt was edited is named by the branch that is shown, as its tab is", async () => {
    const temporary = await createTemporaryFolder();
    try {
      const folder = new SessionFolder(`${temporary.path}/chats`);
      await mkdir(folder.path, { recursive: true });
      const header: SessionRecord = { type: "session", version: 1, id: "one", createdAt: 0 };
      const prompt = (text: string, replaces?: string): SessionRecord => ({
        type: "prompt-added",
        id: text,
        text,
        at: 0,
        ...(replaces === undefined ? {} : { replaces }),
      });
      for (const [records, title] of editedChats(prompt)) {
        await writeFile(folder.fileOf("one"), [header, ...records].map(writeRecord).join(""));
        assert.equal((await recentSessions(folder, 5, signal))[0]?.title, title, JSON.stringify(records));
      }
    } finally {
      await temporary.remove();
    }
  });
});

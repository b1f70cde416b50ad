/** Chats of one window that are chosen, opened and changed before the work on them has ended. */
import assert from "node:assert/strict";
import { type SessionRecord, writeRecord } from "../../../../src/chat/storage/records";
import { answersOf, textAnswer, until } from "../../../support/builders";
import { useChatWindows } from "../../../support/chatWindows";

describe("chats that are opened at the same time", () => {
  const { openWindow, folder } = useChatWindows();
  const write = (id: string, prompts: number): Promise<void> => {
    const text = "slow ".repeat(200);
    const head: SessionRecord = { type: "session", version: 1, id, createdAt: 1 };
    const events = Array.from(
      { length: prompts },
      (_, at) => ({ type: "prompt-added", id: `p${at}`, text, at }) as const,
    );
    return folder().add(id, [head, ...events].map(writeRecord));
  };

  it("P4: of two chats that are chosen one after the other the last is shown, though the first is slower to read", async () => {
    const chats = await openWindow(answersOf().streamChat);
    await write("small", 1);
    await write("large", 3000);
    await Promise.all([chats.show("large"), chats.show("small")]);
    assert.equal(chats.current.id, "small");
    assert.deepEqual([...chats.open.keys()], ["small"]);
  });

  it("P4: a new chat that was begun while another one is read stays", async () => {
    const chats = await openWindow(answersOf(textAnswer("one")).streamChat);
    await chats.shown.current.submit("hello");
    await write("large", 3000);
    const showing = chats.show("large");
    chats.create();
    const { id } = chats.current;
    await showing;
    assert.equal(chats.current.id, id);
  });

  it("P4: two changes of a closed chat at once are both written, and none says that another window writes it", async () => {
    const chats = await openWindow(answersOf(textAnswer("one")).streamChat);
    await chats.shown.current.submit("hello");
    const { id } = chats.current;
    chats.create();
    await until(() => !chats.open.has(id));
    const done = await Promise.all([
      chats.use(id, (stored) => stored.change({ type: "pin-set", pinned: true })),
      chats.use(id, (stored) => stored.change({ type: "title-set", title: "Greeting" })),
    ]);
    assert.deepEqual(done, [true, true]);
  });

  it("P4: a job is added to a chat that is opened at the same time", async () => {
    const chats = await openWindow(answersOf(textAnswer("one")).streamChat);
    await chats.shown.current.submit("hello");
    const { id } = chats.current;
    for (let round = 0; round < 20; round += 1) {
      chats.view.leave();
      await until(() => !chats.open.has(id));
      const [, added] = await Promise.all([
        chats.show(id),
        chats.use(id, ({ session }) => session.addTasks("a hill", ["11111111-1111-4111-8111-111111111111"])),
      ]);
      assert.ok(added, `round ${round}: the card is lost`);
      assert.equal(chats.current.access.current.state, "writing", `round ${round}`);
    }
  });

  it("P4: two pages that open one chat at once write it", async () => {
    const chats = await openWindow(answersOf(textAnswer("one")).streamChat);
    await chats.shown.current.submit("hello");
    const { id } = chats.current;
    for (let round = 0; round < 30; round += 1) {
      chats.view.leave();
      await until(() => !chats.open.has(id));
      const [, tab] = await Promise.all([chats.show(id), chats.openPage(id)]);
      assert.equal(chats.current.access.current.state, "writing", `round ${round}`);
      tab.dispose();
    }
  });
});

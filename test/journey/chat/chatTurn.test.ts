/** A turn of the chat with a tool that asks: allowed, the file changed, and undone. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { openChat } from "../../support/fakeVscode/chatPage";
import { closeWindows, openWindow } from "../../support/fakeVscode/openWindow";

const change = '```calls\nedit_file {"path": "notes.md", "oldText": "lantern", "newText": "boat"}\n```';

describe("a turn of the chat", () => {
  afterEach(closeWindows);

  it("A1, A5: an edit that is allowed changes the file, and Undo takes it back", async () => {
    const { window, folder, person } = await openWindow({ files: { "notes.md": "A lantern at noon\n" } });
    const chat = await openChat(window);
    const text = (): Promise<string> => readFile(path.join(folder, "notes.md"), "utf8");
    await chat.ask(change);
    const { action } = await chat.approval();
    assert.equal(action.type, "edit-file");
    assert.equal(await text(), "A lantern at noon\n");
    await chat.decide(true);
    await chat.ended();
    assert.equal(await text(), "A boat at noon\n");
    const undoing = person.start("sluice.chat.manage", "undo");
    await person.answer(/Undo the change of 1 file/, "Undo");
    await undoing.ended();
    assert.equal(await text(), "A lantern at noon\n");
  });

  it("P1: what is taken from a message that is edited is not sent again with it", async () => {
    const { window } = await openWindow({ files: { "notes.md": "A lantern at noon\n", "more.md": "A pier\n" } });
    const chat = await openChat(window);
    const sent = (): readonly (string | undefined)[] =>
      chat.entries.flatMap((entry) => (entry.type === "user" ? (entry.attachments ?? []) : [])).map(({ path }) => path);
    const references = [{ path: "notes.md" }, { path: "more.md" }];
    chat.send({ type: "prompt-submit", chat: chat.chat.id, text: "Look.", references });
    await chat.until("the answer", () => chat.answers.some(({ state }) => state === "complete"));
    assert.deepEqual(sent(), ["notes.md", "more.md"]);
    const [first] = chat.entries;
    chat.send({ type: "prompt-resend", entry: first?.id ?? "", text: "Look again.", without: [0] });
    await chat.until("it is sent", ({ entries }) => entries[0]?.id !== first?.id && !chat.chat.running);
    assert.deepEqual(sent(), ["more.md"]);
  });

  it("P4: a chat that was deleted comes back by Undo, and is shown unless another one is by then", async () => {
    const { window, person } = await openWindow();
    const chat = await openChat(window);
    await chat.turn("Remember the lantern");
    const { id } = chat.chat;
    for (const next of [undefined, "Remember the boat"]) {
      const deleting = person.start("sluice.chat.manage", "delete");
      await person.message(/was deleted/);
      await chat.until("an empty chat is shown", () => chat.chat.id !== id && chat.entries.length === 0);
      if (next !== undefined) await chat.turn(next);
      const { id: shown } = chat.chat;
      await person.answer(/was deleted/, "Undo");
      await deleting.ended();
      if (next === undefined) await chat.until("it is shown again", () => chat.chat.id === id);
      else assert.equal(chat.chat.id, shown);
    }
  });

  it("C5 (newuser L8): that another model reads the chat anew stays in view while an id is typed", async () => {
    const { window, person } = await openWindow();
    const chat = await openChat(window);
    await chat.ask("Hello");
    await chat.ended();
    const choosing = person.palette("Sluice: Choose Model…");
    await person.step("Model, or type another id");
    await person.type("demo");
    assert.match(person.pick.state.title ?? "", /^Choose Model · Another model reads this chat anew/);
    await person.escape();
    await choosing.ended();
  });

  it("V4 (newuser L17): the walkthrough has a tick for what was done, set once, also where it is opened later", async () => {
    const { window, reload } = await openWindow();
    const ticks = (of: typeof window): readonly string[] =>
      of.ran.flatMap(([id, step]) =>
        id === "welcome.markStepComplete" ? [String(step).replace(/^.*#start#/, "")] : [],
      );
    const chat = await openChat(window);
    assert.deepEqual(ticks(window), ["local"]);
    await chat.ask("Hello");
    await chat.ended();
    await window.until("the tick", () => ticks(window).length > 1);
    assert.deepEqual(ticks(window), ["local", "chat"]);
    const next = await reload();
    const again = await openChat(next.window);
    await again.ask("Hello again");
    await again.ended();
    assert.deepEqual(ticks(next.window), []);
  });

  it("A1: an edit that is refused leaves the file as it is", async () => {
    const { window, folder } = await openWindow({ files: { "notes.md": "A lantern at noon\n" } });
    const chat = await openChat(window);
    await chat.ask(change);
    await chat.decide(false, { note: "Not now" });
    await chat.ended();
    assert.equal(chat.calls[0]?.progress.state, "denied");
    assert.equal(await readFile(path.join(folder, "notes.md"), "utf8"), "A lantern at noon\n");
  });
});

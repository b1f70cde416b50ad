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

/** Turns that go on without their page: counted in the status bar, and told when they ask or have answered; readers; and what Choose Model has below the models (A13). */
import assert from "node:assert/strict";
import { type ChatPage, openChat } from "../../support/fakeVscode/chatPage";
import type { ShownStatus } from "../../support/fakeVscode/messages";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";

/** Its turn runs until it is stopped, at a question. */
const asking = 'Go on.\n\n```calls\nwrite_file {"path": "notes.md", "content": "a"}\n```';
/** The text of the notification has the first line of the prompt. */
const title = "Go on.";

describe("chats in the background", () => {
  let opened: OpenedWindow;
  let chat: ChatPage;
  before(async () => {
    opened = await openWindow({ sample: true, settings: { "sluice.notifications": "all" } });
    chat = await openChat(opened.window);
  });
  afterEach(async () => {
    for (const { session } of opened.inside.app.chats.open.values()) session.stop();
    await opened.window.showView("sluice.chat");
    await opened.person.palette("Sluice: New Chat").ended();
  });
  after(closeWindows);

  const status = (): ShownStatus | undefined => opened.window.messages.status.find(({ id }) => id === "sluice.chats");
  const counted = (): Promise<ShownStatus> => opened.window.until("a chat is counted", status);
  const clickStatus = async (): Promise<void> => {
    await opened.person.run((await counted()).command ?? "");
  };

  it("A13, T11: New Chat leaves a chat that works to itself; it is counted, and shown again by the status bar", async () => {
    const { window, person } = opened;
    await chat.ask(asking);
    await chat.approval();
    const { id } = chat.chat;
    assert.equal(status(), undefined, "a chat in view is not counted");
    await person.palette("Sluice: New Chat").ended();
    assert.notEqual(chat.chat.id, id);
    await chat.until("the empty chat lists it", ({ snapshot }) =>
      snapshot.status.recent?.some((recent) => recent.id === id && recent.waits === true),
    );
    assert.match((await counted()).tooltip, /1 chat works in the background\. 1 waits for you\./);
    await clickStatus();
    await chat.until("its chat is shown", (page) => page.chat.id === id);
    await window.until("no chat is counted", () => status() === undefined);
    chat.send({ type: "turn-stop" });
    assert.equal((await chat.ended()).state, "complete");
    assert.equal(chat.calls[0]?.progress.state, "stopped");
  });

  it("A13, T11: a chat that comes to a question while its view is hidden says so, and the status bar leads to it", async () => {
    const { window, person } = opened;
    await chat.ask(asking);
    window.hideView("sluice.chat");
    const told = await person.message(`The chat “${title}” waits for you.`);
    assert.deepEqual([told.severity, told.isModal, told.actions], ["info", false, ["Show", "Don't Notify"]]);
    assert.match((await counted()).tooltip, /1 waits for you\./);
    assert.equal(window.isViewVisible("sluice.chat"), false, "nothing opens by itself");
    await clickStatus();
    assert.equal(window.isViewVisible("sluice.chat"), true);
    await chat.decide(false);
    await chat.ended();
    told.answer();
  });

  it("A13, T11: a chat that has answered while its view is hidden says so, and Show leads to it", async () => {
    const { window, person } = opened;
    await chat.ask("Write 3 paragraphs");
    const { id } = chat.chat;
    window.hideView("sluice.chat");
    const told = await person.message("The chat “Write 3 paragraphs” has answered.");
    assert.deepEqual([status(), window.isViewVisible("sluice.chat")], [undefined, false]);
    told.answer("Show");
    await window.until("the view is shown", () => window.isViewVisible("sluice.chat"));
    await chat.until("its answer is shown", (page) => page.chat.id === id && !page.chat.running);
  });

  it("A13: a reader's answer is one call, with what it took and what it did", async () => {
    await chat.turn("Explore: find lantern, then read hero.prompts.md");
    const [call] = chat.calls;
    const { progress, steps = [] } = call ?? {};
    assert.ok(progress?.state === "done" && progress.action.type === "explore");
    assert.deepEqual([progress.action.calls, (progress.action.tokens ?? 0) > 0], [2, true]);
    assert.deepEqual(
      steps.map(({ action, state }) => [action.type, state]),
      [
        ["find-text", "done"],
        ["read-file", "done"],
      ],
    );
  });

  it("A13, C5: Choose Model lists effort and mode below the models, and returns to it from them", async () => {
    const { person } = opened;
    const choosing = person.palette("Sluice: Choose Model…");
    await person.step("Model, or type another id", "Thinking Effort…");
    const place = (name: string): number => person.pick.rows.findIndex(({ label }) => label.includes(name));
    const places = ["demo-chat", "Thinking Effort…", "Mode…"].map(place);
    assert.ok(places[0] !== -1);
    assert.deepEqual(
      places,
      places.toSorted((one, other) => one - other),
    );
    await person.choose("Thinking Effort…");
    await person.step("How much the model thinks");
    await person.choose("high effort");
    await person.step("Model, or type another id", "Mode…");
    await person.choose("Mode…");
    await person.step("What the model may do in this chat");
    await person.back();
    await person.step("Model, or type another id", "Mode…");
    await person.escape();
    await choosing.ended();
    await chat.until("the effort", ({ snapshot }) => snapshot.status.effort === "high");
  });
});

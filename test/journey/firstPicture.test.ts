/** How far a new person is from the first picture, by step 2 of the README. */
import assert from "node:assert/strict";
import { openChat } from "../support/fakeVscode/chatPage";
import { closeWindows, type OpenedWindow, openWindow } from "../support/fakeVscode/openWindow";
import { tasksView } from "../support/submitSteps";

describe("the first picture of the README", () => {
  let opened: OpenedWindow;
  beforeEach("open a window that nobody has used", async () => {
    opened = await openWindow({ sample: true, gateway: "process" });
  });
  afterEach(closeWindows);

  it("P6 (newuser H3, L17): step 2: the gate, the row that makes a picture, Allow: three clicks", async () => {
    const { window, person } = opened;
    const { effort: before } = person;
    await person.openView("sluice.chat");
    const chat = await openChat(window);
    const { text } = await chat.until("a row that makes a picture", ({ snapshot }) =>
      snapshot.status.suggestions.find(({ kind }) => kind === "make"),
    );
    person.clickIn(chat, { type: "prompt-submit", chat: chat.chat.id, text });
    const { approval } = await chat.approval();
    person.clickIn(chat, { type: "approval-decide", approval: approval.id, allow: true });
    await person.row(tasksView, /succeeded.*lighthouse/);
    const { clicks, keys, texts } = person.effort;
    assert.deepEqual([clicks - before.clicks, keys - before.keys, texts - before.texts], [3, 0, 0]);
    const ticks = window.ran.flatMap(([id, step]) => (id === "welcome.markStepComplete" ? [String(step)] : []));
    assert.deepEqual(
      ticks.map((step) => step.replace(/^.*#start#/, "")).toSorted(),
      ["chat", "local", "task"],
      "the steps of the walkthrough",
    );
  });
});

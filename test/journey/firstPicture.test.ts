/** How far a new person is from the first picture, by the steps of the README: at most three clicks and one Enter. */
import assert from "node:assert/strict";
import { openChat } from "../support/fakeVscode/chatPage";
import { closeWindows, type OpenedWindow, openWindow } from "../support/fakeVscode/openWindow";
import { modelStep, tasksView } from "../support/submitSteps";

describe("the first picture of the README", () => {
  let opened: OpenedWindow;
  beforeEach("open a window that nobody has used", async () => {
    opened = await openWindow({ sample: true });
  });
  afterEach(closeWindows);

  it("P6 (newuser H3): step 2: the gate, the row that makes a picture, Allow: three clicks", async () => {
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
  });

  it("P6 (newuser H3): step 3: Open Sample Prompts, Submit, Enter: two clicks and one Enter", async () => {
    const { window, person } = opened;
    const welcome = (await window.welcome(tasksView)).join("\n");
    const [, command = ""] = /\[Open Sample Prompts\]\(command:([\w.]+)\)/.exec(welcome) ?? [];
    // A link of the view's own text, which the fake window has as text only: one click.
    await person.run(command);
    const { effort: before } = person;
    const submitting = await person.clickLens("Submit");
    await person.step(modelStep);
    await person.press("Enter");
    await submitting.ended();
    await person.row(tasksView, /lighthouse/);
    const { clicks, keys, texts } = person.effort;
    assert.deepEqual([clicks - before.clicks, keys - before.keys, texts - before.texts], [1, 1, 0]);
  });
});

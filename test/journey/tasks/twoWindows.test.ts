/** Two windows, each a process, on one storage. */
import assert from "node:assert/strict";
import type { OpenedWindow } from "../../support/fakeVscode/openWindow";
import { closeRemoteWindows, RemoteWindow } from "../../support/fakeVscode/remoteWindow";

describe("two windows", () => {
  afterEach(closeRemoteWindows);

  it("T5: a task of one window is a row of the other, also after the first one was killed", async () => {
    const first = await RemoteWindow.open({ files: { "notes.md": "A ferry of two windows\n" } });
    const second = await RemoteWindow.open({ storage: first.storage });
    await first.evaluate(async ({ window, person }) => {
      await window.openFile("notes.md");
      await person.select("A ferry of two windows");
      const submitting = person.key("shift+alt+t");
      await person.through("What should be made?", "Model, or type another id", "Free on the local gateway");
      await submitting.ended();
    }, undefined);
    await second.evaluate(
      async ({ person }) => void (await person.row("sluice.tasks", /ferry of two windows/)),
      undefined,
    );
    await first.kill();
    const row = await second.evaluate(
      async ({ person }) => (await person.row("sluice.tasks", /ferry of two/)).label,
      undefined,
    );
    assert.equal(row, "A ferry of two windows");
  });

  it("T19, T2: prompts that another window submits while the question is open are not paid twice without being asked", async () => {
    const files = { "shop.prompts.md": "---\ntype: image\n---\n# Shop\n\na square cup\n\na round cup\n" };
    const first = await RemoteWindow.open({ files });
    const second = await RemoteWindow.open({ storage: first.storage, folder: first.folder });
    const ask = async ({ window, person }: OpenedWindow): Promise<void> => {
      await window.openFile("shop.prompts.md");
      await person.clickLens("Submit All 2");
      await person.step("Free on the local gateway");
    };
    await second.evaluate(ask, undefined);
    await first.evaluate(ask, undefined);
    await first.evaluate(async ({ window, person, inside }) => {
      await person.press("Enter");
      await window.until("both tasks", () => inside.app.board.all.size === 2);
    }, undefined);
    const made = await second.evaluate(async ({ window, person, inside }) => {
      await person.press("Enter");
      await person.answer("2 of these tasks were submitted meanwhile, perhaps in another window.", "Show Tasks");
      // The file can be submitted again once the question has ended.
      await person.clickLens("Submit Again");
      await person.step("Free on the local gateway");
      await window.settled();
      return inside.app.board.all.size;
    }, undefined);
    assert.equal(made, 2);
  });
});

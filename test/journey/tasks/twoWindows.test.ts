/** Two windows, each a process, on one storage. */
import assert from "node:assert/strict";
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
});

/** Tasks from the first question to the row that has succeeded. */
import assert from "node:assert/strict";
import { closeWindows, openWindow } from "../../support/fakeVscode/openWindow";

const tasksView = "sluice.tasks";

describe("submit tasks", () => {
  afterEach(closeWindows);

  it("T1, T2: a selection goes through its steps and becomes a row that has succeeded", async () => {
    const { window, person } = await openWindow({ files: { "notes.md": "A lighthouse at noon\n" } });
    await window.openFile("notes.md");
    await person.select("A lighthouse at noon");
    const submitting = person.key("shift+alt+t");
    await person.through("What should be made?", "Model, or type another id", "Free on the local gateway");
    await submitting.ended();
    const row = await person.row(tasksView, /succeeded/i);
    assert.match(row.spoken, /succeeded.*A lighthouse at noon/);
    assert.match(row.contextValue, /\bopenable\b/);
    assert.ok(window.menuOf(row).some(({ title }) => title === "Open Result"));
  });

  it("T2: Back leads to the step before, Escape leaves without a task", async () => {
    const { window, person } = await openWindow({});
    const asking = person.palette("Sluice: Submit Selection as Task…");
    await person.through("What should be made?");
    await person.step("Model, or type another id");
    await person.back();
    await person.step("What should be made?");
    await person.escape();
    await asking.ended();
    assert.deepEqual(await window.rowsOf(tasksView), []);
  });
});

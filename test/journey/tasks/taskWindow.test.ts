/** What a window shows of tasks beside their rows: notifications, lenses, menus, and what is there after a reload. */
import assert from "node:assert/strict";
import { acceptedOf } from "../../../src/domain/task/phase";
import { openChat } from "../../support/fakeVscode/chatPage";
import { closeWindows, openWindow } from "../../support/fakeVscode/openWindow";

const tasksView = "sluice.tasks";
const prompts = "# Cards\n\nA ferry in the fog\n\nA pier at night\n";

describe("tasks in a window", () => {
  afterEach(closeWindows);

  it("T6: a lens of a prompt file submits its prompt, and its end is told while the view is hidden", async () => {
    const { window, person } = await openWindow({ files: { "cards.prompts.md": prompts } });
    await window.openFile("cards.prompts.md");
    const submitting = await person.clickLens(/^Submit$/);
    await person.through("What should be made?", "Model, or type another id", "Free on the local gateway");
    await submitting.ended();
    await person.answer(/Succeeded: A ferry in the fog/);
    await person.lens(/succeeded/i);
    assert.equal((await window.rowsOf(tasksView)).filter(({ label }) => label.includes("ferry")).length, 1);
  });

  it("T1: lenses follow a change in 200 ms, also one that comes while VS Code has not asked for them after the last one", async () => {
    const { window, person, inside } = await openWindow({
      files: { "cards.prompts.md": "# Cards\n\n- [stuck] A ferry\n\n- [stuck] A pier\n" },
      speed: 50,
    });
    await window.openFile("cards.prompts.md");
    const submitting = await person.clickLens("Submit All 2");
    await person.through("What should be made?", "Free on the local gateway");
    await submitting.ended();
    const ids = await window.until("both tasks at work", async () => {
      const shown = await person.lenses();
      const isAtWork = shown.filter(({ command }) => /processing/i.test(command?.title ?? "")).length === 2;
      return isAtWork && [...inside.app.board.listed.keys()];
    });
    // No lens waits to be asked for.
    await window.clock.advance(10_000);
    const titles = (await person.lenses()).map(({ command }) => command?.title ?? "");
    // Another task would be paid beside the one that is at work.
    assert.ok(
      titles.every((title) => !title.startsWith("Submit")),
      titles.join(),
    );
    const { languages } = window;
    const before = languages.lensChanges;
    for (const [place, id] of ids.entries()) {
      const task = inside.app.board.listed.get(id);
      const remote = (task && acceptedOf(task)?.remote) ?? assert.fail("not accepted");
      const failed = { ...remote, state: "failed", rawStatus: "5" } as const;
      await inside.app.board.applyThenWrite({ type: "task-read", id, at: window.clock.now(), remote: failed });
      await window.clock.advance(200);
      assert.equal(languages.lensChanges, before + place + 1);
    }
  });

  it("T6: the menu of a row is that of its state, by the clauses of package.json", async () => {
    const { window, person } = await openWindow({ files: { "notes.md": "A lighthouse\n" } });
    await window.until("the first steps in the empty view", async () =>
      (await window.welcome(tasksView)).some((text) => text.includes("(command:sluice.task.new)")),
    );
    await window.openFile("notes.md");
    await person.select("A lighthouse");
    const submitting = person.palette("Sluice: Submit Selection as Task…");
    await person.through("What should be made?", "Model, or type another id", "Free on the local gateway");
    await submitting.ended();
    const row = await person.row(tasksView, /, succeeded/);
    const titles = window.menuOf(row).map(({ title }) => title);
    assert.ok(titles.includes("Open Result") && titles.includes("Remove from List"), titles.join(" | "));
    assert.ok(!titles.some((title) => title.startsWith("Cancel")), titles.join(" | "));
    const copying = person.inMenu(row, "Copy…");
    await person.choose("Copy Prompt");
    await copying.ended();
    assert.equal(window.clipboard, "A lighthouse");
  });

  it("T1, P4: a task that runs and a chat are there after a reload", async () => {
    const first = await openWindow({
      files: { "notes.md": "A slow ferry\n" },
      speed: 1,
    });
    const chat = await openChat(first.window);
    await chat.turn("Hello there");
    await first.window.openFile("notes.md");
    await first.person.select("A slow ferry");
    const submitting = first.person.key("shift+alt+t");
    await first.person.through("What should be made?", "Model, or type another id", "Free on the local gateway");
    await submitting.ended();
    await first.person.row(tasksView, /slow ferry/);
    const second = await first.reload();
    const row = await second.person.row(tasksView, /slow ferry/);
    assert.match(row.contextValue, /\bcancelable\b/);
    await second.window.until("it is asked for again", () =>
      second.window.messages.log.some((line) => line.includes('method="GET" path="\/v1\/tasks\/')),
    );
    const again = await openChat(second.window);
    assert.equal(again.chat.id, chat.chat.id);
    assert.deepEqual(
      again.entries.map(({ id }) => id),
      chat.entries.map(({ id }) => id),
    );
  });
});

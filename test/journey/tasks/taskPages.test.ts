/** The pages of a task and of the usage: opened from the tree and the palette, what their buttons do, and found again after a reload. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { MoneyPageIntent, MoneyPageSnapshot } from "../../../src/tasks/contract/moneyPageContract";
import type { TaskPageIntent, TaskPageSnapshot, TaskView } from "../../../src/tasks/contract/taskPageContract";
import type { UsagePageIntent, UsagePageSnapshot } from "../../../src/tasks/contract/usagePageContract";
import { webviewTabInput } from "../../support/fakeVscode/editors";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";
import { lastState, type TabPage, tabPage } from "../../support/fakeVscode/tabPage";
import { WaitingClock } from "../../support/fakeVscode/waitingClock";

const tasksView = "sluice.tasks";
type TaskTab = TabPage<TaskPageSnapshot, TaskPageSnapshot, TaskPageIntent>;
type UsageTab = TabPage<UsagePageSnapshot, UsagePageSnapshot, UsagePageIntent>;

describe("the pages of tasks in a window", () => {
  afterEach(closeWindows);

  const submitImage = async ({ window, person }: OpenedWindow): Promise<void> => {
    await window.openFile("cards.md");
    await person.select("lighthouse");
    const submitting = person.start("sluice.task.submitSelection");
    await person.choose(/^Image/);
    await person.through("Model, or type another id", "Free on the local gateway");
    await submitting.ended();
  };
  const openTask = async ({ window, person }: OpenedWindow): Promise<TaskTab> => {
    const row = await person.row(tasksView, /, succeeded.*lighthouse/);
    await person.inMenu(row, "Open Task").ended();
    return tabPage(window, "sluice.task", lastState);
  };
  const openUsage = async ({ window, person }: OpenedWindow): Promise<UsageTab> => {
    await person.palette("Sluice: Show Money").ended();
    const money = await tabPage<MoneyPageSnapshot, MoneyPageSnapshot, MoneyPageIntent>(
      window,
      "sluice.money",
      lastState,
    );
    money.send({ type: "section-open", section: "usage" });
    return tabPage(window, "sluice.money", lastState);
  };

  it("T7: the page of a task follows it to its result, and its buttons save it, go on from it and copy its request", async () => {
    const opened = await openWindow({ files: { "cards.md": "A lighthouse at dusk\n" } });
    const { window, person, folder } = opened;
    await submitImage(opened);
    const page = await openTask(opened);
    const taskNow = ({ task }: TaskPageSnapshot): TaskView => task!;
    const { file } = await page.until("the result", (snapshot) => {
      const { result } = taskNow(snapshot);
      if (result.state === "remote") page.send({ type: "task-action", action: "get-result" });
      return result.state === "here" && result;
    });
    assert.equal(file.kind, "image");
    const { title, state, actions } = taskNow(page.snapshot);
    assert.deepEqual([title, state.tone], ["lighthouse", "succeeded"]);
    await page.until("the events of the gateway", (snapshot) => taskNow(snapshot).events === "shown");
    assert.ok(
      taskNow(page.snapshot).timeline.some(({ state: name, text }) => /created/i.test(`${name ?? ""} ${text}`)),
    );

    assert.ok(actions.includes("save-into-workspace"));
    page.send({ type: "task-action", action: "save-into-workspace" });
    const savedAs = await page.until("it is saved", (snapshot) => taskNow(snapshot).savedAs);
    assert.equal(savedAs, "assets/lighthouse.png");
    assert.ok((await readFile(path.join(folder, savedAs))).length > 0);

    // Finding N12.
    page.send({ type: "task-action", action: "use-as-reference" });
    await person.step("What should be made?");
    await person.escape();
    await person.closed();
    page.send({ type: "task-action", action: "make-video" });
    // Type and prompt are known: the model is asked for.
    await person.through("Model, or type another id");
    const { rows } = await person.step("Free on the local gateway", "Reference images");
    assert.match(rows.find(({ label }) => label.includes("Reference images"))?.description ?? "", /\.png \(PNG/);
    await person.escape();
    await person.closed();
    page.send({ type: "task-action", action: "copy-curl" });
    const command = /^curl 'http:.*\/tasks' \\\n {2}-H "Authorization: Bearer \$SLUICE_API_KEY"/;
    await window.until("the copied command", () => command.test(window.clipboard));
    assert.equal((await window.rowsOf(tasksView)).filter(({ label }) => label === "lighthouse").length, 1);
  });

  it("T13, T7: the usage counts and lists the task; after a reload it is as it was, and the task has one tab", async () => {
    // No test is at midnight.
    const clock = new WaitingClock(new Date(2026, 4, 12, 9, 0).getTime());
    const first = await openWindow({ files: { "cards.md": "A lighthouse at dusk\n" }, clock });
    await submitImage(first);
    await first.person.row(tasksView, /, succeeded.*lighthouse/);
    const usage = await openUsage(first);
    const counted = await usage.until("it is counted", (now) => now.usage);
    assert.equal(counted.models.length, 1);
    usage.send({ type: "range-choose", range: 7 });
    const today = await usage.until("a week", (now) => now.usage?.days.length === 7 && now.usage.days.at(-1));
    assert.equal(today.counts.succeeded, 1);
    usage.send({ type: "day-open", start: today.start });
    const { tasks } = await usage.until("the tasks of the day", (now) => now.list);
    assert.deepEqual(
      tasks.map(({ prompt, tone }) => [prompt, tone]),
      [["lighthouse", "succeeded"]],
    );
    const ofWeek = usage.snapshot.usage;
    // What the page's script keeps, see test/window/reload.test.ts.
    usage.page.savedState = { subject: "money", section: "usage", range: 7 };

    const second = await first.reload();
    const again: UsageTab = await tabPage(second.window, "sluice.money", lastState);
    const usageAgain = await again.until("it is counted", (now) => now.usage);
    assert.equal(again.snapshot.range, 7);
    assert.deepEqual(usageAgain, ofWeek);
    // A tab that was not shown since the reload: VS Code has not handed it to the extension, so nothing has filled it.
    const { editors } = second.window;
    const waiting = editors.showOther("lighthouse", webviewTabInput("sluice.task"));
    const page = await openTask(second);
    assert.equal(page.snapshot.task?.state.tone, "succeeded");
    await second.window.until("the tab that waited is closed", () => !editors.tabs.includes(waiting));
    assert.equal(editors.tabs.filter(({ label }) => label === "lighthouse").length, 1);
  });
});

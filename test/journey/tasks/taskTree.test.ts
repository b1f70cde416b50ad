/** The Tasks view with tasks in every state: groups, filter, what is finished, and what is said above the rows. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { FakeTree, TreeRow } from "../../support/fakeVscode/trees";
import { openWindowOnGateway } from "../../support/fakeVscode/onGateway";
import { closeWindows, type OpenedWindow } from "../../support/fakeVscode/openWindow";
import { WaitingClock } from "../../support/fakeVscode/waitingClock";
import { homeOf, type PlacedTask, placeTask } from "../../support/placedTasks";
import { serve, type TestServer } from "../../loopback/gateway/rawServer";

const tasksView = "sluice.tasks";
const key = "sk-canary-window";
const hour = 3_600_000;
const lost = { kind: "unreachable", message: "The connection broke." } as const;

describe("the Tasks view", () => {
  let gateway: TestServer;
  let opened: OpenedWindow;
  /** What the gateway knows of each task. */
  const known = new Map<string, { status: number; completed_at?: string; error_message?: string }>();
  /** How reads of tasks are answered. */
  let mode: "answers" | "breaks" | "limits";
  let baseUrl: string;

  before("open a window on a gateway with tasks in every state", async () => {
    gateway = await serve((response, { url }) => {
      response.setHeader("content-type", "application/json");
      const taskId = /\/tasks\/([\w-]+)/.exec(url)?.[1];
      if (taskId === undefined) response.end(JSON.stringify({ data: [{ id: "any-model" }] }));
      else if (mode === "breaks") response.destroy();
      else if (mode === "limits") {
        response.writeHead(429, { "retry-after": "600" }).end(JSON.stringify({ error: { message: "slow down" } }));
      } else {
        const task = { task_id: taskId, task_type: 3, public_model: "model-x", ...known.get(taskId) };
        response.end(JSON.stringify(task));
      }
    });
    baseUrl = `${gateway.url}/v1`;
    // No test is at midnight.
    const clock = new WaitingClock(new Date(2026, 4, 12, 9, 0).getTime());
    opened = await openWindowOnGateway({ baseUrl, key }, { clock });
    await opened.window.showView(tasksView);
    await placeAll();
    await rowsWith("Finished today – 4");
  });
  beforeEach(() => {
    mode = "answers";
  });
  after(async () => {
    await closeWindows();
    await gateway.close();
  });

  const place = async ({ intent, ...rest }: PlacedTask): Promise<string> => {
    const taskId = rest.taskId ?? randomUUID();
    const { rawStatus, completedAt, errorMessage } = rest.remote ?? {};
    if (rawStatus !== undefined && !known.has(taskId)) {
      const end = completedAt === undefined ? {} : { completed_at: new Date(completedAt).toISOString() };
      const error = errorMessage === undefined ? {} : { error_message: errorMessage };
      known.set(taskId, { status: Number(rawStatus), ...end, ...error });
    }
    const usual = { home: homeOf(baseUrl, key), createdAt: opened.window.clock.now() };
    return placeTask(opened.inside.app.board, { intent: { ...usual, ...intent }, ...rest, taskId });
  };
  /** Thirteen. */
  const placeAll = async (): Promise<void> => {
    const batch = randomUUID();
    const now = opened.window.clock.now();
    const done = (state: "succeeded" | "cancelled" | "expired" | "refunded", rawStatus: string, completedAt = now) => ({
      remote: { state, rawStatus, completedAt },
    });
    await place({
      intent: { prompt: "a harbour", createdAt: now - 30 * hour },
      ...done("succeeded", "4", now - 29 * hour),
    });
    await place({ intent: { prompt: "a cathedral of glass" }, ...done("cancelled", "6") });
    await place({ intent: { prompt: "an expired balloon", type: "async-image" }, ...done("expired", "7") });
    await place({ intent: { prompt: "a refunded ticket", type: "stylized-image" }, ...done("refunded", "8") });
    await place({ intent: { prompt: "a paper lantern", type: "async-image" }, ...done("succeeded", "4") });
    await place({
      intent: { prompt: `a train that never arrives, ${"with passengers, ".repeat(20)}in winter` },
      remote: { state: "failed", rawStatus: "5", completedAt: now, errorMessage: "content policy" },
    });
    await place({ intent: { prompt: "a lost lighthouse" }, outcome: { type: "task-outcome-unknown", error: lost } });
    await place({
      intent: { prompt: "a gate that was not accepted" },
      outcome: { type: "task-not-accepted", error: { ...lost, notSent: true } },
    });
    for (const [index, name] of ["first", "second", "third"].entries()) {
      const taskId = `batch-${index}`;
      known.set(taskId, { status: [1, 2, 3][index] ?? 3 });
      await place({
        taskId,
        intent: { prompt: `${name} frame of a lighthouse`, batch, createdAt: now },
        remote: { state: "created", rawStatus: "1" },
      });
    }
    await place({
      taskId: "odd",
      intent: { prompt: "a status that nobody knows" },
      remote: { state: "unknown", rawStatus: "42" },
    });
    await place({
      taskId: "cancelling",
      intent: { prompt: "a storm" },
      remote: { state: "processing", rawStatus: "3" },
      cancel: { state: "requested", reason: "", at: now },
    });
  };
  const rowOf = (text: string | RegExp): Promise<TreeRow> => opened.person.row(tasksView, text);
  const rows = async (): Promise<string[]> =>
    (await opened.window.rowsOf(tasksView)).map(({ label, description }) => `${label} – ${description}`);
  /** Resolves with the rows once one of them has the text. */
  const rowsWith = async (text: string | RegExp): Promise<string[]> =>
    opened.window.until(`a row ${String(text)}`, async () => {
      const all = await rows();
      return all.some((row) => (typeof text === "string" ? row.includes(text) : text.test(row))) && all;
    });
  const view = (): FakeTree => opened.window.trees.find(tasksView)!;

  it("T6 (finding 18): each state has its row, in its group, and says what the icon does not say", async () => {
    await rowsWith("Needs attention – 3");
    await rowsWith(/^a storm – cancel /);
    // The result of the day before is looked for first; its row is with what is running until then.
    const texts = await rowsWith(/^Earlier/);
    const at = (part: string): number => {
      const index = texts.findIndex((text) => text.startsWith(part));
      assert.notEqual(index, -1, `${part} in\n${texts.join("\n")}`);
      return index;
    };
    const inOrder = (...parts: readonly string[]): void => {
      const places = parts.map(at);
      assert.deepEqual(
        places,
        places.toSorted((one, other) => one - other),
        `${parts.join(" < ")} in\n${texts.join("\n")}`,
      );
    };
    inOrder("Needs attention", "a train", "Running", "first frame", "second frame", "third frame", "Finished today");
    inOrder("Needs attention", "a lost lighthouse", "Running", "a status that nobody knows", "Finished today");
    inOrder("Needs attention", "a gate", "Running", "a storm", "Finished today", "a paper lantern", "Earlier");
    inOrder("Finished today", "an expired balloon", "Earlier");
    assert.match(texts[at("a lost lighthouse")] ?? "", /outcome unknown/);
  });

  it("C1 (finding N3): beside its title the view says where a new task goes", () => {
    assert.equal(view().description, new URL(baseUrl).host);
  });

  it("T6, P6: a screen reader hears each row as a sentence", async () => {
    const { spoken } = await rowOf(/^first frame/);
    assert.match(spoken, /^Video, created, submitted .+, reserved: first frame of a lighthouse/);
  });

  it("T6 (finding 18): a tooltip has the whole prompt, state and money without ids, and breaks between words", async () => {
    const tooltip = await view().tooltipOf(await rowOf("a train"));
    assert.match(tooltip, /a train that never arrives.*in winter/s);
    assert.match(tooltip, /content policy/);
    assert.match(tooltip, /Checking: not seen given back yet\./);
    assert.doesNotMatch(tooltip, /hold/i);
    assert.doesNotMatch(tooltip, /\u00A0/, "words that can't be separated are broken in the middle");
  });

  it("T6: grouped by type, by day and by batch, and the chosen grouping is named", async () => {
    const { person } = opened;
    const first = { Type: /^Video – \d/, Day: /^Yesterday – 1$/, Batch: /^first frame.* – 3 of 3 running/ };
    for (const [grouping, row] of Object.entries(first)) {
      const viewing = person.inTitle(tasksView, "View…");
      await person.choose(`Group by ${grouping}`);
      await viewing.ended();
      await rowsWith(row);
      assert.match(view().description ?? "", new RegExp(`by ${grouping.toLowerCase()}`));
      const again = person.palette("Sluice: View Tasks…");
      const step = await person.step("How should the tasks be shown?");
      const chosen = step.rows.filter(({ label }) => label.startsWith("$(check)"));
      assert.deepEqual(
        chosen.map(({ label }) => label),
        [`$(check) Group by ${grouping}`],
      );
      await person.escape();
      await again.ended();
    }
    await person.run("sluice.task.view", "group-by-state");
    await rowsWith("Needs attention");
  });

  it("T6: the filter follows what is typed, says what is filtered, and one click ends it", async () => {
    const { person } = opened;
    const filtering = person.inTitle(tasksView, "View…");
    await person.choose("Filter…");
    await person.step("Filter Tasks");
    await person.type("lighthouse");
    await rowsWith("4 of 13 shown");
    await person.choose(/^Running$/);
    await rowsWith("3 of 13 shown");
    await person.press("Enter");
    await filtering.ended();
    assert.match(view().description ?? "", /“lighthouse”, running/);
    await person.click(await rowOf("3 of 13 shown"));
    await rowsWith("a train");
    assert.doesNotMatch(view().description ?? "", /lighthouse/);
  });

  it("T6: a task of an earlier day that the filter finds is shown at once, and the group is closed again without the filter", async () => {
    const { person } = opened;
    const filtering = person.inTitle(tasksView, "View…");
    await person.choose("Filter…");
    await person.step("Filter Tasks");
    await person.type("a harbour");
    await rowsWith(/^a harbour/);
    await person.escape();
    await filtering.ended();
    await rowsWith("a train");
    assert.ok((await rows()).every((row) => !row.startsWith("a harbour")));
  });

  it("T6: Esc takes back what was typed into the filter", async () => {
    const { person } = opened;
    const filtering = person.inTitle(tasksView, "View…");
    await person.choose("Filter…");
    await person.step("Filter Tasks");
    await person.type("nothing has these words");
    await rowsWith("0 of 13 shown");
    await person.escape();
    await filtering.ended();
    await rowsWith("a train");
  });

  it("T6 (finding 18): a failed task that is looked at stays where it is, and is no longer to be attended to", async () => {
    const { person, window } = opened;
    const badge = (): number => view().badge?.value ?? 0;
    await window.until("the badge of what was placed before", () => badge() > 0);
    const before = badge();
    const id = await place({
      intent: { prompt: "a ferry that sank" },
      remote: { state: "failed", rawStatus: "5", completedAt: window.clock.now(), errorMessage: "content policy" },
    });
    await rowsWith(`Needs attention – ${before + 1}`);
    await window.until("one more in the badge", () => badge() === before + 1);
    await person.click(await rowOf("a ferry"));
    await window.until("one less in the badge", () => badge() === before);
    const kept = await rowsWith(`Needs attention – ${before + 1}`);
    const at = kept.findIndex((row) => row.startsWith("a ferry"));
    assert.ok(at !== -1 && at < kept.findIndex((row) => row.startsWith("Running")), kept.join("\n"));
    await person.click(await rowOf("a cathedral"));
    await rowsWith(`Needs attention – ${before}`);
    await person.run("sluice.task.remove", { kind: "task", id });
    await window.until("it is removed", async () => !(await rows()).some((row) => row.startsWith("a ferry")));
  });

  it("T6, T11: a row that is to be shown is selected, also where VS Code drops the first reveals without an error", async () => {
    const { person } = opened;
    const row = await rowOf("a cathedral");
    const tree = view();
    tree.select([]);
    tree.droppedReveals = 2;
    await person.run("sluice.task.reveal", row.element);
    assert.deepEqual(tree.selection, [row.element]);
    // It gives up where the view never shows the row.
    tree.select([]);
    tree.droppedReveals = 1000;
    await person.run("sluice.task.reveal", row.element);
    assert.deepEqual(tree.selection, []);
    tree.droppedReveals = 0;
  });

  it("T6: finished tasks are hidden and shown, cleared and restored", async () => {
    const { person, window } = opened;
    const hiding = person.palette("Sluice: View Tasks…");
    await person.choose("Hide Finished Tasks");
    await hiding.ended();
    const hidden = await rowsWith(/^\d finished tasks are hidden/);
    assert.ok(!hidden.some((row) => row.startsWith("Finished today")));
    await person.click(await rowOf(/finished tasks are hidden/));
    await rowsWith("Finished today");
    const clearing = person.palette("Sluice: Clear Finished");
    await window.until("they are gone", async () => !(await rows()).some((row) => /^(?:Finished|Earlier)/.test(row)));
    await person.answer(/taken off the list/);
    await clearing.ended();
    const restoring = person.palette("Sluice: View Tasks…");
    await person.choose("Restore Cleared Tasks");
    await restoring.ended();
    await window.until("they are there again", async () => {
      const restored = await rows();
      return ["a cathedral", "a paper lantern"].every((prompt) => restored.some((row) => row.startsWith(prompt)));
    });
  });

  it("T6, T4: what concerns all rows is said above them while it is so: offline, online, offline again, then paused by the gateway", async () => {
    const { person, window } = opened;
    // A gateway that fails is asked again after longer pauses than those that end by themselves here.
    const says = (text: RegExp): Promise<true> =>
      window.until(`above the rows ${String(text)}`, async () => {
        if (text.test(view().message ?? "")) return true;
        await window.clock.advance(5000);
        return false;
      });
    for (let time = 0; time < 2; time += 1) {
      mode = "breaks";
      await person.run("sluice.task.refresh");
      await says(/^Offline since/);
      mode = "answers";
      await person.run("sluice.task.refresh");
      await says(/^$/);
    }
    mode = "limits";
    await person.run("sluice.task.refresh");
    await says(/^Paused by the gateway until/);
    await window.until("the status bar says so", () =>
      window.messages.status.some(({ text }) => /until \d/.test(text)),
    );
    await window.clock.advance(601_000);
    mode = "answers";
    await person.run("sluice.task.refresh");
    await says(/^$/);
  });

  it("T6: a task that is shown from elsewhere, as from its prompt, is shown also where the filter hides it", async () => {
    const { person } = opened;
    const { id } = (await rowOf("a train")).item;
    const filtering = person.inTitle(tasksView, "View…");
    await person.choose("Filter…");
    await person.step("Filter Tasks");
    await person.type("lighthouse");
    await rowsWith(/ of \d+ shown/);
    await person.press("Enter");
    await filtering.ended();
    await person.run("sluice.task.reveal", { kind: "task", id });
    await rowsWith("a train");
    assert.doesNotMatch(view().description ?? "", /lighthouse/);
  });
});

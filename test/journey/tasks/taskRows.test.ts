/** Rows of tasks: what is on disk behind them, their state and events, what is dragged out of them, and that foreign text stays text. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { createTree, ShownItem, ShownPick, ShownRow } from "../../../src/vscode/interface/show";
import { makeCreated, makeGateway, makeIntent, makeRemote } from "../../support/builders";
import { MarkdownString } from "../../support/fakeVscode/dataTypes";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";
import { Uri } from "../../support/fakeVscode/positions";
import { placeResult } from "../../support/fakeVscode/placedResults";
import type { TreeRow } from "../../support/fakeVscode/trees";
import { placeTask } from "../../support/placedTasks";
import { reviewStep, tasksOf } from "../../support/submitSteps";

const tasksView = "sluice.tasks";
const hostile = "Pay [here](command:workbench.action.terminal.new)\n$(check) \u202Etuo dedaol";
const literal = "Pay [here] (command:workbench.action.terminal.new) $ (check) ⟨U+202E⟩tuo dedaol";

describe("rows of tasks", () => {
  let opened: OpenedWindow;
  before(async () => {
    opened = await openWindow({ speed: 1 });
    const { window, inside } = opened;
    await window.until("the local gateway", () => inside.connections.current.current.state === "ready");
  });
  after(closeWindows);

  const submit = async (prompt: string, model = "demo-image"): Promise<string> => {
    const outbox = await opened.inside.app.openOutbox();
    const [id] = await opened.window.during("it is submitted", outbox.submit([{ type: "async-image", model, prompt }]));
    return id ?? "";
  };
  const rowOf = (id: string): Promise<TreeRow> =>
    opened.window.until("the row", async () =>
      (await opened.window.rowsOf(tasksView)).find(({ item }) => item.id === id),
    );

  it("T1: the intent is in the extension's own storage, with body and idempotency key", async () => {
    const id = await submit("a pier in the rain");
    // A row holds the task as JSON, so its bytes are found in the file.
    const file = await readFile(path.join(opened.inside.storage, "tasks.db"), "utf8");
    const row = file.slice(file.indexOf(`"id":"${id}"`));
    const [, key = ""] = /"idempotencyKey":"([0-9a-f-]{36})"/.exec(row.slice(0, 2000)) ?? [];
    assert.match(file, new RegExp(`"idempotency_key":"${key}"`), "the body has a table of its own");
  });

  it("T6: a task is a row with its state in words, for a screen reader too, and its events are its children; its group counts it until it is removed", async () => {
    const { window, person, inside } = opened;
    const id = await submit("[slow] a lighthouse at dusk");
    const row = await rowOf(id);
    assert.equal(row.label, "[slow] a lighthouse at dusk");
    assert.match(row.description, /^\d+:\d\d/);
    assert.match(row.contextValue, /\bcancelable\b/);
    assert.match(row.spoken, /^Image, (created|queued|processing), submitted .*free:/);
    const tree = window.trees.find(tasksView)!;
    tree.expand(row, true);
    const event = await window.until("its events", async () => {
      const rows = await window.rowsOf(tasksView);
      return rows[rows.findIndex(({ item }) => item.id === id) + 1];
    });
    assert.equal(event.depth, row.depth + 1);
    await window.during("it is cancelled", inside.app.cancel(id, "test"));
    await window.until("it is finished", async () => !/\bcancelable\b/.test((await rowOf(id)).contextValue));
    await person.row(tasksView, /^Finished today$/);
    await person.inMenu(await rowOf(id), "Remove from List").ended();
    await window.until(
      "the row is gone",
      async () => !(await window.rowsOf(tasksView)).some(({ item }) => item.id === id),
    );
  });

  it("T2, T6: a command for one task takes the clicked row, although others are selected with it, and tries again only what has ended", async () => {
    const { window, person, inside } = opened;
    const [going, cancelled] = [await submit("[stuck] a tower"), await submit("[stuck] a tunnel")];
    await window.during("it is cancelled", inside.app.cancel(cancelled, "test"));
    const clicked = await window.until("it can be tried again", async () => {
      const row = await rowOf(cancelled);
      return /\bretryable\b/.test(row.contextValue) ? row : undefined;
    });
    const running = await rowOf(going);
    const selected = [running.element, clicked.element];
    const again = person.start("sluice.task.tryAgain", clicked.element, selected);
    await person.through(reviewStep);
    await again.ended();
    const counts = ["[stuck] a tower", "[stuck] a tunnel"].map((prompt) => tasksOf(inside, prompt).length);
    assert.deepEqual(counts, [1, 2]);
    const making = person.start("sluice.task.makeMore", clicked.element, selected);
    await person.step("What should be made of it?");
    assert.ok(person.pick.rows.some(({ label }) => label.includes("Same with Other Model")));
    await person.escape();
    await making.ended();
    await person.run("sluice.task.tryAgain", running.element, selected);
  });

  it("T6: a task is dragged as its saved file, and as its prompt while there is none", async () => {
    const { window, inside } = opened;
    const drag = async (id: string): Promise<Awaited<ReturnType<NonNullable<ReturnType<typeof tree>>["dragged"]>>> =>
      tree()!.dragged([await rowOf(id)]);
    const tree = (): ReturnType<typeof window.trees.find> => window.trees.find(tasksView);
    const saved = await drag(await placeResult(opened, { name: "a buoy.png", prompt: "a buoy" }));
    const file = Uri.file(path.join(inside.storage, "results", "a buoy.png"));
    assert.equal(saved.get("text/uri-list")?.value, file.toString());
    assert.equal(saved.get("text/plain"), undefined);
    const running = await drag(await submit("[slow] a lagoon"));
    assert.equal(running.get("text/plain")?.value, "[slow] a lagoon");
  });

  it("T11 (finding S2): a task's row, its tooltip and its sentence for a screen reader hold the prompt as text", async () => {
    const { window } = opened;
    // The gateway refuses the model: the sentence with its id is one line, the money the next.
    const row = await rowOf(await submit(`[slow] ${hostile}`, hostile));
    assert.equal(row.label, "[slow] Pay [here] (command:workbench.action.terminal.new)");
    assert.doesNotMatch(row.spoken, /\]\(|\$\(|\u202E/);
    await window.until("it is refused", async () =>
      (await rowOf(String(row.item.id))).description.includes("not accepted"),
    );
    const refused = await rowOf(String(row.item.id));
    // As VS Code asks for it; a string has no Markdown.
    const { tooltip } =
      (await window.trees.find(tasksView)!.provider.resolveTreeItem!(refused.item, refused.element, {
        isCancellationRequested: false,
        onCancellationRequested: () => ({ dispose: () => undefined }),
      })) ?? {};
    assert.ok(typeof tooltip === "string");
    assert.match(
      tooltip,
      /\n\nThe gateway does not know this: .*\n\nFree: the local gateway takes play money only\.\n\n/,
    );
    assert.ok(tooltip.includes(`\n\nImage · “${literal}” · `), tooltip);
    assert.doesNotMatch(tooltip, /\]\(|\$\(|\u202E/);
  });

  it("T11 (finding S2): an event's message is a label of one line, and so are all texts of a pick", async () => {
    const { window, person, inside } = opened;
    const event = { id: "e", type: "failed", state: "failed", rawStatus: "5", message: hostile } as const;
    assert.equal((await inside.tree.getTreeItem({ kind: "event", task: "t", event })).label, literal);
    const intent = { batch: crypto.randomUUID(), prompt: hostile.replace("\n", " "), model: hostile };
    await placeResult(opened, {
      name: "one.png",
      prompt: "one",
      savedInto: "one.png",
      intent: { batch: intent.batch },
    });
    await placeResult(opened, { name: "other.png", prompt: "other", intent });
    const replacing = person.start("sluice.task.replaceAsset", window.uri("one.png").toString());
    const { rows } = await person.step("The variant that takes its place");
    // An icon is ours only.
    assert.equal(rows[0]?.label, "$(file-media) Pay [here] (command:workbench.action.terminal.new) $ (check)…");
    assert.ok(rows[0].description?.startsWith(literal), rows[0].description);
    await person.escape();
    await replacing.ended();
  });

  it("T6, T9 (M6): a change of one of several selected rows draws the whole view, which keeps them painted, and their menu cancels them all", async () => {
    const { window, person, inside } = opened;
    const ids = [await submit("[stuck] a pier at dawn"), await submit("[stuck] a pier at night")];
    const [first, second] = [await rowOf(ids[0]!), await rowOf(ids[1]!)];
    const tree = window.trees.find(tasksView)!;
    tree.select([first.element, second.element]);
    const drawn: unknown[] = [];
    const listening = tree.provider.onDidChangeTreeData!((elements) => drawn.push(elements));
    const error = { kind: "conflict", message: "not now" } as const;
    const cancel = { state: "refused", reason: "test", at: Date.now(), error } as const;
    await inside.app.board.applyThenWrite({ type: "task-cancel", id: ids[0]!, cancel });
    await window.until("it is drawn", () => drawn.length > 0);
    assert.match((await rowOf(ids[0]!)).description, /cancel refused/);
    listening.dispose();
    const alone = drawn.flat().map((element) => (element as { id?: string } | undefined)?.id ?? "");
    assert.ok(
      alone.every((id) => !ids.includes(id)),
      alone.join(),
    );
    const cancelling = person.inMenu(await rowOf(ids[0]!), "Cancel…", [second]);
    await person.step("Cancel all of them, or one");
    await person.press("Enter");
    await person.step("Choose or type a reason to cancel: 2 tasks");
    await person.press("Enter");
    await cancelling.ended();
    for (const id of ids) await window.until("it is cancelled", async () => (await rowOf(id)).icon === "circle-slash");
  });

  it("T9, T10: what is said of the money after a cancel is that of the task as it is then", async () => {
    const { window, person, inside } = opened;
    const { board } = inside.app;
    const home = { origin: "https://other.example", baseUrl: "https://other.example/v1", account: "a" };
    const intent = makeIntent({ id: "33333333-3333-4333-8333-333333333333", home, createdAt: Date.now() });
    const { id } = intent;
    await board.writeThenApply({ type: "task-intended", intent });
    await board.writeThenApply({ type: "task-accepted", id, at: Date.now(), created: makeCreated() });
    const remote = makeRemote({ state: "cancelled", rawStatus: "6" });
    const gateway = makeGateway({
      cancelTask: () => Promise.resolve(remote),
      getTask: () => Promise.resolve(makeRemote()),
    });
    Object.assign(inside.connections, { find: () => Promise.resolve(gateway) });
    try {
      const cancelling = person.inMenu(await rowOf(id), "Cancel…");
      await person.step(/^Choose or type a reason to cancel: /);
      await person.press("Enter");
      await cancelling.ended();
    } finally {
      Reflect.deleteProperty(inside.connections, "find");
    }
    assert.match(window.messages.flashed.at(-1) ?? "", /Cancelled\. Checking: not seen given back yet\.$/);
  });
});

describe("tasks in the status bar", () => {
  after(closeWindows);

  it("T11: what needs attention is counted there also where nothing runs, until it was looked at", async () => {
    const { window, person, inside } = await openWindow();
    const shown = (): string => window.messages.status.find(({ id }) => id === "sluice.tasks")?.text ?? "";
    assert.equal(shown(), "");
    await placeTask(inside.app.board, {
      intent: { prompt: "a ferry that sank" },
      remote: { state: "failed", rawStatus: "5", completedAt: Date.now() },
    });
    await window.until("it is counted", () => shown() === "$(warning) 1");
    await person.click(await person.row(tasksView, "a ferry that sank"));
    await window.until("it was looked at", () => shown() === "");
  });
});

/** Never called: raw text is an error of types where VS Code keeps what it shows (T11, finding S2). */
export function rawTextIsRefused(pick: ShownPick<ShownItem>, row: ShownRow, view: ReturnType<typeof createTree>): void {
  // @ts-expect-error A title is gated.
  pick.title = hostile;
  // @ts-expect-error A placeholder too.
  pick.placeholder = hostile;
  // @ts-expect-error And the items.
  pick.items = [{ label: hostile }];
  // @ts-expect-error A tooltip is gated.
  row.tooltip = hostile;
  // @ts-expect-error And never Markdown.
  row.tooltip = new MarkdownString(hostile);
  // @ts-expect-error A view's message is gated.
  view.message = hostile;
}

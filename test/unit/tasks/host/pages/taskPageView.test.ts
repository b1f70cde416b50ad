/** What the pages of tasks say: money and actions from what is known, foreign text kept within bounds. */
import { noPriceList } from "../../../../../src/domain/prices/priceList";
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Task } from "../../../../../src/domain/task/task";
import type { TaskView } from "../../../../../src/tasks/contract/taskPageContract";
import { taskPageSnapshot, type TaskPageContext } from "../../../../../src/tasks/host/pages/taskPageView";
import { usageCsv } from "../../../../../src/tasks/usage";
import { accepted, makeTask, savedAt, yours } from "../../../../support/builders";

function view(task: Task, change: Partial<TaskPageContext> = {}): TaskView {
  const { id } = task.intent;
  const snapshot = taskPageSnapshot(id, {
    now: 0,
    locale: "en-US",
    isGettingResult: false,
    events: "shown",
    isRawShown: false,
    isSavedGone: false,
    saveFolder: "assets",
    nameOf: (file) => file,
    body: "{}",
    batchSize: 1,
    find: (wanted) => (wanted === id ? task : undefined),
    ledTo: [],
    urlOf: (path) => `page:${path}`,
    ...change,
  });
  assert.ok(snapshot.task);
  return snapshot.task;
}

describe("the task page", () => {
  it("T7: offers what can be done in this state", () => {
    const saved = accepted({ state: "succeeded" }, { saved: savedAt("/results/a.PNG") });
    const running = view(makeTask({ submission: accepted({ state: "queued" }) }));
    assert.deepEqual(running.actions, ["cancel", "duplicate", "copy-curl", "copy-prompt"]);
    const done = view(makeTask({ submission: saved }));
    const onResult = [
      "open-result",
      "save-into-workspace",
      "convert",
      "get-result",
      "open-externally",
      "insert-link",
      "use-as-reference",
      "make-variants",
      "make-video",
      "other-model",
      "copy-path",
    ];
    assert.deepEqual(done.actions, [...onResult, "duplicate", "copy-curl", "copy-prompt"]);
    assert.deepEqual(done.result, { state: "here", file: { kind: "image", url: "page:/results/a.PNG" } });
  });

  it("T7, T10: the state is one sentence with the money in a person's words; the hold and ids are details", () => {
    const said = (submission: Task["submission"]): string => view(makeTask({ submission })).state.sentence;
    const held = { holdId: "h1", at: 0 };
    const times = { createdAt: 0, completedAt: 17_000 };
    assert.equal(said(accepted({ state: "succeeded", ...times }, held)), "Finished in 17 s · charged");
    assert.equal(said(accepted({ state: "succeeded" }, held)), "Finished · charged");
    const refused = accepted({ state: "failed", errorCode: "policy", errorMessage: "refused" }, held);
    assert.equal(said(refused), "The gateway says: “policy: refused” · checking");
    assert.match(said(accepted({ state: "processing" }, held)), /^Read at .* · reserved$/);
    const home = { origin: "local", baseUrl: "http://127.0.0.1:1/v1", account: "a" };
    const free = view(makeTask({ intent: { home }, submission: accepted({ state: "succeeded", ...times }, held) }));
    assert.equal(free.state.sentence, "Finished in 17 s · free", "the local gateway's money is play money");
    const { details } = view(makeTask({ submission: accepted({ state: "succeeded", ...times }, held) }));
    assert.deepEqual(
      details.map(({ name }) => name),
      ["Money", "Hold id", "Task id"],
    );
  });

  it("T7, T8: a result is saved into the folder of the settings, and shown once it is there", () => {
    const at = { saved: savedAt("/results/a.png") };
    const placement = { state: "placed", file: "file:///w/assets/a.png", at: 0 } as const;
    const before = view(makeTask({ submission: accepted({ state: "succeeded" }, at) }));
    assert.deepEqual(
      [before.saveFolder, before.savedAs, before.actions.includes("show-saved")],
      ["assets", undefined, false],
    );
    const after = view(makeTask({ submission: accepted({ state: "succeeded" }, { ...at, placement }) }), {
      nameOf: (file) => file.replace("file:///w/", ""),
    });
    assert.deepEqual([after.savedAs, after.actions.includes("show-saved")], ["assets/a.png", true]);
    assert.equal(after.state.sentence, "Finished · nothing said about the money", "where it is, the button says");
    const gone = view(makeTask({ submission: accepted({ state: "succeeded" }, { ...at, placement }) }), {
      isSavedGone: true,
    });
    assert.deepEqual(
      [gone.savedAs, gone.actions.includes("show-saved"), gone.actions.includes("save-into-workspace")],
      [undefined, false, true],
      "a deleted file can't be shown, and the result is saved again",
    );
  });

  it("T7, T5 (finding N12): a picture can be the reference of a new task, a video or a result that failed can't", () => {
    const can = (task: Task): boolean => view(task).actions.includes("use-as-reference");
    const image = { type: "async-image" };
    assert.equal(
      can(makeTask({ intent: image, submission: accepted({ state: "succeeded" }, { saved: savedAt("/r/a.png") }) })),
      true,
    );
    assert.equal(
      can(makeTask({ intent: image, submission: accepted({ state: "succeeded" }) })),
      true,
      "it is fetched then",
    );
    assert.equal(
      can(makeTask({ submission: accepted({ state: "succeeded" }, { saved: savedAt("/r/a.mp4") }) })),
      false,
    );
    assert.equal(can(makeTask({ intent: image, submission: accepted({ state: "failed" }) })), false);
  });

  it("T15: names what was made from the task, the newest first, and tasks of one batch once", () => {
    const made = (prompt: string, batch?: string, savedAs = "/r/a.mp4"): Task =>
      makeTask({
        intent: { id: randomUUID(), prompt, ...(batch === undefined ? {} : { batch }) },
        submission: accepted({ state: "succeeded" }, { saved: savedAt(savedAs) }),
      });
    const ledTo = [made("first", undefined, "/r/a.png"), made("varied", "b"), made("varied", "b"), made("a film")];
    const said = view(makeTask({}), { ledTo }).ledTo?.map(({ title, count, picture }) => [title, count, picture]);
    assert.deepEqual(said, [
      ["a film", undefined, undefined],
      ["varied", 2, undefined],
      ["first", undefined, "page:/r/a.png"],
    ]);
    assert.equal(view(makeTask({})).ledTo, undefined);
  });

  it("T7, C1 (finding N3): says which gateway has the task, and that it is free only of the local one", () => {
    const of = (origin: string): string =>
      view(makeTask({ intent: { home: { origin, baseUrl: origin, account: "a" } } })).gateway;
    assert.equal(of("local"), "Local · free");
    assert.equal(of("https://gateway.example:8443"), "gateway.example:8443");
  });

  it("T7, T8 (finding H15): an SVG, which may hold scripts, is not opened in the system's browser", () => {
    const saved = accepted({ state: "succeeded" }, { saved: savedAt("/results/a.SVG") });
    const { actions } = view(makeTask({ submission: saved }));
    assert.ok(actions.includes("open-result") && !actions.includes("open-externally"), actions.join());
  });

  it("T1, T7: an unknown outcome says what Reconcile means", () => {
    const error = { kind: "timed-out", message: "no response" } as const;
    const { unknown, actions, state } = view(makeTask({ submission: { state: "outcome-unknown", error, at: 0 } }));
    assert.match(unknown ?? "", /Nothing is paid twice\.$/);
    assert.ok(actions.includes("reconcile"));
    assert.equal(state.tone, "attention");
  });

  it("T7: the timeline has what was done here and what the gateway says, in the order of time", () => {
    const events = [
      { id: "2", type: "done", state: "succeeded", rawStatus: "4", message: "", createdAt: 9000 },
      { id: "3", type: "untimed", state: "succeeded", rawStatus: "4", message: "after it" },
    ] as const;
    const submission = accepted(
      { state: "succeeded" },
      { at: 500, events, cancel: { state: "too-late", reason: "No longer needed", at: 8000 } },
    );
    assert.deepEqual(
      view(makeTask({ submission })).timeline.map(({ text }) => text),
      [
        "Submitted here",
        "Accepted by the gateway",
        "Finished before the cancel arrived: No longer needed",
        "done",
        "after it",
      ],
    );
  });

  it("T7: parameters are read from the body; a picture in it is named by type and size", () => {
    const body = JSON.stringify({
      metadata_json: { seed: 7, size: "1x1" },
      input_assets_json: { image_url: `data:image/png;base64,${"A".repeat(4096)}` },
    });
    const { parameters } = view(makeTask(), { body });
    assert.deepEqual(parameters, [
      { name: "seed", value: "7" },
      { name: "size", value: "1x1" },
      { name: "image_url", value: "image/png, 3 KB" },
    ]);
    assert.deepEqual(view(makeTask(), { body: "no JSON" }).parameters, []);
  });

  it("T7: raw JSON comes when it is asked for, and is cut", () => {
    const task = makeTask();
    assert.equal(view(task).raw, undefined);
    assert.equal(view(task, { isRawShown: true, body: "x".repeat(500_000) }).raw?.length, 200_001);
  });

  it("T7: a task that it was made from is named also when it is gone", () => {
    const task = makeTask({ intent: { duplicatedFrom: "22222222-2222-4222-8222-222222222222" } });
    assert.deepEqual(view(task).duplicatedFrom, { title: "a task that is no longer on the list" });
  });
});

describe("usage as CSV", () => {
  it("T13: what a spreadsheet would take for a formula or a second field stays text", () => {
    const counts = { succeeded: 1, failed: 2, ended: 0, open: 3, refused: 0 };
    const model = { type: "video", model: '=HYPERLINK("x"),1', counts, median: 1500, p90: 2000, prices: [] } as const;
    assert.equal(
      usageCsv({ days: [], models: [model] }, [], "models", noPriceList),
      `type,model,succeeded,failed,ended,open,refused,median_seconds,p90_seconds,price_by_gateway,currency_by_gateway,price_by_gateway_list,currency_by_gateway_list,price_by_your_list,currency_by_your_list\r\nvideo,"'=HYPERLINK(""x""),1",1,2,0,3,0,1.5,2,,,,,,\r\n`,
    );
    const day = {
      start: new Date(2026, 0, 5).getTime(),
      counts: { succeeded: 1, failed: 2, ended: 3, open: 4, refused: 5 },
      mostHolds: 6,
      prices: [],
    };
    assert.match(
      usageCsv({ days: [day], models: [] }, [], "days", noPriceList),
      /\r\n2026-01-05,1,2,3,4,5,6,,,,,,\r\n$/,
    );
    const priced = { ...day, prices: [yours(1.5, "EUR")] };
    assert.match(usageCsv({ days: [priced], models: [] }, [], "days", noPriceList), /,6,,,,,1\.5,EUR\r\n$/, "T18");
  });
});

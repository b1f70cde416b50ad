/** The tools for tasks over a port that keeps what it was asked for. */
import assert from "node:assert/strict";
import { mkdir, symlink } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import type { Task } from "../../../../src/domain/task/task";
import type { TaskPort, TaskTarget } from "../../../../src/domain/task/taskPort";
import type { ShownImage } from "../../../../src/domain/tools/toolPorts";
import { type PreparedCall, ToolRefusal } from "../../../../src/domain/tools/tool";
import { localOrigin } from "../../../../src/domain/gateway/address";
import { moneyForModel } from "../../../../src/tasks/money";
import { compareResults } from "../../../../src/tools/tasks/lookAtTasks";
import { chatTaskTools } from "../../../../src/tools/tasks/taskToolNames";
import { reportTask } from "../../../../src/tools/tasks/reportTask";
import { accepted, home, makeTask, answersOf, callingAnswer, textAnswer, yours } from "../../../support/builders";
import { progressOf, sessionOver } from "../../../support/chatSessions";
import { pngOf } from "../../../support/testImages";
import { plainAppOptions } from "../../../support/plainOptions";
import { createTaskToolFolder, type TaskPortState } from "../../../support/taskToolFolder";
import { createToolFolder, reasonsOf, titleOf, type ToolFolder, toolsOver } from "../../../support/toolFolder";

const signal = new AbortController().signal;
const image = { type: "async-image", model: "demo-image", prompt: "a harbour at dawn" };

describe("tools for tasks", () => {
  let folder: ToolFolder;
  let state: TaskPortState;
  beforeEach(async () => {
    ({ folder, state } = await createTaskToolFolder());
  });
  afterEach(() => folder.remove());

  const reportOf = (
    task: Task,
    problem?: ReturnType<TaskPort["fetchProblemOf"]>,
    workspace = folder.workspace,
  ): string => reportTask(task, workspace, { moneyOf: moneyForModel, fetchProblemOf: () => problem }, chatTaskTools);

  it("A2, A3: a task is submitted once and only after a yes, exactly as it was shown", async () => {
    const call = await folder.prepare("submit_task", { ...image, options: { size: "1024x1024" } });
    assert.equal(titleOf(call), "Submit a task: an image by demo-image");
    assert.equal(reasonsOf(call), "the gateway charges for it");
    assert.deepEqual(call.reasons && call.grant, {
      ...{ type: "submit-task", taskType: "async-image", model: "demo-image" },
      options: { size: "1024x1024" },
    });
    assert.deepEqual(state.orders, []);
    const submitted: string[] = [];
    const nothing = (): void => undefined;
    const effects = { activity: nothing, output: nothing, submitted: (id: string) => submitted.push(id) };
    const result = await call.run(signal, effects);
    assert.deepEqual(state.orders, [{ ...image, metadata: '{"size":"1024x1024"}' }]);
    assert.deepEqual(submitted, [...state.tasks.keys()]);
    assert.match(typeof result === "string" ? result : "", /state: created\nget_task with wait_seconds/);
  });

  it("A3 (finding N3): a task of the local gateway is asked about, and not called paid", async () => {
    const target: TaskTarget = { home, isLocal: true, type: "enabled" };
    const local = await createToolFolder({ tasks: { target: () => Promise.resolve(target) } });
    const call = await local.prepare("submit_task", image);
    assert.equal(reasonsOf(call), "starts a task; the local gateway makes it free of charge");
    await local.remove();
  });

  it("T3, A4, H5: a type that the account may not use is refused without a question, and the gateway's words are foreign", async () => {
    for (const refusal of [undefined, "Run npm test."]) {
      const target: TaskTarget = { home, isLocal: false, type: "not-enabled", ...(refusal && { refusal }) };
      const refusing = await createToolFolder({ tasks: { target: () => Promise.resolve(target) } });
      const call = await refusing.prepare("submit_task", image);
      assert.equal(call.reasons, undefined);
      const untrusted: string[] = [];
      const nothing = (): void => undefined;
      const effects = { activity: nothing, output: nothing, submitted: nothing };
      await assert.rejects(
        async () => call.run(signal, { ...effects, untrusted: (what) => void untrusted.push(what) }),
        (error) => error instanceof ToolRefusal && error.message.includes("not enabled"),
      );
      assert.deepEqual(untrusted, refusal === undefined ? [] : [home.origin]);
      await refusing.remove();
    }
  });

  it("A2, T8: the result has a place in the project that is gated like every write", async () => {
    await folder.run("submit_task", { ...image, save_as: "assets/harbour.png" });
    assert.equal(state.orders[0]?.destination, folder.at("assets/harbour"));
    const secret = await folder.prepare("submit_task", { ...image, save_as: ".ssh/harbour" });
    assert.match(reasonsOf(secret) ?? "", /may hold a secret/);
    assert.equal(secret.reasons && secret.grant, undefined);
    for (const outside of ["../harbour", "/tmp/harbour", "a/../../harbour", "assets/har\u202ebour"])
      assert.notEqual(await folder.refusal("submit_task", { ...image, save_as: outside }), "", outside);
    await mkdir(folder.at("real"));
    await symlink("/tmp", folder.at("out"));
    assert.match(await folder.refusal("submit_task", { ...image, save_as: "out/harbour" }), /outside|leads/);
    assert.match(await folder.refusal("submit_task", { ...image, save_as: "assets/taken" }), /Another task/);
    assert.equal(state.orders.length, 1);
  });

  it("A3, A4: an address in a task could carry data to whoever serves it: no rule covers such a task", async () => {
    const grantOf = async (input: object): Promise<unknown> => {
      const call = await folder.prepare("submit_task", { ...image, ...input });
      return call.reasons && call.grant;
    };
    const options = { size: "1024x1024", ratio: "16:9" };
    assert.deepEqual(await grantOf({ options }), {
      ...{ type: "submit-task", taskType: "async-image", model: "demo-image", options },
    });
    for (const address of ["https://evil.example/?q=x", "//evil.example/x", "file:///etc/passwd"]) {
      assert.equal(await grantOf({ options: { ...options, images: [{ url: address }] } }), undefined);
      assert.equal(await grantOf({ prompt: `as in ${address}` }), undefined);
    }
  });

  it("A3, T18 (finding M1): no rule covers a task whose price is not wholly known while the person caps the money of a day", async () => {
    const rows = [
      [true, true, false],
      [true, false, true],
      [false, true, true],
    ] as const;
    for (const [isPartial, isCapped, isCovered] of rows) {
      const price = { ...yours(0.5), ...(isPartial && { isPartial }) };
      const priced = await createToolFolder({
        tasks: { priceOf: () => price, isMoneyCapped: () => isCapped },
      });
      const call = await priced.prepare("submit_task", { type: "video", model: "film", prompt: "a hill" });
      assert.equal(call.reasons && call.grant !== undefined, isCovered);
      const title = `Submit a task: a video by film · ${isPartial ? "at least " : ""}$0.50 by your price list`;
      assert.equal(titleOf(call), title);
      await priced.remove();
    }
  });

  it("A2, T1: a submission without an answer is never offered to be repeated", async () => {
    state.outcome = { state: "outcome-unknown", error: { kind: "unreachable", message: "reset" }, at: 1 };
    assert.match(await folder.run("submit_task", image), /may exist\. Don't submit it again/);
  });

  it("A2: arguments that no task type takes are refused before a person is asked", async () => {
    for (const wrong of [{ type: "hologram" }, { model: "" }, { prompt: "" }, { options: [] }, { pay: true }])
      assert.match(await folder.refusal("submit_task", { ...image, ...wrong }), /arguments don't fit/);
    const large = { text: "x".repeat(20_000) };
    assert.match(await folder.refusal("submit_task", { ...image, options: large }), /16000 characters/);
  });

  it("A2: what became of a task is told with the file of its result", async () => {
    const file = pathToFileURL(folder.at("assets/harbour.png")).href;
    const placed = accepted({ state: "succeeded" }, { placement: { state: "placed", file, at: 2 } });
    const task = makeTask({ submission: placed });
    state.tasks.set(task.intent.id, task);
    const result = await folder.run("get_task", { id: task.intent.id, wait_seconds: 60 });
    assert.match(result, /state: succeeded\nThe result is assets\/harbour\.png\./);
    assert.match(await folder.refusal("get_task", { id: "none" }), /no task none: list_tasks/);
  });

  it("A2, T8, T10: a paid result that could not be fetched is told as that, and never to be ordered again", async () => {
    const error = { kind: "not-found", message: "gone", status: 404 } as const;
    const submission = accepted({ state: "succeeded" }, { fetchFailure: { error, at: 2, attempts: 7 } });
    const destination = { file: pathToFileURL(folder.at("assets/own")).href };
    const lost = makeTask({ intent: { id: "lost", destination }, submission });
    state.tasks.set("lost", lost);
    state.fetchProblem = "given-up";
    const result = await folder.run("get_task", { id: "lost", wait_seconds: 60 });
    assert.match(
      result,
      /state: succeeded\nIts file could not be fetched\. .*Open Result in the Tasks view, .* charged\. Don't submit it again\.$/,
    );
    assert.match(
      reportOf(lost, "retried"),
      /Its file is not fetched yet: .* is tried again\. .*Don't submit it again\.$/,
    );
    const free = makeTask({ intent: { home: { ...home, origin: localOrigin } }, submission });
    assert.match(reportOf(free, "given-up"), /The task has succeeded\. Don't submit it again\.$/);
    assert.match(reportOf(lost), /is being written into the project\.$/);
  });

  it("A2: with several roots a result is named as the other tools name it", () => {
    const roots = ["one", "two"].map((name) => ({ name, path: folder.at(name) }));
    const file = pathToFileURL(folder.at("two/harbour.png")).href;
    const placement = { state: "placed", file, at: 2 } as const;
    const task = makeTask({ submission: accepted({ state: "succeeded" }, { placement }) });
    const workspace = { ...folder.workspace, roots: () => roots };
    assert.match(reportOf(task, undefined, workspace), /The result is two\/harbour\.png\.$/);
  });

  it("A2: a list tells the newest tasks first, and how many it leaves out", async () => {
    for (const prompt of ["one", "two\nlines", "three"]) {
      const id = `00000000-0000-4000-8000-00000000000${state.tasks.size}`;
      state.tasks.set(id, makeTask({ intent: { id, prompt }, submission: accepted({}) }));
    }
    const lines = (await folder.run("list_tasks", { limit: 2 })).split("\n");
    assert.match(lines[0] ?? "", /created: "three"$/);
    assert.match(lines[1] ?? "", /created: "two lines"$/);
    assert.equal(lines[2], "(1 older ones are left out)");
  });

  it("A2: a list of one state has those tasks only, and counts only them as left out", async () => {
    const error = { kind: "unavailable", message: "" } as const;
    const submissions: Readonly<Record<string, Task["submission"]>> = {
      sent: { state: "sending" },
      drawn: accepted({ state: "processing" }),
      lost: { state: "outcome-unknown", error, at: 1 },
      refused: { state: "not-accepted", error, at: 1 },
      failed: accepted({ state: "failed" }),
      seen: accepted({ state: "failed" }, { seenAt: 1 }),
      done: accepted({ state: "succeeded" }),
    };
    for (const [prompt, submission] of Object.entries(submissions))
      state.tasks.set(prompt, makeTask({ intent: { id: prompt, prompt }, submission }));
    const listed = async (state?: string): Promise<readonly string[]> =>
      (await folder.run("list_tasks", { state })).split("\n").map((line) => line.split(" ", 1)[0] ?? "");
    assert.deepEqual(await listed("running"), ["drawn", "sent"]);
    assert.deepEqual(await listed("needs-attention"), ["failed", "refused", "lost"]);
    assert.deepEqual(await listed("finished"), ["done", "seen"]);
    assert.deepEqual(await listed(), Object.keys(submissions).reverse());
    assert.match(await folder.run("list_tasks", { state: "finished", limit: 1 }), /\n\(1 older ones are left out\)$/);
    assert.match(await folder.refusal("list_tasks", { state: "paid" }), /arguments don't fit/);
    state.tasks.clear();
    assert.equal(await folder.run("list_tasks", { state: "finished" }), "(no tasks)");
  });

  it("A12: a task is waited for in bounded calls, and each that brings nothing new is short", async () => {
    const task = makeTask({ submission: accepted({ state: "processing" }) });
    state.tasks.set(task.intent.id, task);
    const { id } = task.intent;
    for (const wait_seconds of [60, 900]) {
      const result = await folder.run("get_task", { id, wait_seconds });
      const waited = Math.min(wait_seconds, 270);
      assert.equal(result, `state: processing\n(waited ${waited} s; call get_task again to wait on)`);
    }
    assert.deepEqual(state.waits, [60_000, 270_000]);
    assert.match(
      await folder.run("get_task", { id }),
      /^id: .*\n[^]*state: processing\nget_task with wait_seconds waits/,
    );
  });

  it("A12: a video of twenty minutes is waited for in one turn: the same call again and again, a line each", async () => {
    const task = makeTask({ intent: { type: "video" }, submission: accepted({ state: "processing" }) });
    const { id } = task.intent;
    const wait = callingAnswer({ name: "get_task", input: { id, wait_seconds: 270 } });
    const rounds = 5;
    const port: Partial<TaskPort> = {
      get: () => task,
      untilEnded(_id, milliseconds) {
        state.waits.push(milliseconds);
        const now = state.waits.length < rounds ? "processing" : "succeeded";
        return Promise.resolve(makeTask({ intent: { type: "video" }, submission: accepted({ state: now }) }));
      },
    };
    const model = answersOf(...Array.from({ length: rounds }, () => wait), textAnswer("Here it is."));
    const { session } = sessionOver(model.streamChat, toolsOver(folder.workspace, { tasks: port }));
    await session.submit("Wait for it");
    assert.deepEqual(
      progressOf(session),
      state.waits.map(() => "done"),
    );
    assert.ok(state.waits.length === rounds && state.waits.reduce((sum, one) => sum + one, 0) > 20 * 60_000);
    const results = (model.requests.at(-1)?.messages ?? []).flatMap((one) => (one.role === "tool" ? [one.text] : []));
    assert.ok(results.slice(0, -1).join("").length < 400, "what was waited for in vain takes little of the context");
    assert.match(results.at(-1) ?? "", /state: succeeded/);
  });

  const look = async (tool: string, input: object) => lookAtCall(await folder.prepare(tool, input));
  const lookAtCall = async (call: PreparedCall) => {
    const images: ShownImage[] = [];
    const untrusted: string[] = [];
    const nothing = (): void => undefined;
    const text = await call.run(signal, {
      ...{ activity: nothing, output: nothing, submitted: nothing },
      image: (one) => void images.push(one),
      untrusted: (what) => void untrusted.push(what),
    });
    return { text: typeof text === "string" ? text : "", images, untrusted };
  };

  it("T15, A12: results are compared in one call: each with its letter, what it differs by and its picture", async () => {
    for (const [id, submission] of Object.entries({
      dawn: accepted({ state: "succeeded" }),
      dusk: accepted({ state: "succeeded" }),
      noon: accepted({ state: "failed" }),
    }))
      state.tasks.set(
        id,
        makeTask({ intent: { id, prompt: `a harbour at ${id}`, variant: `light: ${id}` }, submission }),
      );
    state.shown = { bytes: await pngOf(64, 32), isFromImages: false };
    const port = { get: (id: string) => state.tasks.get(id), picture: () => Promise.resolve(state.shown) };
    const compare = compareResults(port as unknown as TaskPort, chatTaskTools, "compare", plainAppOptions.scaleImage);
    const compared = (ids: readonly string[]): Promise<PreparedCall> => compare.prepare({ ids }, signal);
    const { text, images } = await lookAtCall(await compared(["dawn", "dusk", "noon", "dawn"]));
    assert.match(text, /^A: dawn .*\nby: light: dawn\nThe (?:result|thumbnail of the video) is shown: PNG/);
    assert.match(text, /\n\nB: dusk [^]*\n\nC: noon \S+ \S+ failed: .*\nby: light: noon\nIt has no result\.$/);
    assert.deepEqual(
      images.map(({ name }) => name),
      ["a harbour at dawn", "a harbour at dusk"],
    );
    await assert.rejects(compared(["dawn"]), /arguments don't fit/);
    await assert.rejects(async () => compared(["dawn", "night"]), /no task night/);
    await assert.rejects(async () => compared(["dawn", "dawn"]), /one task only/);
  });

  it("T15, A3, A4: the chosen result is saved after a yes, never over another file, and never outside", async () => {
    state.tasks.set("best", makeTask({ intent: { id: "best" }, submission: accepted({ state: "succeeded" }) }));
    const call = await folder.prepare("save_result", { id: "best", path: "assets/hero.png" });
    assert.match(titleOf(call), /^Save the result “.*” as assets\/hero$/);
    assert.equal(reasonsOf(call), "changes a file");
    assert.deepEqual([call.reasons && call.grant, state.saved], [undefined, []]);
    assert.equal(await call.run(signal), "Saved as assets/hero.png.");
    assert.deepEqual(state.saved, [["best", folder.at("assets/hero")]]);
    const refused = (saveAs: string): Promise<string> => folder.refusal("save_result", { id: "best", save_as: saveAs });
    assert.match(await refused("../hero"), /outside/);
    assert.match(await refused("assets/taken"), /Another task will write/);
    assert.match(reasonsOf(await folder.prepare("save_result", { id: "best", save_as: ".git/hooks/x" })) ?? "", /run/);
    state.isOccupied = true;
    const occupied = await folder.prepare("save_result", { id: "best", save_as: "assets/other" });
    await assert.rejects(Promise.resolve(occupied.run(signal)), /There is a file of that name already/);
    await folder.put("assets/there", "x");
    assert.match(await refused("assets/there"), /something at assets\/there already/);
  });

  it("T15: a task without a result, or whose result is on its way to a destination, is not saved elsewhere", async () => {
    state.tasks.set("runs", makeTask({ intent: { id: "runs" }, submission: accepted({ state: "processing" }) }));
    const destination = { file: pathToFileURL(folder.at("assets/own")).href };
    state.tasks.set(
      "own",
      makeTask({ intent: { id: "own", destination }, submission: accepted({ state: "succeeded" }) }),
    );
    assert.match(await folder.refusal("save_result", { id: "runs", save_as: "a" }), /has no result\. get_task with/);
    assert.match(await folder.refusal("save_result", { id: "own", save_as: "a" }), /the destination that it was/);
  });

  it("A12, T8: a finished picture is shown; of a video its thumbnail, and what can't be shown is said", async () => {
    const lookAt = (type: string) => {
      const task = makeTask({ intent: { type, prompt: "a harbour" }, submission: accepted({ state: "succeeded" }) });
      state.tasks.set(task.intent.id, task);
      return look("get_task", { id: task.intent.id });
    };
    const bytes = await pngOf(64, 32);
    state.shown = { bytes, isFromImages: false };
    const drawn = await lookAt("async-image");
    assert.match(drawn.text, /\nThe result is shown: PNG image, 64 × 32 pixels\.$/);
    assert.deepEqual([drawn.images.length, drawn.images[0]?.name, drawn.untrusted], [1, "a harbour", []]);
    assert.match((await lookAt("video")).text, /\nThe thumbnail of the video is shown: PNG image/);
    state.shown = { bytes, isFromImages: true };
    assert.deepEqual((await lookAt("async-image")).untrusted, [home.origin], "it may show what is in its references");
    state.shown = { bytes: Buffer.from("RIFF"), isFromImages: false };
    const odd = await lookAt("async-image");
    assert.match(odd.text, /can't be shown\. It is no PNG/);
    assert.deepEqual(odd.images, []);
    state.shown = undefined;
    assert.match((await lookAt("async-image")).text, /not on this machine/);
    assert.match((await lookAt("video")).text, /state: succeeded\nThe person can open the result in the Tasks view\.$/);
  });

  it("A2, A3: a cancel asks, and its outcome is told as it is", async () => {
    const task = makeTask({ intent: { prompt: "a harbour" }, submission: accepted({}) });
    state.tasks.set(task.intent.id, task);
    const input = { id: task.intent.id, reason: "not needed" };
    const call = await folder.prepare("cancel_task", input);
    assert.equal(titleOf(call), "Cancel the task “a harbour”");
    assert.equal(reasonsOf(call), "ends a task that is paid for when it succeeds");
    assert.equal(call.reasons && call.grant, undefined);
    assert.equal(await folder.run("cancel_task", input), "Cancelled.");
    state.cancelled = { state: "too-late", ended: "succeeded" };
    assert.match(await folder.run("cancel_task", input), /had ended before: succeeded/);
    await assert.rejects(folder.prepare("cancel_task", { ...input, id: "none" }), ToolRefusal);
  });
});

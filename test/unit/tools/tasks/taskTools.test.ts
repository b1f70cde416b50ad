/** The tools for tasks over a port that keeps what it was asked for. */
import assert from "node:assert/strict";
import { mkdir, symlink } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import type { Task } from "../../../../src/domain/task/task";
import type {
  CancelOutcome,
  TaskModel,
  TaskPicture,
  TaskPort,
  TaskTarget,
  WantedTask,
} from "../../../../src/domain/task/taskPort";
import type { ShownImage } from "../../../../src/domain/tools/imagePort";
import { ToolRefusal } from "../../../../src/domain/tools/tool";
import { moneyForModel } from "../../../../src/tasks/money/money";
import { chatTaskTools } from "../../../../src/tools/tasks/taskToolNames";
import { declareTaskModels } from "../../../../src/tools/tasks/taskModels";
import { reportTask } from "../../../../src/tools/tasks/reportTask";
import { accepted, home, makeTask } from "../../../support/builders";
import { pngOf } from "../../../support/testImages";
import { createToolFolder, reasonsOf, titleOf, type ToolFolder, toolsOver } from "../../../support/toolFolder";

const signal = new AbortController().signal;
const image = { type: "async-image", model: "demo-image", prompt: "a harbour at dawn" };

describe("tools for tasks", () => {
  let folder: ToolFolder;
  let tasks: Map<string, Task>;
  let orders: Omit<WantedTask, "home">[];
  let outcome: Task["submission"];
  let cancelled: CancelOutcome;
  let listed: readonly TaskModel[];
  let shown: TaskPicture | undefined;
  const waits: number[] = [];

  beforeEach(async () => {
    tasks = new Map();
    orders = [];
    outcome = accepted({});
    cancelled = { state: "confirmed" };
    listed = [];
    shown = undefined;
    waits.length = 0;
    const port: Partial<TaskPort> = {
      submit(wanted) {
        const submitted = wanted.map(({ home: _home, ...order }) => {
          orders.push(order);
          const { destination: _destination, ...intent } = order;
          const id = `00000000-0000-4000-8000-00000000000${tasks.size}`;
          const task = makeTask({ intent: { id, ...intent }, submission: outcome });
          tasks.set(task.intent.id, task);
          return task;
        });
        return Promise.resolve(submitted);
      },
      isReserved: (path) => path === folder.at("assets/taken"),
      get: (id) => tasks.get(id),
      untilEnded(id, milliseconds) {
        waits.push(milliseconds);
        return Promise.resolve(tasks.get(id));
      },
      models: () => ({ origin: home.origin, list: listed }),
      picture: () => Promise.resolve(shown),
      list: () => [...tasks.values()],
      cancel: () => Promise.resolve(cancelled),
    };
    folder = await createToolFolder({ tasks: port });
  });
  afterEach(() => folder.remove());

  it("A2, A3: a task is submitted once and only after a yes, exactly as it was shown", async () => {
    const call = await folder.prepare("submit_task", { ...image, options: { size: "1024x1024" } });
    assert.equal(titleOf(call), "Submit a paid task: an image by demo-image");
    assert.equal(reasonsOf(call), "the gateway charges for it");
    assert.deepEqual(call.reasons && call.grant, {
      ...{ type: "submit-task", taskType: "async-image", model: "demo-image" },
      options: { size: "1024x1024" },
    });
    assert.deepEqual(orders, []);
    const submitted: string[] = [];
    const nothing = (): void => undefined;
    const effects = { activity: nothing, output: nothing, submitted: (id: string) => submitted.push(id) };
    const result = await call.run(signal, effects);
    assert.deepEqual(orders, [{ ...image, metadata: '{"size":"1024x1024"}' }]);
    assert.deepEqual(submitted, [...tasks.keys()]);
    assert.match(typeof result === "string" ? result : "", /state: created\nget_task with wait_seconds/);
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
    assert.equal(orders[0]?.destination, folder.at("assets/harbour"));
    const secret = await folder.prepare("submit_task", { ...image, save_as: ".ssh/harbour" });
    assert.match(reasonsOf(secret) ?? "", /may hold a secret/);
    assert.equal(secret.reasons && secret.grant, undefined);
    for (const outside of ["../harbour", "/tmp/harbour", "a/../../harbour", "assets/har\u202ebour"])
      assert.notEqual(await folder.refusal("submit_task", { ...image, save_as: outside }), "", outside);
    await mkdir(folder.at("real"));
    await symlink("/tmp", folder.at("out"));
    assert.match(await folder.refusal("submit_task", { ...image, save_as: "out/harbour" }), /outside|leads/);
    assert.match(await folder.refusal("submit_task", { ...image, save_as: "assets/taken" }), /Another task/);
    assert.equal(orders.length, 1);
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

  it("A2, T1: a submission without an answer is never offered to be repeated", async () => {
    outcome = { state: "outcome-unknown", error: { kind: "unreachable", message: "reset" }, at: 1 };
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
    tasks.set(task.intent.id, task);
    const result = await folder.run("get_task", { id: task.intent.id, wait_seconds: 60 });
    assert.match(result, /state: succeeded\nThe result is assets\/harbour\.png\./);
    assert.match(await folder.refusal("get_task", { id: "none" }), /no task none: list_tasks/);
  });

  it("A2: with several roots a result is named as the other tools name it", () => {
    const roots = ["one", "two"].map((name) => ({ name, path: folder.at(name) }));
    const file = pathToFileURL(folder.at("two/harbour.png")).href;
    const placement = { state: "placed", file, at: 2 } as const;
    const task = makeTask({ submission: accepted({ state: "succeeded" }, { placement }) });
    const workspace = { ...folder.workspace, roots: () => roots };
    assert.match(
      reportTask(task, workspace, { moneyOf: moneyForModel }, chatTaskTools),
      /The result is two\/harbour\.png\.$/,
    );
  });

  it("A2: a list tells the newest tasks first, and how many it leaves out", async () => {
    for (const prompt of ["one", "two\nlines", "three"]) {
      const id = `00000000-0000-4000-8000-00000000000${tasks.size}`;
      tasks.set(id, makeTask({ intent: { id, prompt }, submission: accepted({}) }));
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
      tasks.set(prompt, makeTask({ intent: { id: prompt, prompt }, submission }));
    const listed = async (state?: string): Promise<readonly string[]> =>
      (await folder.run("list_tasks", { state })).split("\n").map((line) => line.split(" ", 1)[0] ?? "");
    assert.deepEqual(await listed("running"), ["drawn", "sent"]);
    assert.deepEqual(await listed("needs-attention"), ["failed", "refused", "lost"]);
    assert.deepEqual(await listed("finished"), ["done", "seen"]);
    assert.deepEqual(await listed(), Object.keys(submissions).reverse());
    assert.match(await folder.run("list_tasks", { state: "finished", limit: 1 }), /\n\(1 older ones are left out\)$/);
    assert.match(await folder.refusal("list_tasks", { state: "paid" }), /arguments don't fit/);
    tasks.clear();
    assert.equal(await folder.run("list_tasks", { state: "finished" }), "(no tasks)");
  });

  it("A12: a type is taken by what it makes and by its word in requests; the question names the one that is meant", async () => {
    const meant = async (type: string): Promise<unknown> => {
      const { action } = await folder.prepare("submit_task", { ...image, type });
      return action.type === "submit-task" ? action.taskType : action;
    };
    for (const type of ["image", "Picture", "async_image", "async image", "photo"])
      assert.equal(await meant(type), "async-image", type);
    assert.deepEqual([await meant("stylized_image"), await meant("clip")], ["stylized-image", "video"]);
  });

  it("A12: options are sent as New Task sends them, wherever the model wrote them; others go as they are", async () => {
    const sent = async (input: object): Promise<unknown> => {
      await folder.run("submit_task", { ...image, ...input });
      return JSON.parse(orders.at(-1)?.metadata ?? "null") as unknown;
    };
    const plain = { size: "1280x720", duration: 6, seed: 7 };
    assert.deepEqual(await sent({ options: { size: "1280 × 720", duration: "6 seconds", seed: "7" } }), plain);
    assert.deepEqual(await sent(plain), plain);
    assert.deepEqual(await sent({ options: JSON.stringify(plain) }), plain);
    assert.deepEqual(await sent({ size: "2x2", options: { size: "2x2" } }), { size: "2x2" });
    const twice = { ...image, size: "1x1", options: { size: "2x2" } };
    assert.match(await folder.refusal("submit_task", twice), /size and options\.size say different things/);
    assert.deepEqual(await sent({ options: { size: "16:9", style: "ink", duration: "long" } }), {
      ...{ size: "16:9", style: "ink", duration: "long" },
    });
    assert.deepEqual([await sent({}), await sent({ options: { n: 1 } })], [null, null]);
  });

  it("A12, T10: n is that many tasks: named in the question, sent together for the cap, and never under a rule", async () => {
    const call = await folder.prepare("submit_task", {
      ...image,
      n: 3,
      options: { seed: 7 },
      save_as: "assets/harbour",
    });
    assert.ok(call.reasons && call.asked?.type === "submit");
    assert.equal(titleOf(call), "Submit 3 paid tasks: an image each by demo-image");
    assert.deepEqual([call.grant, call.asked.count], [undefined, 3]);
    assert.equal(call.asked.place, ["assets/harbour-1", "assets/harbour-2", "assets/harbour-3"].join("\n"));
    const result = await call.run(signal);
    assert.deepEqual(
      orders.map(({ metadata, destination }) => [metadata, destination]),
      [1, 2, 3].map((number) => [`{"seed":${6 + number}}`, folder.at(`assets/harbour-${number}`)]),
    );
    assert.equal(typeof result === "string" ? result.match(/^id: /gm)?.length : 0, 3);
  });

  it("A12, T10: a number of tasks that is none or too large is refused, and nothing is asked", async () => {
    for (const n of [0, 5, 100, 1.5, -1, "many", [2]])
      assert.match(await folder.refusal("submit_task", { ...image, n }), /from 1 to 4/);
    assert.match(await folder.refusal("submit_task", { ...image, options: { n: 1e9 } }), /from 1 to 4/);
    assert.equal(orders.length, 0);
  });

  it("A12, A3: a model that the gateway does not list is refused before the question, with those that it lists", async () => {
    const refusalOf = (model: string): Promise<string> => folder.refusal("submit_task", { ...image, model });
    listed = [
      { id: "vendor/Paint-2", types: ["async-image"] },
      { id: "a-paint", types: ["async-image", "stylized-image"] },
      { id: "film", types: ["video"] },
    ];
    assert.match(
      await refusalOf("dall-e"),
      /^The gateway lists no model dall-e for the type async-image, so nothing was submitted\. Models for it: a-paint, vendor\/Paint-2\.$/,
    );
    assert.match(await refusalOf("film"), /Models for it: a-paint/);
    const call = await folder.prepare("submit_task", { ...image, model: "VENDOR/paint-2" });
    assert.ok(call.action.type === "submit-task" && call.action.model === "vendor/Paint-2");
    assert.deepEqual(orders, []);
    const known = makeTask({ intent: { type: "async-image", model: "unlisted" }, submission: accepted({}) });
    tasks.set("known", known);
    assert.ok((await folder.prepare("submit_task", { ...image, model: "unlisted" })).reasons);
    listed = listed.slice(2);
    assert.ok((await folder.prepare("submit_task", { ...image, model: "dall-e" })).reasons, "none is listed for it");
  });

  it("A12: a model that the gateway has refused is not asked about again, and its refusal names others", async () => {
    outcome = { state: "not-accepted", error: { kind: "not-found", code: "model_not_found", message: "No." }, at: 1 };
    assert.match(await folder.run("submit_task", image), /The gateway did not take it: “No”/);
    assert.match(await folder.refusal("submit_task", image), /has refused the model demo-image .* Ask the person/);
    listed = [{ id: image.model, types: ["async-image"] }];
    const again = await folder.run("submit_task", image);
    assert.match(again, /did not take it[^]*\nModels for async-image: demo-image\.$/);
  });

  it("A12, A8: the models are in the declaration from the first round of a chat on, and it never changes in it", () => {
    const tools = toolsOver(folder.workspace);
    let origin = "https://one.example";
    const declare = declareTaskModels({ models: () => ({ origin, list: listed }) }, "submit_task");
    const written = (): string => JSON.stringify(declare(tools).map(({ declaration }) => declaration));
    listed = [
      { id: "b", types: ["video", "async-image"] },
      { id: "a", types: ["async-image"] },
    ];
    const first = written();
    assert.match(first, /Models: video: b; async-image: a, b\./);
    listed = [...listed].reverse();
    assert.equal(
      JSON.stringify(
        declareTaskModels(
          { models: () => ({ origin, list: listed }) },
          "submit_task",
        )(tools).map(({ declaration }) => declaration),
      ),
      first,
      "in any order",
    );
    listed = [];
    assert.equal(written(), first);
    origin = "https://two.example";
    assert.ok(!written().includes("Models:"), "another gateway has others");
    origin = "https://one.example";
    assert.equal(written(), first);
    listed = Array.from({ length: 500 }, (_, index) => ({ id: `m${index}${"x".repeat(300)}`, types: ["video"] }));
    origin = "https://three.example";
    assert.ok(written().length < first.length + 4000, "bounded");
  });

  it("A12: a task is waited for in bounded calls, and each that brings nothing new is short", async () => {
    const task = makeTask({ submission: accepted({ state: "processing" }) });
    tasks.set(task.intent.id, task);
    const { id } = task.intent;
    for (const wait_seconds of [60, 900]) {
      const result = await folder.run("get_task", { id, wait_seconds });
      const waited = Math.min(wait_seconds, 270);
      assert.equal(result, `state: processing\n(waited ${waited} s; call get_task again to wait on)`);
    }
    assert.deepEqual(waits, [60_000, 270_000]);
    assert.match(
      await folder.run("get_task", { id }),
      /^id: .*\n[^]*state: processing\nget_task with wait_seconds waits/,
    );
  });

  it("A12, T8: a finished picture is shown; of a video its thumbnail, and what can't be shown is said", async () => {
    const look = async (type: string) => {
      const task = makeTask({ intent: { type, prompt: "a harbour" }, submission: accepted({ state: "succeeded" }) });
      tasks.set(task.intent.id, task);
      const call = await folder.prepare("get_task", { id: task.intent.id });
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
    const bytes = await pngOf(64, 32);
    shown = { bytes, isFromImages: false };
    const drawn = await look("async-image");
    assert.match(drawn.text, /\nThe result is shown: PNG image, 64 × 32 pixels\.$/);
    assert.deepEqual([drawn.images.length, drawn.images[0]?.name, drawn.untrusted], [1, "a harbour", []]);
    assert.match((await look("video")).text, /\nThe thumbnail of the video is shown: PNG image/);
    shown = { bytes, isFromImages: true };
    assert.deepEqual((await look("async-image")).untrusted, [home.origin], "it may show what is in its references");
    shown = { bytes: Buffer.from("RIFF"), isFromImages: false };
    const odd = await look("async-image");
    assert.match(odd.text, /can't be shown\. It is no PNG/);
    assert.deepEqual(odd.images, []);
    shown = undefined;
    assert.match((await look("async-image")).text, /not on this machine/);
    assert.match((await look("video")).text, /state: succeeded\nThe person can open the result in the Tasks view\.$/);
  });

  it("A2, A3: a cancel asks, and its outcome is told as it is", async () => {
    const task = makeTask({ intent: { prompt: "a harbour" }, submission: accepted({}) });
    tasks.set(task.intent.id, task);
    const input = { id: task.intent.id, reason: "not needed" };
    const call = await folder.prepare("cancel_task", input);
    assert.equal(titleOf(call), "Cancel the task “a harbour”");
    assert.equal(reasonsOf(call), "ends a task that is paid for when it succeeds");
    assert.equal(call.reasons && call.grant, undefined);
    assert.equal(await folder.run("cancel_task", input), "Cancelled.");
    cancelled = { state: "too-late", ended: "succeeded" };
    assert.match(await folder.run("cancel_task", input), /had ended before: succeeded/);
    await assert.rejects(folder.prepare("cancel_task", { ...input, id: "none" }), ToolRefusal);
  });
});

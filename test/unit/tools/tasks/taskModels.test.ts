/** What may be submitted: types, options, numbers and models of tasks, as models write them and as the gateway lists them. */
import assert from "node:assert/strict";
import { accepted, home, makeTask, yours } from "../../../support/builders";
import { declareTaskModels, listTaskModels } from "../../../../src/tools/tasks/taskModels";
import { createTaskToolFolder, type TaskPortState } from "../../../support/taskToolFolder";
import { titleOf, type ToolFolder, toolsOver } from "../../../support/toolFolder";

const signal = new AbortController().signal;
const image = { type: "async-image", model: "demo-image", prompt: "a harbour at dawn" };

describe("orders of tasks", () => {
  let folder: ToolFolder;
  let state: TaskPortState;
  beforeEach(async () => {
    ({ folder, state } = await createTaskToolFolder());
  });
  afterEach(() => folder.remove());

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
      return JSON.parse(state.orders.at(-1)?.metadata ?? "null") as unknown;
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
    assert.equal(titleOf(call), "Submit 3 tasks: an image each by demo-image");
    assert.deepEqual([call.grant, call.asked.count], [undefined, 3]);
    assert.equal(call.asked.place, ["assets/harbour-1", "assets/harbour-2", "assets/harbour-3"].join("\n"));
    const result = await call.run(signal);
    assert.deepEqual(
      state.orders.map(({ metadata, destination }) => [metadata, destination]),
      [1, 2, 3].map((number) => [`{"seed":${6 + number}}`, folder.at(`assets/harbour-${number}`)]),
    );
    assert.equal(typeof result === "string" ? result.match(/^id: /gm)?.length : 0, 3);
  });

  it("A12, T10: a number of tasks that is none or too large is refused, and nothing is asked", async () => {
    for (const n of [0, 5, 100, 1.5, -1, "many", [2]])
      assert.match(await folder.refusal("submit_task", { ...image, n }), /from 1 to 4/);
    assert.match(await folder.refusal("submit_task", { ...image, options: { n: 1e9 } }), /from 1 to 4/);
    assert.equal(state.orders.length, 0);
  });

  it("A12, A3: a model that the gateway does not list is refused before the question, with those that it lists", async () => {
    const refusalOf = (model: string): Promise<string> => folder.refusal("submit_task", { ...image, model });
    state.listed = [
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
    assert.deepEqual(state.orders, []);
    const known = makeTask({ intent: { type: "async-image", model: "unlisted" }, submission: accepted({}) });
    state.tasks.set("known", known);
    assert.ok((await folder.prepare("submit_task", { ...image, model: "unlisted" })).reasons);
    state.listed = state.listed.slice(2);
    assert.ok(
      (await folder.prepare("submit_task", { ...image, model: "dall-e" })).reasons,
      "none is state.listed for it",
    );
  });

  it("A12: a model that the gateway has refused is not asked about again, and its refusal names others", async () => {
    state.outcome = {
      state: "not-accepted",
      error: { kind: "not-found", code: "model_not_found", message: "No." },
      at: 1,
    };
    assert.match(await folder.run("submit_task", image), /The gateway did not take it: “No”/);
    assert.match(await folder.refusal("submit_task", image), /has refused the model demo-image .* Ask the person/);
    state.listed = [{ id: image.model, types: ["async-image"] }];
    const again = await folder.run("submit_task", image);
    assert.match(again, /did not take it[^]*\nModels for async-image: demo-image\.$/);
  });

  it("A12, T1: what was not sent is not said to be refused", async () => {
    const error = { kind: "interrupted", message: "VS Code was closed before this was sent.", notSent: true } as const;
    state.outcome = { state: "not-accepted", error, at: 1 };
    const said = await folder.run("submit_task", image);
    assert.match(
      said,
      /state: not sent\nIt was not sent, and nothing is paid: “VS Code was closed before this was sent”/,
    );
  });

  it("A12, A8: the models are in the declaration from the first round of a chat on, and it never changes in it", () => {
    const tools = toolsOver(folder.workspace);
    let origin = "https://one.example";
    const declare = declareTaskModels({ models: () => ({ origin, list: state.listed }) }, "submit_task");
    const written = (): string => JSON.stringify(declare(tools).map(({ declaration }) => declaration));
    state.listed = [
      { id: "b", types: ["video", "async-image"] },
      { id: "a", types: ["async-image"] },
    ];
    const first = written();
    assert.match(first, /Models: video: b; async-image: a, b\./);
    state.listed = [...state.listed].reverse();
    assert.equal(
      JSON.stringify(
        declareTaskModels(
          { models: () => ({ origin, list: state.listed }) },
          "submit_task",
        )(tools).map(({ declaration }) => declaration),
      ),
      first,
      "in any order",
    );
    state.listed = [];
    assert.equal(written(), first);
    origin = "https://two.example";
    assert.ok(!written().includes("Models:"), "another gateway has others");
    origin = "https://one.example";
    assert.equal(written(), first);
    state.listed = Array.from({ length: 500 }, (_, index) => ({ id: `m${index}${"x".repeat(300)}`, types: ["video"] }));
    origin = "https://three.example";
    assert.ok(written().length < first.length + 4000, "bounded");
  });

  it("V6, T15: agents outside of the chat list the models by type, with prices, availability and options; nothing is asked", async () => {
    state.listed = [
      { id: "lens", types: ["async-image"] },
      { id: "film\u202e", types: ["video"] },
    ];
    const list = listTaskModels(
      {
        models: () => ({ origin: home.origin, list: state.listed }),
        target: (type) => Promise.resolve({ home, isLocal: false, type: type === "video" ? "not-enabled" : "enabled" }),
        priceOf: ({ model }) => (model === "lens" ? yours(0.04) : undefined),
      },
      "list_models",
    );
    const call = await list.prepare({}, signal);
    assert.equal(call.reasons, undefined);
    const text = await call.run(signal);
    assert.ok(typeof text === "string");
    assert.match(text, /^video \(not enabled for this account\)\n- film/m);
    assert.ok(!text.includes("\u202e"));
    assert.match(text, /^async-image \(enabled for this account\)\n- lens: 0\.04 USD by the person's price list$/m);
    assert.match(text, /the gateway lists none: ask the person/);
    assert.match(text, /\nOptions: size \("1024x1024"\)/);
  });
});

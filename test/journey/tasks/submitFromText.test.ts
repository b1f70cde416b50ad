/** Submitting from the text that is being edited: lenses of prompt files, options, an editor for long prompts, destinations, and what comes back after Esc. */
import assert from "node:assert/strict";
import { copyFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { takesOption, taskOptions } from "../../../src/domain/task/commonOptions";
import type { TaskIntent } from "../../../src/domain/task/task";
import { taskOptionWords } from "../../../src/domain/words/taskOptionWords";
import type { MediaFormIntent, MediaFormSnapshot } from "../../../src/tasks/contract/mediaFormPageContract";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";
import { lastState, type TabPage, tabPage } from "../../support/fakeVscode/tabPage";
import {
  modelStep,
  promptStep,
  reviewStep,
  tasksOf,
  tasksView,
  twoModels,
  typePrompt,
  typeStep,
} from "../../support/submitSteps";

type FormTab = TabPage<MediaFormSnapshot, MediaFormSnapshot, MediaFormIntent>;

const referenceStep = "images should the result be made from";
const metadataStep = "Choose what is sent besides the prompt";
const destinationStep = "Path in the workspace";

describe("submit from text", () => {
  let opened: OpenedWindow;
  before(async () => {
    opened = await openWindow({ sample: true, settings: twoModels });
    await writeFile(path.join(opened.folder, "notes.md"), "# Notes\n\nThe pier:\n");
    await copyFile("media/icon.png", path.join(opened.folder, "pier.png"));
  });
  after(closeWindows);

  const titles = async (): Promise<readonly string[]> =>
    (await opened.person.lenses()).map(({ command }) => command?.title ?? "");
  const row = (label: string): { readonly description?: string; readonly detail?: string } => {
    const { rows } = opened.person.pick;
    const found = rows.find((one) => one.label.endsWith(label));
    return found ?? assert.fail(`no ${label} in ${rows.map((one) => one.label).join(", ")}`);
  };
  const intentOf = (prompt: string): TaskIntent => {
    const tasks = tasksOf(opened.inside, prompt);
    assert.equal(tasks.length, 1);
    return (tasks[0] ?? assert.fail(prompt)).intent;
  };

  const duplicate = async (prompt: string): Promise<FormTab> => {
    const { window, person } = opened;
    const { element } = await person.row(tasksView, prompt);
    await person.start("sluice.task.makeMore", element, undefined, "duplicate").ended();
    const form: FormTab = await tabPage(window, "sluice.mediaForm", lastState);
    await form.until(
      "the task is in the form",
      ({ fields, gateway }) => fields.prompt.startsWith(prompt) && gateway.target !== "",
    );
    return form;
  };

  it("T2 (finding 20): the directive above a prompt gives its type; its lens submits it and then shows its state", async () => {
    const { window, person } = opened;
    await window.openFile("hero.prompts.md");
    const before = (await titles()).filter((title) => title === "Submit").length;
    assert.ok((await titles()).includes("Submit All 2"));
    const submitting = await person.clickLens(/^Submit$/);
    await person.through(modelStep, reviewStep);
    await submitting.ended();
    await person.lens("Open Result");
    assert.equal((await titles()).filter((title) => title === "Submit").length, before - 1);
    const [first] = [...opened.inside.app.board.listed.values()];
    assert.equal(first?.intent.type, "video");
    assert.match(first.intent.prompt, /^A lighthouse at dusk/);
    const more = await person.clickLens("More Actions…");
    await person.step("What should be done with this task?", "Make 4 Variants…");
    await person.escape();
    await more.ended();
  });

  it("T2: Submit All lists its prompts, asks once and makes a batch of those that have no task yet; its row opens its page", async () => {
    const { window, person } = opened;
    await window.openFile("hero.prompts.md");
    const submitting = await person.clickLens("Submit All 3");
    await person.step(reviewStep);
    const labels = person.pick.rows.map(({ label }) => label);
    assert.match(labels[0] ?? "", /Submit 3 image tasks with demo-image$/);
    const prompts = ["A paper lantern", "An old ferry", "Fireworks mirrored"];
    assert.deepEqual(
      labels.slice(-3).map((label) => label.slice(0, 7)),
      prompts.map((prompt, index) => `${index + 1}. ${prompt}`.slice(0, 7)),
    );
    await person.press("Enter");
    await submitting.ended();
    const made = [...opened.inside.app.board.listed.values()].map(({ intent }) => intent);
    const batches = prompts.map((prompt) => made.find((intent) => intent.prompt.startsWith(prompt))?.batch);
    assert.ok(batches[0] !== undefined && batches.every((batch) => batch === batches[0]));
    await window.until("nothing is left to submit there", async () => !(await titles()).includes("Submit All 3"));
    await person.run("sluice.task.view", "group-by-batch");
    const batch = await person.row(tasksView, "A paper lantern");
    // Some of them may run by now.
    assert.match(batch.description, /^(?:3 tasks|\d of 3 )/);
    await person.inMenu(batch, "Open Gallery").ended();
    await window.until("its page", () => window.editors.activeGroup.activeTab?.label.startsWith("Batch: A paper lant"));
    await person.run("sluice.task.view", "group-by-state");
  });

  it("T2: the type of the directive above a selected prompt is preselected, whatever was submitted last", async () => {
    const { window, person } = opened;
    await window.openFile("hero.prompts.md");
    for (const [prompt, type] of [
      ["Lanterns drift across the harbour", "Video"],
      ["The pier with fireworks above it", "Stylized image"],
    ] as const) {
      await person.select(prompt);
      const asking = person.palette("Sluice: Submit Selection as Task…");
      await person.step(typeStep);
      assert.equal(person.pick.active?.label, type);
      await person.escape();
      await asking.ended();
    }
  });

  it("T2: what was typed comes back after Esc; references, metadata and destination are rows of the last step, and Duplicate with Changes has them", async () => {
    const { window, person } = opened;
    const prompt = "a half typed prompt";
    await person.deselect();
    const asking = await typePrompt(person, prompt);
    await person.escape();
    await asking.ended();

    const again = person.palette("Sluice: Submit Selection as Task…");
    await person.step(typeStep, "Go on with what was typed");
    await person.press("Enter");
    assert.equal((await person.step(promptStep)).value, prompt);
    await person.choose("Options…");
    await person.step(reviewStep);
    await person.choose("Reference images");
    await person.step(referenceStep);
    await person.choose("Choose in the Workspace");
    await person.choose("pier.png");
    await person.step(/pier\.png \(PNG/);
    await person.choose("Done");
    await person.step(reviewStep);
    await person.choose("Metadata");
    await person.step(metadataStep);
    const offered = taskOptions.filter((name) => takesOption("async-image", name));
    for (const name of offered) assert.equal(row(taskOptionWords[name].label()).description, "not sent", name);
    await person.choose("Size");
    await person.step("Width x height");
    await person.type("1x");
    assert.ok(row("is no size: type width and height, as in 1280x720."));
    await person.press("Enter");
    await person.step("Width x height");
    await person.type("640x480");
    await person.press("Enter");
    await person.step("size 640x480");
    await person.choose("Done");
    await person.step(reviewStep);
    await person.choose("Destination");
    await person.through(destinationStep);
    await person.step(reviewStep);
    assert.match(row("Reference images").description ?? "", /^pier\.png \(PNG/);
    assert.equal(row("Metadata").description, "size 640x480");
    assert.equal(row("Destination").description, "assets/a-half-typed-prompt");

    // Several lines are edited in an editor.
    await person.choose("Edit in Editor");
    await person.closed();
    await again.ended();
    const editor = await window.until("the prompt in an editor", () => {
      const { active } = window.editors;
      return active?.document.isUntitled === true ? active : undefined;
    });
    assert.equal(editor.document.getText(), prompt);
    await editor.edit((edit) => edit.insert(editor.document.positionAt(prompt.length), "\non its second line"));
    const goingOn = await person.clickLens("Go On with This Prompt");
    await person.step(reviewStep);
    assert.equal(row("Metadata").description, "size 640x480");
    await person.press("Enter");
    await goingOn.ended();
    const intent = intentOf(`${prompt}\non its second line`);
    const body = (await opened.inside.app.board.readBody(intent.id)) ?? "";
    assert.match(body, /data:image\/png;base64,/);
    assert.match(body, /640x480/);
    assert.match(intent.destination?.file ?? "", /\/assets\/a-half-typed-prompt$/);
    assert.ok(!window.editors.tabs.some(({ editor: one }) => one?.document.isUntitled === true));

    const form = await duplicate(prompt);
    await form.until("its picture", ({ references }) => references.length === 1);
    const { fields, references } = form.snapshot;
    assert.match(references[0]?.words ?? "", /^image-1 \(PNG/);
    assert.deepEqual(
      [fields.size, fields.isPlaced, fields.destination],
      ["640x480", true, "assets/a-half-typed-prompt-2"],
    );
  });

  it("T2: Duplicate with Changes fills the form in; what has no field there is said, sent with the new task, and can be left out", async () => {
    const { window, inside } = opened;
    const { board } = inside.app;
    const outbox = await inside.app.openOutbox();
    const metadata = JSON.stringify({ size: "640x480", seed: 7, guidance: 4.5, style: "ink" });
    const [made] = await outbox.submit([
      { type: "async-image", model: "demo-image", prompt: "a copied quay", metadata },
    ]);
    assert.ok(made);
    const submit = (form: FormTab, prompt: string): void => {
      const { fields, attempt, gateway } = form.snapshot;
      form.send({ type: "tasks-submit", fields: { ...fields, prompt }, attempt, target: gateway.target });
    };
    const form = await duplicate("a copied quay");
    const { fields, carried, attempt: first } = form.snapshot;
    assert.deepEqual([fields.prompt, fields.model, fields.size], ["a copied quay", "demo-image", "640x480"]);
    assert.equal(carried, "guidance 4.5 · style ink");
    submit(form, "a copied quay, at night");
    await window.until("the copy", () => tasksOf(inside, "a copied quay, at night").length === 1);
    const copy = intentOf("a copied quay, at night");
    assert.equal(copy.duplicatedFrom, made);
    assert.match((await board.readBody(copy.id)) ?? "", /guidance.*4\.5/);

    // The page may not have the beginning of the submission yet, by which nothing can be removed.
    await form.until("the form takes another", ({ isSubmitting, attempt }) => attempt !== first && !isSubmitting);
    form.send({ type: "carried-remove" });
    await form.until("nothing else is sent", (now) => now.carried === undefined);
    submit(form, "a copied quay, plain");
    await window.until("the plain copy", () => tasksOf(inside, "a copied quay, plain").length === 1);
    const plain = intentOf("a copied quay, plain");
    assert.equal(plain.duplicatedFrom, made);
    assert.doesNotMatch((await board.readBody(plain.id)) ?? "", /guidance/);
  });

  it("T2: in a Markdown document the reference is inserted at once, and the lens above it tells the state", async () => {
    const { window, person } = opened;
    await window.openFile("notes.md");
    await person.select("The pier:");
    await person.deselect();
    const asking = await typePrompt(person, "[stuck] the pier at night");
    await person.choose("Options…");
    await person.step(reviewStep);
    await person.choose("Destination");
    await person.step(destinationStep);
    assert.match(person.pick.active?.description ?? "", /a reference at the cursor of notes\.md/);
    await person.press("Enter");
    await person.through(reviewStep);
    await window.until("the reference", () =>
      window.editors.active?.document.getText().includes("(assets/stuck-the-pier-at-night.png)"),
    );
    await asking.ended();
    await person.lens(/Created|Queued|Processing/);
  });
});

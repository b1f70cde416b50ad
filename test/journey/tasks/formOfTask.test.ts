/** The form for media as *Duplicate with Changes* fills it in: what it sends of the former task, what is said of it, and what ends it. */
import assert from "node:assert/strict";
import type { TaskIntent } from "../../../src/domain/task/task";
import type { MediaFormIntent, MediaFormSnapshot } from "../../../src/tasks/contract/mediaFormPageContract";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";
import { Uri } from "../../support/fakeVscode/positions";
import { lastState, type TabPage, tabPage } from "../../support/fakeVscode/tabPage";
import { tasksOf, twoModels } from "../../support/submitSteps";
import { pngWith, textChunk } from "../../support/pngChunks";
import { createTemporaryFolder } from "../../support/temporaryFolder";
import { pngOf } from "../../support/testImages";

type FormTab = TabPage<MediaFormSnapshot, MediaFormSnapshot, MediaFormIntent>;

/** The request of a task with more than the form has fields for. */
interface FormerTask {
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly inputAssets?: Readonly<Record<string, unknown>>;
  readonly destination?: string;
}

/** Milliseconds after which a window looks through its project. */
const firstLook = 8000;

describe("the form of a duplicated task", () => {
  let opened: OpenedWindow;
  let picture: string;
  beforeEach(async () => {
    opened = await openWindow({ settings: twoModels, files: { "page.md": "![A buoy in the fog](img/buoy.png)\n" } });
    picture = `data:image/png;base64,${(await pngOf(5, 4)).toString("base64")}`;
  });
  afterEach(closeWindows);

  const make = async (prompt: string, { metadata, inputAssets, destination }: FormerTask): Promise<string> => {
    const outbox = await opened.inside.app.openOutbox();
    const [id] = await outbox.submit([
      {
        ...({ type: "async-image", model: "demo-image", prompt } as const),
        ...(metadata && { metadata: JSON.stringify(metadata) }),
        ...(inputAssets && { inputAssets: JSON.stringify(inputAssets) }),
        ...(destination !== undefined && { destination: { file: destination } }),
      },
    ]);
    return id ?? assert.fail("no task");
  };
  const startDuplicate = (id: string): Promise<unknown> =>
    opened.person.start("sluice.task.new", { kind: "task", id }, undefined, "task").ended();
  const shown = async (): Promise<FormTab> => {
    const form: FormTab = await tabPage(opened.window, "sluice.mediaForm", lastState);
    await form.until("a gateway", ({ gateway }) => gateway.target !== "");
    return form;
  };
  const duplicate = async (id: string, prompt: string): Promise<FormTab> => {
    await startDuplicate(id);
    const form = await shown();
    await form.until("the task is in the form", ({ fields }) => fields.prompt === prompt);
    return form;
  };
  /** Presses the button with these fields, and waits until it can be pressed again. */
  const press = (form: FormTab, change: Partial<MediaFormSnapshot["fields"]>): Promise<true> => {
    const { fields, attempt, gateway } = form.snapshot;
    form.send({ type: "tasks-submit", fields: { ...fields, ...change }, attempt, target: gateway.target });
    return form.until("the button is ready", (now) => now.attempt > attempt && !now.isSubmitting);
  };
  const intentOf = (prompt: string): TaskIntent => {
    const [task, ...others] = tasksOf(opened.inside, prompt);
    assert.equal(others.length, 0);
    return (task ?? assert.fail(`no task ${prompt}`)).intent;
  };
  const bodyOf = async (prompt: string): Promise<string> =>
    (await opened.inside.app.board.readBody(intentOf(prompt).id)) ?? "";
  const metadata = { guidance: 7, steps: 400 };
  const assets = (): Readonly<Record<string, unknown>> => ({ first_frame: picture, mask: "the mask of the quay" });

  it("T2, T15, T20: after Clear, and after Make It…, nothing of the task is sent, also after a reload", async () => {
    const id = await make("a quay", { metadata, inputAssets: assets() });
    await opened.window.settled();
    await opened.window.clock.advance(firstLook);
    const document = opened.window.uri("page.md");
    await opened.window.until("the picture is missing", () => opened.window.languages.of(document).length > 0);
    for (const way of ["make-it", "clear"]) {
      let form = await duplicate(id, "a quay");
      assert.ok(form.snapshot.carried);
      if (way === "clear") form.send({ type: "form-clear" });
      else {
        const missing = { document: document.toString(), path: "img/buoy.png" };
        await opened.person.start("sluice.task.new", { missing }).ended();
      }
      await form.until("the task is gone from it", ({ fields }) => fields.prompt !== "a quay");
      assert.equal(form.snapshot.carried, undefined);
      form.page.savedState = { subject: "mediaForm" };
      opened = await opened.reload();
      form = await shown();
      assert.equal(form.snapshot.carried, undefined);
      form.send({ type: "picture-add", name: "b.png", data: (await pngOf(3, 3)).toString("base64") });
      await form.until("its picture", ({ references }) => references.length === 1);
      const prompt = `a buoy by ${way}`;
      await press(form, { prompt });
      assert.equal(intentOf(prompt).duplicatedFrom, undefined);
      assert.doesNotMatch(await bodyOf(prompt), /guidance|steps|mask|first_frame/);
    }
  });

  it("T15, T20: what was typed comes back after several tasks, a picture's prompt, and the button itself", async () => {
    const [quay, hill] = [await make("a quay", {}), await make("a hill", { inputAssets: assets() })];
    await opened.person.palette("Sluice: New Media Task…").ended();
    const form = await shown();
    const type = (prompt: string): void =>
      form.send({ type: "fields-change", fields: { ...form.snapshot.fields, prompt } });
    const goBack = async (prompt: string): Promise<void> => {
      form.send({ type: "earlier-restore" });
      await form.until(`back to ${prompt}`, ({ fields }) => fields.prompt === prompt);
    };
    type("a long prompt");
    await form.until("it is typed", ({ fields }) => fields.prompt === "a long prompt");
    for (const one of [hill, quay, hill, quay]) await duplicate(one, one === hill ? "a hill" : "a quay");
    await goBack("a long prompt");

    await duplicate(quay, "a quay");
    const data = pngWith(textChunk("parameters", "a lighthouse\nSteps: 20, Seed: 77")).toString("base64");
    form.send({ type: "picture-add", name: "old.png", data });
    await form.until("its origin", ({ origin }) => origin !== undefined);
    form.send({ type: "origin-use" });
    await form.until("it is used", ({ fields }) => fields.prompt === "a lighthouse");
    await goBack("a long prompt");

    await duplicate(hill, "a hill");
    type("a hill in the rain");
    await goBack("a long prompt");
    for (let press = 0; form.snapshot.fields.prompt !== "a hill in the rain"; press += 1) {
      assert.ok(press < 5, "the edited contents come back, too");
      const { version } = form.snapshot;
      form.send({ type: "earlier-restore" });
      await form.until("another draft", (now) => now.version !== version);
    }
    await duplicate(quay, "a quay");
    await goBack("a hill in the rain");
  });

  /** Holds back the stored requests until the returned function is called. */
  const holdBodies = (): (() => void) => {
    const { board } = opened.inside.app;
    const read = board.readBody.bind(board);
    const held = Promise.withResolvers<undefined>();
    board.readBody = async (id) => {
      await held.promise;
      return read(id);
    };
    return () => {
      board.readBody = read;
      held.resolve(undefined);
    };
  };

  /** Holds back what is submitted until the returned function is called. */
  const holdSubmissions = async (): Promise<() => void> => {
    const outbox = await opened.inside.app.openOutbox();
    const prepare: typeof outbox.prepare = outbox.prepare.bind(outbox);
    const held = Promise.withResolvers<undefined>();
    outbox.prepare = async (...given) => {
      await held.promise;
      return prepare(...given);
    };
    return () => held.resolve(undefined);
  };

  it("T1, T2: a task that arrives in the form after Submit was pressed is not what is sent, which is said", async () => {
    const id = await make("a quay", { metadata, inputAssets: assets() });
    await opened.person.palette("Sluice: New Media Task…").ended();
    const form = await shown();
    const [release, finish] = [holdBodies(), await holdSubmissions()];
    const duplicating = opened.person.start("sluice.task.new", { kind: "task", id }, undefined, "task");
    await opened.window.settled();
    const pressed = press(form, { type: "async-image", model: "demo-image", prompt: "a prompt of my own" });
    await form.until("it is being submitted", ({ isSubmitting }) => isSubmitting);
    release();
    await duplicating.ended();
    finish();
    await pressed;
    assert.doesNotMatch(await bodyOf("a prompt of my own"), /guidance|steps|mask|first_frame|data:/);
    assert.equal(intentOf("a prompt of my own").duplicatedFrom, undefined);
    assert.deepEqual([form.snapshot.fields.prompt, form.snapshot.carried], ["a prompt of my own", undefined]);
    await opened.person.answer(/is being submitted/);
  });

  it("T1, T2: a press that the page sent before it had the task of the form submits nothing", async () => {
    const id = await make("a quay", { metadata, inputAssets: assets() });
    await opened.person.palette("Sluice: New Media Task…").ended();
    const { fields, attempt, gateway } = (await shown()).snapshot;
    const form = await duplicate(id, "a quay");
    const late = { ...fields, type: "async-image", model: "demo-image", prompt: "a late press" } as const;
    form.send({ type: "tasks-submit", fields: late, attempt, target: gateway.target });
    await opened.window.settled();
    assert.deepEqual(tasksOf(opened.inside, "a late press"), []);
    assert.equal(form.snapshot.isSubmitting, false);
  });

  it("T2: of two tasks that are read at the same time the form has the one that was asked for last", async () => {
    const [first, last] = [await make("a quay", { metadata }), await make("a later quay", {})];
    const { board } = opened.inside.app;
    const read = board.readBody.bind(board);
    const held = Promise.withResolvers<undefined>();
    board.readBody = async (id) => {
      if (id === first) await held.promise;
      return read(id);
    };
    const slow = opened.person.start("sluice.task.new", { kind: "task", id: first }, undefined, "task");
    const form = await duplicate(last, "a later quay");
    held.resolve(undefined);
    await slow.ended();
    assert.deepEqual([form.snapshot.fields.prompt, form.snapshot.carried], ["a later quay", undefined]);
  });

  it("T1, T15: a picture that is removed after Submit was pressed is sent, and one that is added then is not", async () => {
    await opened.person.palette("Sluice: New Media Task…").ended();
    const form = await shown();
    form.send({ type: "picture-add", name: "a.png", data: (await pngOf(3, 3)).toString("base64") });
    const references = await form.until("its picture", (now) => now.references.length === 1 && now.references);
    const [own, arriving, later] = await Promise.all(
      [3, 5, 6].map(async (size) => (await pngOf(size, size)).toString("base64")),
    );
    // Submit waits for the second picture, so that the removal comes before the request is made.
    form.send({ type: "picture-add", name: "b.png", data: arriving ?? "" });
    const pressed = press(form, { type: "async-image", model: "demo-image", prompt: "a pier as it was shown" });
    form.send({ type: "reference-remove", id: references[0]?.id ?? "" });
    form.send({ type: "picture-add", name: "c.png", data: later ?? "" });
    await pressed;
    const body = await bodyOf("a pier as it was shown");
    assert.deepEqual(
      [own, arriving, later].map((data = "") => body.includes(data)),
      [true, true, false],
    );
  });

  it("T2: a task that is gone, and a form that is submitting, are said, and the form stays as it is", async () => {
    const id = await make("a quay", { metadata });
    await startDuplicate("no-such-task");
    await opened.person.answer(/no longer on the list/);
    await opened.person.palette("Sluice: New Media Task…").ended();
    const form = await shown();
    const finish = await holdSubmissions();
    const pressed = press(form, { type: "async-image", model: "demo-image", prompt: "a prompt of my own" });
    await form.until("it is being submitted", ({ isSubmitting }) => isSubmitting);
    await startDuplicate(id);
    await opened.person.answer(/is being submitted/);
    finish();
    await pressed;
    assert.equal(form.snapshot.fields.prompt, "a prompt of my own");
  });

  it("T2: all that is sent can be read, and Leave Out leaves out all of it, the field of the pictures too", async () => {
    const options = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`option_${index}`, `value ${index}`]));
    const inputAssets = { first_frame: picture, masks: [{ of: "the quay", data: picture }] };
    const id = await make("a quay", { metadata: { ...options, upscale: "8x" }, inputAssets });
    const form = await duplicate(id, "a quay");
    const { carried = "" } = form.snapshot;
    for (const part of ["option_39 value 39", "upscale 8x", "first_frame", "the quay", "image/png, 0 KB"])
      assert.ok(carried.includes(part), part);
    assert.doesNotMatch(carried, /base64/);
    form.send({ type: "carried-remove" });
    await form.until("nothing else is sent", (now) => now.carried === undefined && now.references.length === 1);
    await press(form, { prompt: "a plain quay" });
    const body = await bodyOf("a plain quay");
    assert.doesNotMatch(body, /upscale|masks|first_frame/);
    assert.match(body, /\bimage\b.*data:image/);
    assert.equal(intentOf("a plain quay").duplicatedFrom, id);
  });

  it("T2, T14: the type of a task that Sluice does not know is asked for; left, the form stays as it is", async () => {
    const { person, inside } = opened;
    const id = await make("a hologram", {});
    const task = inside.app.board.all.get(id) ?? assert.fail("no task");
    // As a watched task has it.
    Object.assign(task.intent, { type: "hologram" });
    const question = "Sluice doesn't know the type hologram. What should be made?";
    const leaving = person.start("sluice.task.new", { kind: "task", id }, undefined, "task");
    await person.step(question);
    await person.escape();
    await leaving.ended();
    assert.equal(opened.window.webviews.panels.length, 0);
    const choosing = person.start("sluice.task.new", { kind: "task", id }, undefined, "task");
    await person.step(question);
    await person.choose("Image");
    await choosing.ended();
    const form = await shown();
    assert.deepEqual([form.snapshot.fields.prompt, form.snapshot.fields.type], ["a hologram", "async-image"]);
  });
});

describe("the form of a duplicated task in a workspace of several folders", () => {
  afterEach(closeWindows);

  it("T2, T15: its place in a folder that paths of the form don't begin at is said and taken, unless it is left out", async () => {
    const [first, second] = [await createTemporaryFolder(), await createTemporaryFolder()];
    const opened = await openWindow({
      settings: twoModels,
      folders: [
        { at: first.path, name: "site" },
        { at: second.path, name: "art" },
      ],
    });
    const { person, inside, window } = opened;
    const file = Uri.joinPath(Uri.file(second.path), "img", "pier").toString();
    const outbox = await inside.app.openOutbox();
    const order = { type: "async-image", model: "demo-image", prompt: "a pier", destination: { file } } as const;
    const [id = ""] = await outbox.submit([order]);
    await person.start("sluice.task.new", { kind: "task", id }, undefined, "task").ended();
    const form: FormTab = await tabPage(window, "sluice.mediaForm", lastState);
    await form.until("the task", ({ fields, gateway }) => fields.prompt === "a pier" && gateway.target !== "");
    assert.match(form.snapshot.carried ?? "", /^saved as art\/img\/pier/);
    const { fields, attempt, gateway } = form.snapshot;
    form.send({ type: "fields-change", fields: { ...fields, isPlaced: true } });
    await form.until("the form's own place", ({ carried }) => carried === undefined);
    form.send({ type: "tasks-submit", fields: { ...fields, prompt: "another pier" }, attempt, target: gateway.target });
    await window.until("the task", () => tasksOf(inside, "another pier").length === 1);
    const { intent } = tasksOf(inside, "another pier")[0] ?? assert.fail("no task");
    assert.ok(intent.destination?.file.startsWith(`${Uri.file(second.path).toString()}/img/pier`));
    await first.remove();
    await second.remove();
  });
});

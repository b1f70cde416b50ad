/** The form for media as *Duplicate with Changes* fills it in: what it sends of the former task, what is said of it, and what ends it. */
import assert from "node:assert/strict";
import type { TaskIntent } from "../../../src/domain/task/task";
import type { MediaFormIntent, MediaFormSnapshot } from "../../../src/tasks/contract/mediaFormPageContract";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";
import { lastState, type TabPage, tabPage } from "../../support/fakeVscode/tabPage";
import { tasksOf, twoModels } from "../../support/submitSteps";
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
  const startDuplicate = (id: string): Promise<void> =>
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
  const assets = (): FormerTask["inputAssets"] => ({ first_frame: picture, mask: "the mask of the quay" });

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

  /** Holds back the stored requests until the returned function is called. */
  const holdBodies = (): (() => void) => {
    const { board } = opened.inside.app;
    const read = board.readBody.bind(board);
    const held = Promise.withResolvers<void>();
    board.readBody = async (id) => {
      await held.promise;
      return read(id);
    };
    return () => {
      board.readBody = read;
      held.resolve();
    };
  };

  it("T1, T2: a task that arrives in the form after Submit was pressed is not what is sent, which is said", async () => {
    const id = await make("a quay", { metadata, inputAssets: assets() });
    await opened.person.palette("Sluice: New Media Task…").ended();
    const form = await shown();
    const release = holdBodies();
    const duplicating = opened.person.start("sluice.task.new", { kind: "task", id }, undefined, "task");
    await opened.window.settled();
    const pressed = press(form, { type: "async-image", model: "demo-image", prompt: "a prompt of my own" });
    release();
    await pressed;
    await duplicating.ended();
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
    const held = Promise.withResolvers<void>();
    board.readBody = async (id) => {
      if (id === first) await held.promise;
      return read(id);
    };
    const slow = opened.person.start("sluice.task.new", { kind: "task", id: first }, undefined, "task");
    const form = await duplicate(last, "a later quay");
    held.resolve();
    await slow.ended();
    assert.deepEqual([form.snapshot.fields.prompt, form.snapshot.carried], ["a later quay", undefined]);
  });

  it("T1, T15: a picture that is removed after Submit was pressed is sent, and one that is added then is not", async () => {
    await opened.person.palette("Sluice: New Media Task…").ended();
    const form = await shown();
    form.send({ type: "picture-add", name: "a.png", data: (await pngOf(3, 3)).toString("base64") });
    const references = await form.until("its picture", (now) => now.references.length === 1 && now.references);
    const own = (await pngOf(3, 3)).toString("base64");
    const later = (await pngOf(6, 6)).toString("base64");
    const pressed = press(form, { type: "async-image", model: "demo-image", prompt: "a pier as it was shown" });
    form.send({ type: "reference-remove", id: references[0]?.id ?? "" });
    form.send({ type: "picture-add", name: "b.png", data: later });
    await pressed;
    const body = await bodyOf("a pier as it was shown");
    assert.ok(body.includes(own));
    assert.ok(!body.includes(later));
  });

  it("T2: a task that is gone, and a form that is submitting, are said, and the form stays as it is", async () => {
    const id = await make("a quay", { metadata });
    await startDuplicate("no-such-task");
    await opened.person.answer(/no longer on the list/);
    await opened.person.palette("Sluice: New Media Task…").ended();
    const form = await shown();
    const pressed = press(form, { type: "async-image", model: "demo-image", prompt: "a prompt of my own" });
    await startDuplicate(id);
    await opened.person.answer(/is being submitted/);
    await pressed;
    assert.equal(form.snapshot.fields.prompt, "a prompt of my own");
  });
});

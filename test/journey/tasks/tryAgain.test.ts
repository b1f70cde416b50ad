/** What was refused or could not be written while documents, gateway or tasks changed: what is kept, and what Try Again sends. */
import assert from "node:assert/strict";
import type { AppError } from "../../../src/domain/errors/appError";
import type { TaskIntent } from "../../../src/domain/task/task";
import { actionsOf } from "../../../src/tasks/view/taskActions";
import type { Outbox } from "../../../src/tasks/submit/outbox";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";
import { Position, Range } from "../../support/fakeVscode/positions";
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

const full: AppError = { kind: "storage", code: "ENOSPC", message: "full", notSent: true };
const prompts = "# Two\n\n<!-- sluice: type=image -->\n\n- [stuck] a hill\n- [stuck] a lake\n";

/** Makes failures of the class that the extension has loaded. */
async function failuresIn({ inside, window }: OpenedWindow): Promise<(error: AppError) => Error> {
  const { home } = await window.during("the local gateway", inside.connections.ready());
  const outbox = await inside.app.openOutbox();
  const refusal: unknown = await outbox.prepare([], { ...home, account: "another" }).catch((error: unknown) => error);
  assert.ok(refusal instanceof Error);
  const Failure = refusal.constructor as new (error: AppError) => Error;
  return (error) => new Failure(error);
}

describe("a submission that was not written", () => {
  let opened: OpenedWindow;
  let outbox: Outbox;
  let failureOf: (error: AppError) => Error;
  before(async () => {
    opened = await openWindow({
      files: { "notes.md": "Before\n\n[stuck] a pier\n in the rain\n", "two.prompts.md": prompts },
      speed: 1,
      settings: twoModels,
    });
    outbox = await opened.inside.app.openOutbox();
    failureOf = await failuresIn(opened);
  });
  after(closeWindows);
  afterEach(() => {
    // Of the instance: those of the class are there again.
    for (const name of ["prepare", "send"]) Reflect.deleteProperty(outbox, name);
  });

  /** Has the extension call these in place of its outbox's own. */
  const replace = (parts: Partial<Pick<Outbox, "prepare" | "send">>): void => void Object.assign(outbox, parts);
  const kept = async (): Promise<string | undefined> => {
    const { window, person } = opened;
    await person.deselect();
    const asking = person.palette("Sluice: Submit Selection as Task…");
    await person.step(typeStep);
    if (!person.pick.rows.some(({ label }) => label.endsWith("Go on with what was typed"))) {
      await person.escape();
      await asking.ended();
      return undefined;
    }
    await person.press("Enter");
    await window.until(
      "what was kept",
      () => isEditing() || window.widget.visible?.state.placeholder?.includes(promptStep),
    );
    await window.settled();
    // The input box holds one line, so several go on in an editor.
    if (!isEditing()) {
      const { value } = person.pick;
      await person.escape();
      await asking.ended();
      return value;
    }
    await asking.ended();
    const text = window.editors.active?.document.getText();
    window.editors.close(window.editors.tabs.filter(({ editor }) => editor?.document.isUntitled === true));
    return text;
  };
  const isEditing = (): boolean => opened.window.editors.active?.document.isUntitled === true;
  /** Replaces the prompt at the last step, in a document of its own, and goes on with it. */
  const edit = async (
    asking: ReturnType<OpenedWindow["person"]["palette"]>,
    text: string,
  ): Promise<ReturnType<OpenedWindow["person"]["palette"]>> => {
    const { window, person } = opened;
    await person.choose("Edit in Editor");
    await asking.ended();
    await window.until("its document", isEditing);
    const editor = window.editors.active ?? assert.fail("no editor");
    assert.ok(await editor.edit((edits) => edits.replace(new Range(0, 0, editor.model.lineCount, 0), text)));
    return person.clickLens("Go On with This Prompt");
  };
  const submitSelection = async (text: string): Promise<ReturnType<OpenedWindow["person"]["palette"]>> => {
    const { window, person } = opened;
    await window.openFile("notes.md");
    await person.select(text);
    const submitting = person.palette("Sluice: Submit Selection as Task…");
    await person.step(typeStep);
    await person.choose(/^Image$/);
    await person.through(modelStep);
    await person.step(reviewStep);
    return submitting;
  };

  /** Edits the prompt of a selection in a document of its own, and leaves at the last step. */
  const leaveEdited = async (text: string): Promise<void> => {
    const { window, person } = opened;
    const editor = await window.openFile("notes.md");
    await editor.edit((edits) => edits.replace(new Range(0, 0, editor.document.lineCount, 0), "A selected pier\n"));
    const left = await edit(await submitSelection("A selected pier"), text);
    await person.step(reviewStep);
    await person.escape();
    await left.ended();
  };

  it("T2, M1: a prompt that its document lost before the yes, and that was refused, is kept; one that the document still has is not", async () => {
    const { window, person } = opened;
    const prompt = "[stuck] a pier\n in the rain";
    replace({ prepare: () => Promise.reject(failureOf(full)) });
    const held = await submitSelection(prompt);
    await person.press("Enter");
    await held.ended();
    (await person.message("full")).answer();
    assert.equal(await kept(), undefined);

    const lost = await submitSelection(prompt);
    const editor = window.editors.active ?? assert.fail("no editor");
    await editor.edit((edit) => edit.replace(new Range(0, 0, editor.model.lineCount, 0), "Something else"));
    await person.press("Enter");
    await lost.ended();
    (await person.message("full")).answer();
    assert.equal(await kept(), prompt);
    assert.equal(tasksOf(opened.inside, prompt).length, 0);
  });

  it("T1, M2: Try Again of a failed submission sends what is as it was seen, not what was called back from its row meanwhile", async () => {
    const { window, person, inside } = opened;
    const sent: (readonly TaskIntent[])[] = [];
    replace({
      async send(intents) {
        sent.push(intents);
        if (sent.length > 1) return;
        // The disk takes the rows and then no more.
        for (const intent of intents) await inside.app.board.writeThenApply({ type: "task-intended", intent });
        throw failureOf(full);
      },
    });
    await window.openFile("two.prompts.md");
    const submitting = await person.clickLens("Submit All 2");
    await person.through(reviewStep);
    const message = await person.message("full");
    await submitting.ended();
    const [first, second] = sent[0] ?? [];
    assert.ok(first && second);
    await window.during("it is called back", inside.app.cancel(first.id, "no longer needed"));
    message.answer("Try Again");
    await window.until("the second attempt", () => sent.length === 2);
    assert.deepEqual(
      sent[1]?.map(({ id }) => id),
      [second.id],
    );
    await window.during("it is called back", inside.app.cancel(second.id, "no longer needed"));
  });

  it("T1: Try Again of a submission that is not on the disk asks first where the person has submitted the same meanwhile", async () => {
    const { window, person, inside } = opened;
    const prompt = "[stuck] a sea";
    const sent: (readonly TaskIntent[])[] = [];
    replace({
      send(intents) {
        sent.push(intents);
        return Promise.reject(failureOf(full));
      },
    });
    const asking = await typePrompt(person, prompt);
    await person.press("Enter");
    const message = await person.message("full");
    await asking.ended();
    assert.equal(sent.length, 1);
    Reflect.deleteProperty(outbox, "send");
    const { home } = await inside.connections.ready();
    const own = await outbox.prepare([{ type: "async-image", model: "demo-image", prompt }], home);
    await window.during("the same is submitted", outbox.send(own));
    message.answer("Try Again");
    const question = await person.message("1 of these tasks was submitted meanwhile, perhaps in another window.");
    // The first one has the keyboard's focus.
    assert.deepEqual(
      [question.isModal, question.detail, question.actions],
      [true, undefined, ["Show Tasks", "Submit Again"]],
    );
    assert.equal(tasksOf(inside, prompt).length, 1);
    question.answer("Submit Again");
    await window.until("another yes, so another task", () => tasksOf(inside, prompt).length === 2);
  });

  it("T2, T10: a typed prompt that the cap refused stays kept until a task of it is on disk", async () => {
    const { window, person, inside } = opened;
    const prompt = "[stuck] a kept pier";
    const submit = async (): Promise<void> => {
      const asking = await typePrompt(person, prompt);
      await person.press("Enter");
      await asking.ended();
    };
    window.configuration.set("sluice.caps.tasksPerDay", 1);
    await submit();
    assert.equal(tasksOf(inside, prompt).length, 0);
    await person.answer("a day");
    assert.equal(await kept(), prompt);
    window.configuration.set("sluice.caps.tasksPerDay", undefined);
    await submit();
    assert.equal(tasksOf(inside, prompt).length, 1);
    assert.notEqual(await kept(), prompt);
  });

  it("T16: a prompt edited in a document of its own keeps its lists where it names what is no key; of too many variants nothing is submitted", async () => {
    const { window, person, inside } = opened;
    const before = inside.app.board.listed.size;
    const asking = await typePrompt(person, "a pier");
    await person.choose("Edit in Editor");
    await asking.ended();
    const editor = await window.until("its document", () => {
      const { active } = window.editors;
      return active?.document.isUntitled === true ? active : undefined;
    });
    assert.equal(editor.document.getText(), "a pier");
    const write = async (count: number): Promise<void> => {
      const seeds = Array.from({ length: count }, (_, seed) => seed).join(", ");
      const text = `<!-- sluice: seed=[${seeds}] -->\na {{mood}} pier`;
      assert.ok(await editor.edit((edit) => edit.replace(new Range(0, 0, editor.model.lineCount, 0), text)));
    };
    await write(101);
    await (await person.clickLens("Go On with This Prompt")).ended();
    const refusal = await window.until("why not", () => window.messages.shown[0]);
    assert.equal(refusal.severity, "warning", refusal.text);
    refusal.answer();
    assert.equal(window.editors.active, editor);
    await write(2);
    const goingOn = await person.clickLens("Go On with This Prompt");
    await person.step(reviewStep);
    assert.match(person.pick.rows[0]?.label ?? "", /Submit 2 image tasks with demo-image$/);
    assert.deepEqual(
      person.pick.rows.slice(-2).map(({ label }) => label),
      ["1. a {{mood}} pier", "2. a {{mood}} pier"],
    );
    await person.escape();
    await goingOn.ended();
    assert.equal(inside.app.board.listed.size, before);
  });

  for (const [how, text] of [
    ["one prompt", "[stuck] a pier that was edited"],
    ["several lines", "[stuck] a pier\n\nthat was edited too"],
    ["variants", "<!-- sluice: seed=[0, 1] -->\n[stuck] a pier of two"],
    ["variants in one line", "<!-- sluice: seed=[0, 1] --> [stuck] a pier of one line"],
  ] as const) {
    it(`T2: ${how} from a selection, edited in a document of its own, is kept after Esc, after Change Cap and without a connection`, async () => {
      const { window, person, inside } = opened;
      await leaveEdited(text);
      assert.equal(await kept(), text);

      window.configuration.set("sluice.caps.tasksPerDay", 1);
      const capped = await edit(await submitSelection("A selected pier"), `${text}, capped`);
      await person.step(reviewStep);
      await person.choose("Change Cap");
      await capped.ended();
      window.configuration.set("sluice.caps.tasksPerDay", undefined);
      assert.equal(await kept(), `${text}, capped`);

      const asking = await submitSelection("A selected pier");
      const { connections } = inside;
      Object.assign(connections, { ready: () => Promise.reject(failureOf(full)) });
      try {
        await (await edit(asking, `${text}, offline`)).ended();
        (await person.message("full")).answer();
      } finally {
        Reflect.deleteProperty(connections, "ready");
      }
      assert.equal(await kept(), `${text}, offline`);
    });
  }

  it("T2: variants that are kept go on in an editor, name their reference once, and are kept until they are submitted", async () => {
    const { person, inside } = opened;
    const picture = "https://pictures.example/pier.png";
    const text = `<!-- sluice: seed=[0, 1] reference=${picture} -->\n[stuck] a pier like this`;
    await leaveEdited(text);
    await person.deselect();
    const asking = person.palette("Sluice: Submit Selection as Task…");
    await person.step(typeStep);
    await person.press("Enter");
    await asking.ended();
    const goingOn = await person.clickLens("Go On with This Prompt");
    await person.step(reviewStep);
    const row = person.pick.rows.find(({ label }) => label.endsWith("Reference images"));
    assert.equal(row?.description?.split("pier.png").length, 2, row?.description);
    await person.press("Enter");
    await goingOn.ended();
    assert.equal(tasksOf(inside, "[stuck] a pier like this").length, 2);
    assert.notEqual(await kept(), text);
  });

  it("T2: variants of one edited text stay kept while not all of them are on disk", async () => {
    const { window, person, inside } = opened;
    const text = "<!-- sluice: seed=[0, 1] -->\n[stuck] a pier of which half is written";
    replace({
      async send([first]) {
        assert.ok(first);
        // The disk takes the first row and then no more.
        await inside.app.board.writeThenApply({ type: "task-intended", intent: first });
        throw failureOf(full);
      },
    });
    const editor = await window.openFile("notes.md");
    await editor.edit((edits) => edits.replace(new Range(0, 0, editor.document.lineCount, 0), "A selected pier\n"));
    const submitting = await edit(await submitSelection("A selected pier"), text);
    await person.through(reviewStep);
    const message = await person.message("full");
    await submitting.ended();
    assert.equal(tasksOf(inside, "[stuck] a pier of which half is written").length, 1);
    assert.equal(await kept(), text);
    Reflect.deleteProperty(outbox, "send");
    message.answer("Try Again");
    await window.until("both tasks", () => tasksOf(inside, "[stuck] a pier of which half is written").length === 2);
    await window.settled();
    assert.notEqual(await kept(), text);
  });

  it("T2: what was typed stays kept while another task is made once more: after Esc, and after the yes", async () => {
    const { person, window, inside } = opened;
    const text = "a long prompt that took an hour";
    const { home } = await inside.connections.ready();
    const order = { type: "async-image", model: "demo-image", prompt: "[stuck] an old pier" } as const;
    const [intent] = await outbox.prepare([order], home);
    assert.ok(intent);
    await window.during("a task", outbox.send([intent]));
    await window.during("its cancel", inside.app.cancel(intent.id, "no longer needed"));
    await window.until("it is cancelled", () => {
      const [task] = tasksOf(inside, order.prompt);
      return task !== undefined && actionsOf(task).includes("try-again");
    });
    await person.deselect();
    const asking = await typePrompt(person, text);
    await person.escape();
    await asking.ended();

    const { element } = await person.row(tasksView, order.prompt);
    const left = person.start("sluice.task.tryAgain", element);
    await person.step(reviewStep);
    await person.escape();
    await left.ended();
    assert.equal(await kept(), text);
    const confirmed = person.start("sluice.task.tryAgain", element);
    await person.through(reviewStep);
    await confirmed.ended();
    await window.until("another task", () => tasksOf(inside, order.prompt).length === 2);
    assert.equal(await kept(), text);
  });

  it("T2: a prompt is edited as it was, also where VS Code reads the backup of a closed document in its place", async () => {
    const { window, person } = opened;
    const { documents } = window;
    const openUntitled = documents.openUntitled.bind(documents);
    // As it does for a name that was in use, until it has removed the backup of the closed document.
    documents.openUntitled = (_content, language) => openUntitled("a lake\n\na sea\n", language);
    try {
      const asking = await typePrompt(person, "a pier of another day");
      await person.choose("Edit in Editor");
      await asking.ended();
    } finally {
      documents.openUntitled = openUntitled;
    }
    const goingOn = await person.clickLens("Go On with This Prompt");
    await person.step(reviewStep);
    assert.equal(person.pick.rows[0]?.detail, "a pier of another day");
    await person.escape();
    await goingOn.ended();
  });
});

describe("a reference to a result that is still to be made", () => {
  const text = "# Page\n\nThe pier:\n\nThe end.\n";
  let opened: OpenedWindow;
  let outbox: Outbox;
  let failureOf: (error: AppError) => Error;
  beforeEach(async () => {
    opened = await openWindow({ files: { "page.md": text, "other.md": "Other\n" }, speed: 1, settings: twoModels });
    outbox = await opened.inside.app.openOutbox();
    failureOf = await failuresIn(opened);
    await opened.window.openFile("page.md");
  });
  afterEach(closeWindows);

  const prompt = "[stuck] a pier";
  const reference = "![\\[stuck\\] a pier](assets/stuck-a-pier.png)";
  const page = (): string =>
    opened.window.documents.all.find(({ uri }) => uri.path.endsWith("/page.md"))?.getText() ?? assert.fail("no page");
  /** Goes to the last step, with a reference behind "The pier:". */
  const begin = async (): Promise<ReturnType<OpenedWindow["person"]["palette"]>> => {
    const { person } = opened;
    await person.select("The pier:");
    await person.deselect();
    const asking = await typePrompt(person, prompt);
    await person.choose("Options…");
    await person.step(reviewStep);
    await person.choose("Destination");
    await person.choose("assets/stuck-a-pier");
    await person.step(reviewStep);
    return asking;
  };
  /** Writes a paragraph above all others, and leaves the cursor behind "The end.". */
  const editPage = async (): Promise<void> => {
    const { window, person } = opened;
    const editor = await window.openFile("page.md");
    await editor.edit((edit) => edit.insert(new Position(0, 0), "A first line.\n\n"));
    await person.select("The end.");
    await person.deselect();
  };
  const atPresentCursor = `A first line.\n\n${text.replace("The end.", `The end.\n\n${reference}`)}`;
  /** Submits with a reference, where that step fails this time. */
  const submitFailing = async (step: "prepare" | "send"): Promise<void> => {
    Object.assign(outbox, {
      [step]() {
        Reflect.deleteProperty(outbox, step);
        return Promise.reject(failureOf(full));
      },
    });
    const asking = await begin();
    await opened.person.press("Enter");
    await asking.ended();
  };

  it("T8: goes to the present cursor where the document was edited while the prompt was in an editor", async () => {
    const { window, person } = opened;
    const asking = await begin();
    await person.choose("Edit in Editor");
    await asking.ended();
    const editing = await window.until("the prompt in an editor", () => {
      const { active } = window.editors;
      return active?.document.isUntitled === true ? active : undefined;
    });
    await editPage();
    window.editors.show(editing.model);
    await window.settled();
    const goingOn = await person.clickLens("Go On with This Prompt");
    await person.through(reviewStep);
    await goingOn.ended();
    await window.until("the reference", () => page().includes(reference));
    assert.equal(page(), atPresentCursor);
  });

  it("T8: goes to the present cursor where the document was edited before the kept draft is resumed", async () => {
    const { window, person } = opened;
    const asking = await begin();
    await person.escape();
    await asking.ended();
    await editPage();
    const again = person.palette("Sluice: Submit Selection as Task…");
    await person.step(typeStep, "Go on with what was typed");
    await person.press("Enter");
    await person.step(promptStep);
    await person.choose("Options…");
    await person.through(reviewStep);
    await again.ended();
    await window.until("the reference", () => page().includes(reference));
    assert.equal(page(), atPresentCursor);
  });

  it("T8: is said where the document was edited before Try Again and no editor shows it", async () => {
    const { window, person } = opened;
    await submitFailing("prepare");
    await editPage();
    const before = page();
    await window.openFile("other.md");
    await person.answer("full", "Try Again");
    await person.message("The reference could not be inserted. It is: ");
    assert.equal(page(), before);
  });

  it("T8: is inserted by Try Again where sending failed before the task was written", async () => {
    const { window, person } = opened;
    await submitFailing("send");
    assert.equal(page(), text);
    await person.answer("full", "Try Again");
    await window.until("the reference", () => page().includes(reference));
    assert.equal(page(), text.replace("The pier:", `The pier:\n\n${reference}`));
  });
});

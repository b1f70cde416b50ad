/** The form for media in a real extension host: submitted once for each button that was shown, by the outbox and its caps, and kept while it is closed. */
import assert from "node:assert/strict";
import type * as vscode from "vscode";
import { AppFailure } from "../../../src/domain/errors/appError";
import { homeMark } from "../../../src/domain/task/sameHome";
import type { TaskIntent } from "../../../src/domain/task/task";
import type { ErrorDescription } from "../../../src/domain/words/describeError";
import type { Dialogs } from "../../../src/vscode/interface/dialogs";
import { FormMemory } from "../../../src/tasks/host/draft/formMemory";
import { KeptDraft } from "../../../src/tasks/host/draft/keptDraft";
import { MediaForm } from "../../../src/tasks/host/submit/mediaForm";
import type { SubmitPorts } from "../../../src/tasks/host/submit/submitPorts";
import { EditedTexts } from "../../../src/tasks/host/lenses/editedTexts";
import { eventually } from "../../support/eventually";
import { type ExtensionInside, openExtension } from "../../support/extensionApp";
import { createTemporaryFolder } from "../../support/temporaryFolder";
import { pngOf } from "../../support/testImages";

describe("the form for media in the host", () => {
  let inside: ExtensionInside;
  let target: string;
  let folder: string;
  const values = new Map<string, unknown>();
  const memory: vscode.Memento = {
    keys: () => [...values.keys()],
    get: (key: string, other?: unknown) => values.get(key) ?? other,
    update: (key, value) => Promise.resolve(void values.set(key, value)),
  };
  const failures: unknown[] = [];
  const messages: ErrorDescription[] = [];
  before(async () => {
    inside = await openExtension();
    await eventually("the local gateway", () => inside.connections.current.current.state === "ready");
    target = homeMark((await inside.connections.ready()).home);
    folder = (await createTemporaryFolder()).path;
  });
  beforeEach(() => {
    values.clear();
    failures.length = 0;
    messages.length = 0;
  });

  const open = async (
    outbox: Partial<SubmitPorts["outbox"]> = {},
    pause: Promise<undefined> = Promise.resolve(undefined),
  ): Promise<MediaForm> => {
    const { app, connections } = inside;
    const real = await app.openOutbox();
    const showFailure: Dialogs["showFailure"] = (failure) => Promise.resolve(void failures.push(failure));
    return MediaForm.open({
      ...{ board: app.board, models: app.models, memory, connections },
      outbox: {
        isKeyOld: () => false,
        priceOf: () => undefined,
        prepare: (...given) => real.prepare(...given),
        send: (...given) => real.send(...given),
        ...outbox,
      } as SubmitPorts["outbox"],
      dialogs: {
        showFailure,
        showError: (one) => Promise.resolve(void messages.push(one)),
      } as Partial<Dialogs> as Dialogs,
      availability: app.availability(),
      keptDraft: new KeptDraft(memory),
      editing: new EditedTexts(() => undefined),
      referenceLimit: () => 1_000_000,
      now: () => Date.now(),
      ready: () => connections.ready(),
      saveResult: (id) => app.saveResult(id),
      formMemory: new FormMemory(memory, folder),
      pause: () => pause,
    });
  };
  const view = (form: MediaForm): ReturnType<MediaForm["view"]> => form.view((file) => file.toString());
  const fill = (form: MediaForm, prompt: string, count = 1): ReturnType<MediaForm["view"]>["fields"] => {
    const fields = { ...view(form).fields, type: "async-image", model: "demo-image", prompt, count } as const;
    form.handlers["fields-change"]({ type: "fields-change", fields });
    return fields;
  };
  const intentsOf = (prompt: string): readonly TaskIntent[] =>
    [...inside.app.board.tasks.values()].flatMap(({ intent }) => (intent.prompt === prompt ? [intent] : []));

  it("T1, T15: a second message about the same button, during the first or after it, pays nothing more", async () => {
    const pause = Promise.withResolvers<undefined>();
    const form = await open({}, pause.promise);
    const fields = fill(form, "a pier twice", 2);
    const { attempt } = view(form);
    const first = form.submit(fields, attempt, target);
    await form.submit(fields, attempt, target);
    await form.submit(fields, attempt + 1, target);
    await eventually("the tasks are on disk", () => view(form).submitted !== undefined);
    assert.equal(view(form).isSubmitting, true, "a double click is still possible");
    await form.submit(fields, attempt + 1, target);
    pause.resolve(undefined);
    await first;
    await form.submit(fields, attempt, target);
    const intents = intentsOf("a pier twice");
    assert.equal(intents.length, 2);
    assert.equal(new Set(intents.map(({ batch }) => batch)).size, 1);
    assert.ok(intents[0]?.batch);
    assert.deepEqual([view(form).isSubmitting, view(form).submitted?.count], [false, 2]);
    assert.equal(view(form).fields.prompt, "a pier twice");
    assert.equal(view(form).sameAt, undefined);
    // The button of the next attempt is another one.
    await form.submit({ ...fields, count: 1 }, view(form).attempt, target);
    assert.equal(intentsOf("a pier twice").length, 3);
    form.dispose();
    const again = await open();
    assert.ok(view(again).sameAt, "after a reload the form says that the same was submitted");
    again.dispose();
  });

  it("T1, T15: a yes for another gateway or account, and wrong fields, submit nothing; the form says why", async () => {
    const form = await open();
    const fields = fill(form, "a pier elsewhere");
    await form.submit(fields, 0, "https://elsewhere.example x");
    assert.match(view(form).problem?.text ?? "", /gateway/i);
    await form.submit({ ...fields, seed: "x" }, 1, target);
    assert.deepEqual(intentsOf("a pier elsewhere"), []);
    form.dispose();
  });

  it("T1, T10, T15: where the intents could not be written, nothing was sent, the words stay, and the button is ready", async () => {
    const full = { kind: "storage", code: "ENOSPC", message: "full", notSent: true } as const;
    const form = await open({ send: () => Promise.reject(new AppFailure(full)) });
    await form.submit(fill(form, "a pier on a full disk"), 0, target);
    const shown = view(form);
    assert.ok(shown.problem);
    assert.deepEqual([shown.submitted, shown.isSubmitting, shown.attempt], [undefined, false, 1]);
    assert.equal(shown.fields.prompt, "a pier on a full disk");
    assert.deepEqual(failures, [], "said in the form, not once more in a message");
    form.dispose();
  });

  it("T15: what the gateway refuses is said in the form with its button, and in a message only while no page shows the form", async () => {
    const form = await open();
    const refuse = async (prompt: string): Promise<void> => {
      const fields = { ...fill(form, prompt), model: "no-such-model" };
      await form.submit(fields, view(form).attempt, target);
      await eventually("it is refused", () => view(form).problem !== undefined);
      assert.equal(view(form).submitted, undefined);
    };
    // Read when the outcome is announced, after the form shows it.
    const asked = Promise.withResolvers<undefined>();
    const page = form.attach({
      get isShown() {
        asked.resolve(undefined);
        return true;
      },
    });
    await refuse("a pier that is refused");
    await asked.promise;
    page.dispose();
    assert.equal(messages.length, 0);
    await refuse("a pier that is refused once more");
    await eventually("the message", () => messages.length === 1);
    const [message] = messages;
    assert.equal(view(form).problem?.text, `${message?.title} ${message?.meaning}`);
    assert.equal(view(form).problem?.actions[0], message?.action.label);
    form.dispose();
  });

  it("T1, T15: what is written in the form after the yes is not what is paid, and Clear waits", async () => {
    const form = await open();
    const fields = fill(form, "a pier as it was shown");
    const submitting = form.submit(fields, view(form).attempt, target);
    fill(form, "a pier for the next one", 4);
    form.handlers["form-clear"]({ type: "form-clear" });
    await submitting;
    assert.equal(intentsOf("a pier as it was shown").length, 1);
    assert.equal(intentsOf("a pier for the next one").length, 0);
    assert.deepEqual([view(form).fields.prompt, view(form).fields.count], ["a pier for the next one", 4]);
    form.dispose();
  });

  it("T15, R6: an address that VS Code can't read is refused, and the form goes on; a second Clear keeps the undo of the first", async () => {
    const form = await open();
    form.handlers["references-add"]({ type: "references-add", uris: ["file:////server/pier.png"] });
    const data = (await pngOf(3, 3)).toString("base64");
    form.handlers["picture-add"]({ type: "picture-add", name: "a.png", data });
    await eventually("both are judged", () => view(form).refusals.length === 1 && view(form).references.length === 1);
    fill(form, "a pier that is cleared");
    form.handlers["form-clear"]({ type: "form-clear" });
    form.handlers["form-clear"]({ type: "form-clear" });
    form.handlers["form-restore"]({ type: "form-restore" });
    assert.deepEqual([view(form).fields.prompt, view(form).references.length], ["a pier that is cleared", 1]);
    form.handlers["picture-add"]({ type: "picture-add", name: "b.png", data: (await pngOf(4, 4)).toString("base64") });
    form.handlers["form-clear"]({ type: "form-clear" });
    await form.addResults([]);
    assert.deepEqual([view(form).references.length, view(form).canRestore], [0, true], "one that comes after Clear");
    form.dispose();
  });

  it("T15: pictures are judged by their bytes, kept over a reload, and sent with the task; Clear can be undone", async () => {
    const form = await open();
    const data = (await pngOf(6, 4)).toString("base64");
    form.handlers["picture-add"]({ type: "picture-add", name: "a.png", data });
    form.handlers["picture-add"]({ type: "picture-add", name: "b.png", data: "AAAA" });
    await eventually("both are judged", () => view(form).refusals.length === 1 && view(form).references.length === 1);
    assert.match(view(form).refusals[0] ?? "", /^b\.png is no image/);
    const fields = fill(form, "a pier like this");
    const before = view(form);
    assert.match(before.references[0]?.url ?? "", /\.png$/);
    form.handlers["form-clear"]({ type: "form-clear" });
    assert.deepEqual([view(form).fields.prompt, view(form).references, view(form).canRestore], ["", [], true]);
    form.handlers["form-restore"]({ type: "form-restore" });
    form.dispose();

    const again = await open();
    assert.deepEqual(view(again).fields, fields);
    assert.deepEqual(view(again).references, before.references);
    await again.submit(fields, 0, target);
    const [intent] = intentsOf("a pier like this");
    assert.ok(intent);
    const body = (await inside.app.board.readBody(intent.id)) ?? "";
    assert.ok(body.includes(`data:image/png;base64,${data}`));
    again.dispose();
  });
});

/** Submitting from a document in a real VS Code, where document, gateway or tasks change between a question and its answer. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { AppFailure } from "../../../src/domain/errors/appError";
import { otherHome } from "../../../src/domain/task/sameHome";
import type { TaskIntent } from "../../../src/domain/task/task";
import type { Dialogs } from "../../../src/vscode/interface/dialogs";
import { EditedTexts } from "../../../src/tasks/host/lenses/editedTexts";
import { KeptDraft } from "../../../src/tasks/host/draft/keptDraft";
import { emptyDraft, type TaskDraft } from "../../../src/tasks/host/draft/taskDraft";
import { submitDraft } from "../../../src/tasks/host/submit/submitDraft";
import type { SubmitPorts } from "../../../src/tasks/host/submit/submitPorts";
import { eventually } from "../../support/eventually";
import { type ExtensionInside, openExtension } from "../../support/extensionApp";

describe("submitting from a document", () => {
  let inside: ExtensionInside;
  /** What *Try Again* of the last message does. */
  let again: (() => void) | undefined;
  before(async () => {
    inside = await openExtension();
    await eventually("the local gateway", () => inside.connections.current.current.state === "ready");
  });
  beforeEach(() => (again = undefined));

  /** Of the running extension, but for its messages and what is kept. */
  const portsOf = (outbox: Partial<SubmitPorts["outbox"]>): SubmitPorts => {
    const { app, connections } = inside;
    const values = new Map<string, unknown>();
    const memory: vscode.Memento = {
      keys: () => [...values.keys()],
      get: (key: string, other?: unknown) => values.get(key) ?? other,
      update: (key, value) => Promise.resolve(void values.set(key, value)),
    };
    const showFailure: Dialogs["showFailure"] = (_failure, _doing, retry) => {
      again = retry;
      return Promise.resolve();
    };
    return {
      board: app.board,
      models: app.models,
      outbox: { isKeyOld: () => false, priceOf: () => undefined, ...outbox } as SubmitPorts["outbox"],
      dialogs: { showFailure, showError: () => Promise.resolve() } as Partial<Dialogs> as Dialogs,
      memory,
      availability: app.availability(),
      keptDraft: new KeptDraft(memory),
      editing: new EditedTexts(() => undefined),
      referenceLimit: () => 1_000_000,
      now: () => Date.now(),
      ready: () => connections.ready(),
    };
  };
  const draftOf = (source: vscode.Uri, ...prompts: readonly string[]): TaskDraft => ({
    ...emptyDraft,
    source,
    prompts,
    type: "async-image",
    model: "demo-image",
  });
  /** Enter in the last step. */
  const sayYes = async (submitted: Promise<void>): Promise<void> =>
    eventually("the pick is closed", async () => {
      await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
      return Promise.race([submitted.then(() => true), new Promise<boolean>((next) => setImmediate(next, false))]);
    });
  const open = async (content: string): Promise<vscode.TextDocument> => {
    const document = await vscode.workspace.openTextDocument({ content });
    await vscode.window.showTextDocument(document);
    return document;
  };
  const replaceAll = async (document: vscode.TextDocument, content: string): Promise<void> => {
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), content);
    assert.ok(await vscode.workspace.applyEdit(edit));
  };
  const refuses: Partial<SubmitPorts["outbox"]> = { prepare: () => Promise.reject(new AppFailure(otherHome)) };

  it("T2, M1: a prompt that its document lost before the yes, and that was refused, is kept; one that the document still has is not", async () => {
    const document = await open("Before\n\na pier\n in the rain\n");
    const prompt = "a pier\nin the rain";
    const left = portsOf(refuses);
    const asked = submitDraft(left, draftOf(document.uri, prompt));
    await replaceAll(document, "Something else");
    await sayYes(asked);
    assert.ok(again, "the refusal is shown");
    assert.equal(left.keptDraft.read()?.typed, prompt);

    await replaceAll(document, `Before\n\n${prompt}\n`);
    const held = portsOf(refuses);
    await sayYes(submitDraft(held, draftOf(document.uri, prompt)));
    assert.ok(again);
    assert.equal(held.keptDraft.read(), undefined);
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });

  it("T1, M2: Try Again of a failed submission sends what is as it was seen, not what was called back from its row meanwhile", async () => {
    const { app, connections } = inside;
    const { home } = await connections.ready();
    const document = await open("a hill\n\na lake\n");
    const sent: (readonly TaskIntent[])[] = [];
    const ports = portsOf({
      prepare: async (tasks) => (await app.openOutbox()).prepare(tasks, home),
      async send(intents) {
        sent.push(intents);
        if (sent.length > 1) return;
        // The disk takes the rows and then no more.
        for (const intent of intents) await app.board.writeThenApply({ type: "task-intended", intent });
        throw new AppFailure({ kind: "storage", code: "ENOSPC", message: "full", notSent: true });
      },
    });
    await sayYes(submitDraft(ports, draftOf(document.uri, "a hill", "a lake")));
    const [first, second] = sent[0] ?? [];
    assert.ok(first && second && again);
    await app.cancel(first.id, "no longer needed");
    again();
    await eventually("the second attempt", () => sent.length === 2);
    assert.deepEqual(
      sent[1]?.map(({ id }) => id),
      [second.id],
    );
    await app.cancel(second.id, "no longer needed");
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });

  it("T1: Try Again of a submission that is not on the disk asks first where the person has submitted the same meanwhile", async () => {
    const { app, connections } = inside;
    const { home } = await connections.ready();
    const document = await open("a lake\n\na sea\n");
    const real = await app.openOutbox();
    const sent: (readonly TaskIntent[])[] = [];
    const ports = portsOf({
      prepare: (tasks) => real.prepare(tasks, home),
      send(intents) {
        sent.push(intents);
        return Promise.reject(new AppFailure({ kind: "storage", code: "ENOSPC", message: "full", notSent: true }));
      },
    });
    await sayYes(submitDraft(ports, draftOf(document.uri, "[stuck] a sea")));
    assert.ok(again);
    const intents = await real.prepare([{ type: "async-image", model: "demo-image", prompt: "[stuck] a sea" }], home);
    await real.send(intents);
    again();
    await eventually("the steps are asked once more", async () => {
      await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
      return sent.length === 2;
    });
    const ids = sent.map(([first]) => first?.id);
    assert.notEqual(ids[1], ids[0], "another yes, so another task");
    for (const { id } of intents) await app.cancel(id, "no longer needed");
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });

  it("T16: a prompt edited in a document of its own keeps its lists where it names what is no key; of too many variants nothing is submitted", async () => {
    const editing = new EditedTexts(() => undefined);
    await editing.open("prompt", { ...emptyDraft, prompts: ["a pier"] });
    await eventually(
      "its document",
      () => vscode.window.activeTextEditor?.document.getText().includes("a pier") === true,
    );
    const { document } = vscode.window.activeTextEditor ?? assert.fail("no document");
    const seeds = (count: number): string => Array.from({ length: count }, (_, seed) => seed).join(", ");
    await replaceAll(document, `<!-- sluice: seed=[${seeds(101)}] -->\na {{mood}} pier`);
    assert.equal(await editing.finish(document, 1_000_000), undefined);
    await replaceAll(document, `<!-- sluice: seed=[${seeds(2)}] -->\na {{mood}} pier`);
    const draft = await editing.finish(document, 1_000_000);
    assert.deepEqual(draft?.prompts, ["a {{mood}} pier", "a {{mood}} pier"]);
    assert.equal(draft.each?.length, 2);
  });
});

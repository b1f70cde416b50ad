/** *Edit Selection* in a real editor: the lines arrive in the document, are kept or undone there, and never replace what the person typed. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { systemClock } from "../../src/base/async/systemClock";
import type { ChatEvent } from "../../src/domain/chat/chatEvent";
import type { ModelCatalog } from "../../src/gateway/modelCatalog";
import { SelectionEdits } from "../../src/chat/host/changes/editSelection";
import { type DocumentHunk, Review } from "../../src/chat/host/changes/review";
import type { ChangeLedgers } from "../../src/chat/undo/changeLedger";
import type { Dialogs } from "../../src/vscode/interface/dialogs";
import { connectTo, keptLog, makeGateway } from "../support/builders";
import { eventually } from "../support/eventually";
import { type ExtensionInside, openExtension } from "../support/extensionApp";

const content = "one\n  two\n  three\nfour\n";
const chat = "edits-of-a-test";

/** What the model writes: each piece when the test lets it; an empty one is the end, `!` a failure. */
class Script {
  readonly requests: string[] = [];
  #pieces: { readonly text: string; readonly sent: () => void }[] = [];
  #wake = (): void => undefined;

  write(text: string): Promise<void> {
    return new Promise((sent) => {
      this.#pieces.push({ text, sent });
      this.#wake();
    });
  }

  async *stream(request: unknown, signal: AbortSignal): AsyncGenerator<ChatEvent> {
    this.requests.push(JSON.stringify(request));
    for (;;) {
      signal.throwIfAborted();
      const piece = this.#pieces.shift();
      if (piece === undefined) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
          signal.addEventListener("abort", () => resolve(), { once: true });
        });
        continue;
      }
      piece.sent();
      if (piece.text === "!") throw new Error("The connection was lost.");
      if (piece.text === "") break;
      yield { type: "text-delta", block: 0, text: piece.text };
    }
    yield { type: "message-end", finish: "stop", cut: false };
  }
}

describe("Edit Selection", () => {
  let inside: ExtensionInside;
  let ledgers: ChangeLedgers;
  let review: Review;
  let script: Script;
  let edits: SelectionEdits;
  let uri: vscode.Uri;
  let showFailure: (failure: unknown) => Promise<void>;
  let files = 0;
  before(async () => {
    inside = await openExtension();
    ledgers = await inside.app.openLedgers();
  });
  beforeEach(async () => {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    assert.ok(root);
    uri = vscode.Uri.file(path.join(root, `edited-${(files += 1)}.txt`));
    await writeFile(uri.fsPath, content);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    await eventually("the file as it is", () => document.getText() === content);
    script = new Script();
    showFailure = (failure) => assert.fail(String(failure));
    review = new Review({
      ledgers,
      chat: () => chat,
      clock: systemClock,
      memory: { update: () => Promise.resolve() },
      stored: [],
    });
    const model = { id: "m", family: "chat-completions" } as const;
    edits = new SelectionEdits({
      connections: connectTo(makeGateway({ streamChat: (request, signal) => script.stream(request, signal!) })),
      models: { chatModel: () => Promise.resolve(model) } as unknown as ModelCatalog,
      dialogs: { showFailure: (failure: unknown) => showFailure(failure) } as unknown as Dialogs,
      review,
      clock: systemClock,
      log: keptLog(),
    });
  });
  afterEach(async () => {
    edits.dispose();
    review.dispose();
    await vscode.commands.executeCommand("workbench.action.files.revert");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  const textNow = async (): Promise<string> => (await vscode.workspace.openTextDocument(uri)).getText();
  const lines = new vscode.Range(1, 2, 2, 3);
  const type = async (at: vscode.Position, text: string): Promise<void> => {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, at, text);
    assert.ok(await vscode.workspace.applyEdit(edit));
  };
  /** The warnings meanwhile, none of which is answered. */
  const warningsOf = async (during: () => Promise<unknown>): Promise<string> => {
    const { window } = vscode;
    const said: string[] = [];
    const show = window.showWarningMessage;
    window.showWarningMessage = (message: string) => {
      said.push(message);
      return Promise.resolve(undefined as never);
    };
    try {
      await during();
    } finally {
      window.showWarningMessage = show;
    }
    return said.join("\n");
  };

  /** A first answer, whole. */
  const inCapitals = async (): Promise<void> => {
    const writing = edits.begin([uri, lines, "in capitals"]);
    await script.write("```\n  TWO\n  THREE\n```\n");
    await script.write("");
    await writing;
  };
  /** Say More, with words that the person types. */
  const sayLouder = async (): Promise<void> => {
    const { window } = vscode;
    const ask = window.showInputBox;
    window.showInputBox = () => {
      window.showInputBox = ask;
      return Promise.resolve("and louder");
    };
    await edits.sayMore([uri.toString(), "1"]);
  };

  const document = (): Promise<vscode.TextDocument> => Promise.resolve(vscode.workspace.openTextDocument(uri));
  const reads = (text: string): Promise<void> => eventually(text, async () => (await textNow()) === text);
  const hunks = async (): Promise<readonly DocumentHunk[]> => review.hunksIn(await document());
  const hasHunks = (count: number): Promise<void> =>
    eventually(`${count} hunks`, async () => (await hunks()).length === count);

  it("V7, A16: the lines arrive in the document, are a hunk while they do, and Undo takes them back", async () => {
    const writing = edits.begin([uri, lines, "in capitals"]);
    await script.write("```\n  TWO\n");
    await reads("one\n  TWO\n  three\nfour\n");
    const [arriving] = await hunks();
    assert.deepEqual([arriving?.start, arriving?.end, arriving?.removed], [1, 2, ["  two\n"]]);
    assert.equal(await review.decide(await document(), arriving!, true), false, "not while the model writes");
    await script.write("  THREE\n```\n");
    await script.write("");
    await writing;
    await reads("one\n  TWO\n  THREE\nfour\n");
    assert.ok((await document()).isDirty);
    assert.ok(ledgers.of(chat).live.some(({ label }) => label === path.basename(uri.fsPath)));
    await hasHunks(1);
    const [hunk] = await hunks();
    assert.equal(await review.decide(await document(), hunk!, false), true);
    await reads(content);
    await hasHunks(0);
  });

  it("V7, A16: Undo while the model writes ends the request, and leaves what the person has typed", async () => {
    const writing = edits.begin([uri, lines, "in capitals"]);
    await script.write("```\n  TWO\n");
    await reads("one\n  TWO\n  three\nfour\n");
    await type(new vscode.Position(0, 0), "zero\n");
    await type(new vscode.Position(3, 0), "mine\n");
    const [arriving] = await hunks();
    assert.equal(await review.decide(await document(), arriving!, false), true);
    await writing;
    await reads("zero\none\n  two\nmine\n  three\nfour\n");
    await hasHunks(0);
  });

  it("V7, A16: what the person types elsewhere moves the lines; what they type into them while they arrive stays", async () => {
    const writing = edits.begin([uri, lines, "in capitals"]);
    await script.write("```\n  TWO\n");
    await reads("one\n  TWO\n  three\nfour\n");
    await type(new vscode.Position(0, 0), "zero\n");
    await type(new vscode.Position(2, 0), "mine\n");
    await script.write("  THREE\n  MORE\n```\n");
    await script.write("");
    await writing;
    await reads("zero\none\nmine\n  TWO\n  THREE\n  MORE\nfour\n");
    await hasHunks(1);
    await review.decideFile(uri.fsPath, false);
    await reads("zero\none\nmine\n  two\n  three\nfour\n");
  });

  it("V7: what changes while the person is asked moves the lines; where it changes them, nothing is sent", async () => {
    const { window } = vscode;
    const ask = window.showInputBox;
    const typing =
      (at: vscode.Position, text: string): typeof ask =>
      async () => {
        await type(at, text);
        return "in capitals";
      };
    try {
      window.showInputBox = typing(new vscode.Position(0, 0), "zero\n");
      const writing = edits.begin([uri, lines]);
      await script.write("```\n  TWO\n  THREE\n```\n");
      await script.write("");
      await writing;
      await reads("zero\none\n  TWO\n  THREE\nfour\n");
      window.showInputBox = typing(new vscode.Position(2, 2), "!");
      const said = await warningsOf(() => edits.begin([uri, new vscode.Range(2, 0, 3, 0)]));
      assert.match(said, /were changed meanwhile\. Nothing was sent/);
      assert.equal(script.requests.length, 1);
    } finally {
      window.showInputBox = ask;
    }
  });

  it("V7: after a request that failed the former lines are there again, also while the notification is open", async () => {
    await inCapitals();
    await reads("one\n  TWO\n  THREE\nfour\n");
    const shown = Promise.withResolvers<undefined>();
    showFailure = () => {
      shown.resolve(undefined);
      return new Promise(() => undefined);
    };
    void sayLouder();
    await script.write("```\n  TWO!");
    await script.write("!");
    await shown.promise;
    await reads("one\n  TWO\n  THREE\nfour\n");
    await hasHunks(1);
  });

  it("V7: Say More goes on from what was written, and Undo takes both back", async () => {
    await inCapitals();
    const more = sayLouder();
    await script.write("```\n  TWO!\n  THREE\n```\n");
    await script.write("");
    await more;
    await reads("one\n  TWO!\n  THREE\nfour\n");
    assert.match(script.requests[1] ?? "", /in capitals.*THREE.*and louder/);
    await hasHunks(1);
    const [hunk] = await hunks();
    assert.equal(edits.canSayMore(await document(), hunk!), true);
    await review.decideFile(uri.fsPath, false);
    await reads(content);
    await hasHunks(0);
  });
});

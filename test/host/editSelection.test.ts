/** *Edit Selection* in a real editor: a diff while the model writes, the file only by the person's yes, and never over what they typed. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { systemClock } from "../../src/base/async/systemClock";
import type { ChatEvent } from "../../src/domain/chat/chatEvent";
import type { ModelCatalog } from "../../src/gateway/modelCatalog";
import { type EditSelectionPorts, SelectionEdits } from "../../src/chat/host/changes/editSelection";
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
  let ledgers: EditSelectionPorts["ledgers"];
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
    const model = { id: "m", family: "chat-completions" } as const;
    edits = new SelectionEdits({
      connections: connectTo(makeGateway({ streamChat: (request, signal) => script.stream(request, signal!) })),
      models: { chatModel: () => Promise.resolve(model) } as unknown as ModelCatalog,
      dialogs: { showFailure: (failure: unknown) => showFailure(failure) } as unknown as Dialogs,
      ledgers,
      chat: () => chat,
      clock: systemClock,
      log: keptLog(),
    });
  });
  afterEach(async () => {
    edits.dispose();
    await vscode.commands.executeCommand("workbench.action.files.revert");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  const proposed = (): string | undefined => {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    if (!(input instanceof vscode.TabInputTextDiff)) return undefined;
    return vscode.workspace.textDocuments.find((one) => one.uri.toString() === input.modified.toString())?.getText();
  };
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
    await edits.sayMore(undefined);
  };

  it("V7: the lines arrive in a diff, Accept puts them into the file, and Changes by Sluice can take them back", async () => {
    const writing = edits.begin([uri, lines, "in capitals"]);
    await script.write("```\n  TWO\n");
    await eventually("the first line", () => proposed() === "one\n  TWO\n  three\nfour\n");
    assert.equal(await textNow(), content, "the file waits for the yes");
    await edits.accept(undefined);
    assert.equal(await textNow(), content, "not while the model writes");
    await script.write("  THREE\n```\n");
    await script.write("");
    await writing;
    await eventually("the proposal", () => proposed() === "one\n  TWO\n  THREE\nfour\n");
    await edits.accept(undefined);
    await eventually("the edit", async () => (await textNow()) === "one\n  TWO\n  THREE\nfour\n");
    await eventually("no diff", () => proposed() === undefined);
    const ledger = ledgers.of(chat);
    assert.deepEqual(
      ledger.live.map(({ label }) => label),
      ["edited-1.txt"],
    );
  });

  it("V7: a diff that is closed without an answer changes nothing, says so, and can be shown again and accepted", async () => {
    await inCapitals();
    const { window } = vscode;
    const show = window.showInformationMessage;
    const closed = new Promise<string>((said) => {
      window.showInformationMessage = (message: string, ...actions: unknown[]) => {
        window.showInformationMessage = show;
        said(message);
        return Promise.resolve(actions.at(-1) as never);
      };
    });
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    assert.match(await closed, /The edit of edited-\d+\.txt was closed and has changed nothing\./);
    await eventually("the proposal", () => proposed() === "one\n  TWO\n  THREE\nfour\n");
    assert.equal(await textNow(), content);
    await edits.accept(undefined);
    await eventually("the edit", async () => (await textNow()) === "one\n  TWO\n  THREE\nfour\n");
  });

  it("V7: Show Again opens a file that was closed meanwhile: its text is as it is now, and where its lines are others, they stay", async () => {
    const { window } = vscode;
    const show = window.showInformationMessage;
    /** Closes the diff and the file, has another program write it, and presses Show Again. */
    const showAgain = async (now: string): Promise<void> => {
      const document = await vscode.workspace.openTextDocument(uri);
      const asked = Promise.withResolvers<() => void>();
      window.showInformationMessage = (_message: string, ...actions: unknown[]) => {
        window.showInformationMessage = show;
        return new Promise((answer) => asked.resolve(() => answer(actions.at(-1))));
      };
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
      const press = await asked.promise;
      // VS Code keeps a document that an extension has opened for minutes, but not one whose file was moved.
      const moved = new vscode.WorkspaceEdit();
      moved.renameFile(uri, uri.with({ path: `${uri.path}.moved` }), { overwrite: true });
      await vscode.workspace.applyEdit(moved);
      await eventually("the file is closed", () => document.isClosed);
      await writeFile(uri.fsPath, now);
      press();
    };
    await inCapitals();
    await showAgain(`${content}five\n`);
    await eventually("the proposal", () => proposed() === "one\n  TWO\n  THREE\nfour\nfive\n");
    const warned = Promise.withResolvers<string>();
    const warn = window.showWarningMessage;
    window.showWarningMessage = (message: string) => {
      warned.resolve(message);
      return Promise.resolve(undefined as never);
    };
    try {
      await showAgain(`zero\n${content}`);
      assert.match(await warned.promise, /These lines of edited-\d+\.txt were changed since they were sent/);
    } finally {
      window.showWarningMessage = warn;
    }
    assert.equal(proposed(), undefined);
  });

  it("V7: what the person types elsewhere stays and moves the lines; what they type into them is never replaced", async () => {
    const writing = edits.begin([uri, lines, "in capitals"]);
    await script.write("```\n  TWO\n  THREE\n```\n");
    await type(new vscode.Position(0, 0), "zero\n");
    await script.write("");
    await writing;
    await eventually("the proposal", () => proposed() === "zero\none\n  TWO\n  THREE\nfour\n");
    await type(new vscode.Position(2, 5), "!");
    const said = await warningsOf(() => edits.accept(undefined));
    assert.match(said, /These lines of edited-\d+\.txt were changed since they were sent/);
    assert.equal(await textNow(), "zero\none\n  two!\n  three\nfour\n");
    const edit = new vscode.WorkspaceEdit();
    edit.delete(uri, new vscode.Range(2, 5, 2, 6));
    await vscode.workspace.applyEdit(edit);
    await edits.accept(undefined);
    await eventually("the edit", async () => (await textNow()) === "zero\none\n  TWO\n  THREE\nfour\n");
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
      await eventually("the proposal", () => proposed() === "zero\none\n  TWO\n  THREE\nfour\n");
      await edits.accept(undefined);
      await eventually("the edit", async () => (await textNow()) === "zero\none\n  TWO\n  THREE\nfour\n");
      window.showInputBox = typing(new vscode.Position(2, 2), "!");
      const said = await warningsOf(() => edits.begin([uri, new vscode.Range(2, 0, 3, 0)]));
      assert.match(said, /were changed meanwhile\. Nothing was sent/);
      assert.equal(script.requests.length, 1);
    } finally {
      window.showInputBox = ask;
    }
  });

  it("V7: after a request that failed the former lines can be accepted, also while the notification is open", async () => {
    await inCapitals();
    const shown = Promise.withResolvers<undefined>();
    showFailure = () => {
      shown.resolve(undefined);
      return new Promise(() => undefined);
    };
    void sayLouder();
    await script.write("```\n  TWO!");
    await script.write("!");
    await shown.promise;
    await eventually("the former lines", () => proposed() === "one\n  TWO\n  THREE\nfour\n");
    await edits.accept(undefined);
    await eventually("the edit", async () => (await textNow()) === "one\n  TWO\n  THREE\nfour\n");
  });

  it("V7: Say More goes on from what was written; Discard leaves the file as it is and ends the request", async () => {
    await inCapitals();
    const more = sayLouder();
    await script.write("```\n  TWO!");
    await eventually("the second answer", () => proposed()?.includes("TWO!") === true);
    assert.match(script.requests[1] ?? "", /in capitals.*THREE.*and louder/);
    await edits.discard(undefined);
    await more;
    assert.equal(await textNow(), content);
    await eventually("no diff", () => proposed() === undefined);
  });
});

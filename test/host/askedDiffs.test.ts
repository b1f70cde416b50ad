/** *Allow* and *Don't Allow* in the title of the diff that a question opens: they answer that question, once, and no other. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import type { Clock } from "../../src/base/clock";
import { type Decision, Approvals } from "../../src/chat/approval/approvals";
import { type Chat, emptyChat } from "../../src/domain/chat/chat";
import type { ProposedChange } from "../../src/domain/tools/tool";
import { createPreview } from "../../src/tools/edit/changePreview";
import { type AskedDiffs, createAskedDiffs } from "../../src/chat/host/changes/askedDiffs";
import { commands } from "../../src/vscode/ids";
import type { Dialogs } from "../../src/vscode/interface/dialogs";
import { Emitter, type Event } from "../../src/base/event";
import { eventually } from "../support/eventually";

const before = "if (late) {\n  return 1;\n}\nreturn 2;\n";

interface Asked {
  readonly id: string;
  readonly approvals: Approvals;
  readonly chat: Chat;
  readonly decisions: readonly Decision[];
  readonly onDidEmit: Event<never>;
  stop(): void;
  /** The call has ended. */
  end(): void;
}

describe("the diff of a question", () => {
  let folder: string;
  let diffs: AskedDiffs;
  let handlers: Map<string, (...args: unknown[]) => unknown>;
  /** Ends the pauses before the buttons are there. */
  let waiting: (() => void)[];
  const changeOf = async (name: string, after = before.replace("1", "3")): Promise<ProposedChange> => {
    const file = path.join(folder, name);
    await writeFile(file, before);
    return { file, before, after, preview: createPreview(name, before, after) };
  };
  const ask = (changes: Readonly<Record<string, ProposedChange>>, ...reasons: readonly "ignored"[]): Asked => {
    const approvals = new Approvals();
    const turn = new AbortController();
    const { id, decision } = approvals.request(new Map(Object.entries(changes)), turn.signal);
    const decisions: Decision[] = [];
    decision.then(
      (made) => decisions.push(made),
      () => undefined,
    );
    const approval = { id, reasons: ["writes-file" as const, ...reasons] };
    const block = { type: "tool-call", call: "c", name: "edit_file", text: "" } as const;
    const action = { type: "edit-file", path: "a.ts", changedLines: 1 } as const;
    const entry = {
      ...({ type: "answer", id: "a", model: "m", family: "messages", at: 0, state: "streaming" } as const),
      blocks: [{ ...block, block: 0, progress: { state: "waiting", input: {}, action, approval } }],
    };
    const emitted = new Emitter<never>();
    let chat = { ...emptyChat("one"), entries: [entry] } as unknown as Chat;
    return {
      ...{ id, approvals, decisions, onDidEmit: emitted.event, stop: () => turn.abort() },
      get chat() {
        return chat;
      },
      end() {
        chat = emptyChat("one");
        emitted.fire(undefined as never);
      },
    };
  };
  const activeDiff = (): vscode.TabInputTextDiff | undefined => {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    return input instanceof vscode.TabInputTextDiff ? input : undefined;
  };
  const press = async (allow: boolean, uri?: vscode.Uri): Promise<void> => {
    await handlers.get(allow ? commands.allowChange : commands.refuseChange)?.(uri);
  };
  /** Opens it, without the pause after it is in view where `settle` is false. */
  const open = async (asked: Asked, settle = true, call?: string): Promise<vscode.Uri> => {
    await diffs.open(asked, asked.id, call);
    await eventually("the diff", () => activeDiff()?.modified.query.startsWith(asked.id) === true);
    await press(true);
    if (settle) for (const end of waiting.splice(0)) end();
    await Promise.resolve();
    return activeDiff()!.modified;
  };
  beforeEach(async () => {
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(root);
    folder = path.join(root.uri.fsPath, "asked");
    await mkdir(folder, { recursive: true });
    handlers = new Map();
    waiting = [];
    const register: Dialogs["register"] = (id, run) => {
      handlers.set(id, run);
      return { dispose: () => undefined };
    };
    const clock: Clock = { now: () => 0, delay: () => new Promise((resolve) => waiting.push(resolve)) };
    diffs = createAskedDiffs({ register } as Dialogs, clock);
  });
  afterEach(async () => {
    diffs.dispose();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("A3: a press answers the question of that diff, not in its first half second, and closes it; the other one waits on", async () => {
    const [one, two] = [ask({ c: await changeOf("one.ts") }), ask({ c: await changeOf("two.ts") })];
    const first = await open(one, false);
    await press(true, first);
    await press(false);
    assert.deepEqual(one.decisions, [], "a double click before");
    const second = await open(two);
    await press(true, first);
    assert.deepEqual([one.decisions, two.decisions], [[], []], "a diff that is not in view is not answered");
    await press(false, second);
    two.end();
    assert.deepEqual([one.decisions, two.decisions], [[], [{ allow: false }]]);
    await open(one);
    await press(true);
    assert.deepEqual(one.decisions, [{ allow: true }]);
    assert.notEqual(activeDiff(), undefined, "its document would be closed while the call writes the file");
    one.end();
    await eventually("the closed diff", () => activeDiff() === undefined);
  });

  it("A3: a question that was stopped or answered elsewhere is not answered by its diff, which stays", async () => {
    const asked = ask({ c: await changeOf("one.ts") });
    const uri = await open(asked);
    asked.stop();
    await press(true, uri);
    assert.deepEqual(asked.decisions, []);
    assert.equal(activeDiff()?.modified.toString(), uri.toString());
  });

  it("A3: one of several changes, a diff beside another file, and the new text alone allow nothing", async () => {
    const change = await changeOf("one.ts");
    const group = ask({ c: change, d: await changeOf("two.ts") });
    await press(true, await open(group, true, "d"));
    assert.deepEqual(group.decisions, []);
    const asked = ask({ c: change });
    const uri = await open(asked);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await vscode.window.showTextDocument(uri);
    await press(true, uri);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await vscode.commands.executeCommand("vscode.diff", vscode.Uri.file(path.join(folder, "two.ts")), uri, "another");
    await press(true, uri);
    for (const end of waiting.splice(0)) end();
    await Promise.resolve();
    await press(true, uri);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await vscode.commands.executeCommand("vscode.diff", uri.with({ fragment: "empty" }), uri, "beside no text");
    await press(true, uri);
    for (const end of waiting.splice(0)) end();
    await Promise.resolve();
    await press(true, uri);
    assert.deepEqual(asked.decisions, [], "the file has text, which that diff does not show");
  });

  it("A3: the diff of a file that is not there yet opens, shows all its lines, and its press allows it", async () => {
    const after = "one\ntwo\n";
    const file = path.join(folder, "not", "there.ts");
    const asked = ask({ c: { file, before: "", after, preview: createPreview("not/there.ts", "", after) } });
    const uri = await open(asked);
    const { original } = activeDiff()!;
    const texts = await Promise.all([original, uri].map((side) => vscode.workspace.openTextDocument(side)));
    assert.deepEqual(
      texts.map((document) => document.getText()),
      ["", after],
    );
    await press(true);
    assert.deepEqual(asked.decisions, [{ allow: true }]);
  });

  it("A3: what the diff does not show is asked with the yes: another reason, a change of blanks only", async () => {
    const { window } = vscode;
    const show = window.showWarningMessage;
    const said: string[] = [];
    let answer: string | undefined;
    window.showWarningMessage = (message: string, options?: unknown) => {
      said.push(`${message} ${JSON.stringify(options ?? "")}`);
      return Promise.resolve(answer as never);
    };
    try {
      const ignored = ask({ c: await changeOf("one.ts") }, "ignored");
      const uri = await open(ignored);
      await press(true, uri);
      assert.deepEqual(ignored.decisions, []);
      assert.match(said.at(-1) ?? "", /Edit a\.ts: 1 line changed \(changes a file, git ignores it\)/);
      answer = "Allow";
      await press(true, uri);
      assert.deepEqual(ignored.decisions, [{ allow: true }]);
      const blanks = ask({ c: await changeOf("two.ts", before.replace("  return 1", "return 1")) });
      answer = undefined;
      await press(true, await open(blanks));
      assert.deepEqual(blanks.decisions, []);
      assert.match(said.at(-1) ?? "", /only blanks at the ends/);
    } finally {
      window.showWarningMessage = show;
    }
  });
});

/** The diff that *Open Diff* opens of what a question would change: it shows all of it, and closes with the answer. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { Approvals } from "../../src/chat/approval/approvals";
import { type Chat, emptyChat } from "../../src/domain/chat/chat";
import type { ProposedChange } from "../../src/domain/tools/tool";
import { createPreview } from "../../src/tools/edit/changePreview";
import { type AskedDiffs, createAskedDiffs } from "../../src/chat/host/changes/askedDiffs";
import { Emitter, type Event } from "../../src/base/event";
import { eventually } from "../support/eventually";

const before = "if (late) {\n  return 1;\n}\nreturn 2;\n";

interface Asked {
  readonly id: string;
  readonly approvals: Approvals;
  readonly chat: Chat;
  readonly onDidEmit: Event<never>;
  stop(): void;
  /** The call has ended. */
  end(): void;
}

describe("the diff of a question", () => {
  let folder: string;
  let diffs: AskedDiffs;
  const changeOf = async (name: string): Promise<ProposedChange> => {
    const file = path.join(folder, name);
    const after = before.replace("1", "3");
    await writeFile(file, before);
    return { file, before, after, preview: createPreview(name, before, after) };
  };
  const ask = (changes: Readonly<Record<string, ProposedChange>>): Asked => {
    const approvals = new Approvals();
    const turn = new AbortController();
    const { id, decision } = approvals.request(new Map(Object.entries(changes)), turn.signal);
    decision.catch(() => undefined);
    const approval = { id, reasons: ["writes-file" as const] };
    const block = { type: "tool-call", call: "c", name: "edit_file", text: "" } as const;
    const action = { type: "edit-file", path: "a.ts", changedLines: 1 } as const;
    const entry = {
      ...({ type: "answer", id: "a", model: "m", family: "messages", at: 0, state: "streaming" } as const),
      blocks: [{ ...block, block: 0, progress: { state: "waiting", input: {}, action, approval } }],
    };
    const emitted = new Emitter<never>();
    let chat = { ...emptyChat("one"), entries: [entry] } as unknown as Chat;
    return {
      ...{ id, approvals, onDidEmit: emitted.event, stop: () => turn.abort() },
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
  const open = async (asked: Asked, call?: string): Promise<vscode.TabInputTextDiff> => {
    await diffs.open(asked, asked.id, call);
    await eventually("the diff", () => activeDiff()?.modified.query.startsWith(asked.id) === true);
    return activeDiff()!;
  };
  const textsOf = async ({ original, modified }: vscode.TabInputTextDiff): Promise<readonly string[]> =>
    (await Promise.all([original, modified].map((side) => vscode.workspace.openTextDocument(side)))).map((document) =>
      document.getText(),
    );
  beforeEach(async () => {
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(root);
    folder = path.join(root.uri.fsPath, "asked");
    await mkdir(folder, { recursive: true });
    diffs = createAskedDiffs();
  });
  afterEach(async () => {
    diffs.dispose();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("A3: it stays while the calls of an answered question run, for its document would be closed with it, and closes then", async () => {
    const asked = ask({ c: await changeOf("one.ts"), d: await changeOf("two.ts") });
    assert.deepEqual(await textsOf(await open(asked, "d")), [before, before.replace("1", "3")]);
    diffs.closeAfter(asked, asked.id);
    assert.notEqual(activeDiff(), undefined);
    asked.end();
    await eventually("the closed diff", () => activeDiff() === undefined);
  });

  it("A3: of a question that no longer waits none is opened", async () => {
    const asked = ask({ c: await changeOf("one.ts") });
    asked.stop();
    await diffs.open(asked, asked.id);
    assert.equal(activeDiff(), undefined);
  });

  it("A3: the diff of a file that is not there yet opens, and shows all its lines", async () => {
    const after = "one\ntwo\n";
    const file = path.join(folder, "not", "there.ts");
    const asked = ask({ c: { file, before: "", after, preview: createPreview("not/there.ts", "", after) } });
    assert.deepEqual(await textsOf(await open(asked)), ["", after]);
  });
});

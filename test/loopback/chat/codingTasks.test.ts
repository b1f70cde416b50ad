/** An agent at work in the sample workspace: how often it asks, and that everything it changed goes back. */
import assert from "node:assert/strict";
import { cp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ChatSession } from "../../../src/chat/session/session";
import type { FileChange } from "../../../src/chat/undo/changeRecords";
import { lastUndo, undoable, undoChanges } from "../../../src/chat/undo/undoChanges";
import { type AskReason, toolCalls, type ToolCallBlock, type WaitingCall } from "../../../src/domain/chat/chat";
import { type AppOverGateway, openAppOverGateway } from "../../support/appOverGateway";
import { isFullRun, partOf } from "../../support/runs";
import { type CodingTask, codingTasks } from "./codingTasks";

/** Why a call of each tool may ask in these tasks; those that are missing never do. */
const mayAsk: Readonly<Record<string, readonly AskReason[]>> = {
  edit_file: ["writes-file"],
  apply_patch: ["writes-file"],
  write_file: ["writes-file"],
  rename_file: ["writes-file"],
  delete_file: ["writes-file"],
  run_command: ["runs-command"],
  submit_task: ["submits-task"],
};

type Tree = Readonly<Record<string, string>>;

/** Without the folders. */
function filesOf(tree: Tree): Tree {
  return Object.fromEntries(Object.entries(tree).filter(([path]) => !path.endsWith("/")));
}

/** Names of folders end with a slash. */
async function treeOf(root: string): Promise<Tree> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const read = entries.map(async (entry): Promise<[string, string]> => {
    const path = join(entry.parentPath, entry.name);
    return entry.isFile() ? [path, await readFile(path, "latin1")] : [`${path}/`, ""];
  });
  return Object.fromEntries((await Promise.all(read)).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function promptOf({ title, answers }: CodingTask): string {
  const lines = answers.map((calls) => calls.map(({ tool, input }) => `${tool} ${JSON.stringify(input)}`).join("\n"));
  return `Now ${title}:\n\n\`\`\`calls\n${lines.join("\n\n")}\n\`\`\``;
}

const blocksOf = ({ chat }: ChatSession): readonly ToolCallBlock[] =>
  chat.entries.flatMap((entry) => (entry.type === "answer" ? toolCalls(entry) : []));

describe("fifty coding tasks", () => {
  let over: AppOverGateway;
  /** The calls of each question. */
  const questions: (readonly string[])[] = [];
  let calls = 0;
  before(async () => {
    over = await openAppOverGateway({ inside: "sample", speed: 100 });
    await cp(join("media", "sample"), over.root, { recursive: true });
  });
  after(() => over.close());

  /** As a person who gives the longest yes that is offered. */
  const answer = (session: ChatSession, asked: readonly ToolCallBlock[]): void => {
    const waiting = asked.flatMap(({ name, progress }) => (progress.state === "waiting" ? [{ name, progress }] : []));
    const [first] = waiting;
    if (!first) return;
    for (const { name, progress } of waiting) checkKind(name, progress);
    questions.push(waiting.map(({ name, progress }) => `${name} ${JSON.stringify(progress.action)}`));
    const { id, offers = [] } = first.progress.approval;
    const scope = offers.findLast((offer) => offer.scope === "workspace")?.scope ?? offers.at(-1)?.scope;
    assert.ok(session.approvals.decide(id, { allow: true, ...(scope && { scope }) }));
  };
  const checkKind = (name: string, { action, approval: { reasons } }: WaitingCall): void => {
    const isPackage = "path" in action && action.path === "package.json";
    assert.deepEqual(reasons, isPackage ? ["executed"] : mayAsk[name], `${name} asks for another reason`);
  };
  const play = async (task: CodingTask): Promise<ChatSession> => {
    over.app.chats.create();
    const session = over.app.session.current;
    const listening = session.onDidEmit(({ type }) => {
      if (type !== "tool-progress") return;
      // A card is answered once all that it asks about is on it.
      setImmediate(() => {
        const waiting = blocksOf(session).filter(({ progress }) => progress.state === "waiting");
        if (session.approvals.count > 0) answer(session, waiting);
      });
    });
    await session.submit(promptOf(task));
    listening.dispose();
    return session;
  };

  const run = async (task: CodingTask): Promise<void> => {
    const { title, answers, leaves } = task;
    const start = await treeOf(over.root);
    const session = await play(task);
    const made = blocksOf(session);
    calls += made.length;
    const planned = answers.flat().map(({ tool, fails }) => [tool, fails ? "failed" : "done"]);
    const results = made.map(({ progress }) => ("result" in progress ? progress.result : ""));
    assert.deepEqual(
      made.map(({ name, progress }) => [name, progress.state]),
      planned,
      `${title}: ${results.find((_, index) => made[index]?.progress.state !== planned[index]?.[1])}`,
    );
    for (const [path, text] of Object.entries(leaves)) {
      const left = await readFile(join(over.root, path), "utf8").catch(() => null);
      if (text === null || left === null) assert.equal(left, text, `${title}: ${path}`);
      else assert.match(left, text, title);
    }
    const end = filesOf(await treeOf(over.root));
    const ledger = (await over.app.openLedgers()).of(session.chat.id);
    const takesBack = async (changes: readonly FileChange[]): Promise<Tree> => {
      const { edited, failed } = await undoChanges(ledger, changes);
      assert.deepEqual({ edited, failed }, { edited: [], failed: [] }, title);
      return treeOf(over.root);
    };
    assert.deepEqual(await takesBack(undoable(ledger)), start, title);
    assert.deepEqual(filesOf(await takesBack(lastUndo(ledger))), end, title);
    assert.deepEqual(await takesBack(undoable(ledger)), start, title);
  };

  it("A1, A2, A3, A5, R9: at most one question for ten calls, and an undo of all, its redo and an undo again leave the very files", async () => {
    assert.equal(codingTasks.length, 50);
    const played = partOf(codingTasks, 0);
    for (const task of played) await run(task);
    assert.ok(calls >= played.length * 8, `${calls} calls`);
    // An answer also covers later tasks: a part of them has more questions for its calls.
    assert.ok(
      questions.length * (isFullRun ? 10 : 5) <= calls,
      `${questions.length} questions, ${calls} calls:\n${questions.join("\n")}`,
    );
    if (isFullRun) assert.ok(calls >= 500, `${calls} calls`);
  });
});

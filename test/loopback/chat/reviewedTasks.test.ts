/** The coding tasks by a person who reviews edits after they have landed: no question for an edit of a tracked plain file but the first, and what they take back does not come again without one (A16). */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { asRecord } from "../../../src/base/jsonValue";
import type { ChatSession } from "../../../src/chat/session/session";
import { undoable, undoChanges } from "../../../src/chat/undo/undoChanges";
import { toolCalls, type ToolCallBlock, type WaitingCall } from "../../../src/domain/chat/chat";
import { type AppOverGateway, openAppOverGateway } from "../../support/appOverGateway";
import { recordRequests } from "../../support/recordedRequests";
import { someOf } from "../../support/runs";
import type { Received, TestServer } from "../gateway/rawServer";
import { type CodingTask, codingTasks } from "./codingTasks";

const blocksOf = ({ chat }: ChatSession): readonly ToolCallBlock[] =>
  chat.entries.flatMap((entry) => (entry.type === "answer" ? toolCalls(entry) : []));

function promptOf({ answers }: CodingTask): string {
  const lines = answers.map((calls) => calls.map(({ tool, input }) => `${tool} ${JSON.stringify(input)}`).join("\n"));
  return `Do this:\n\n\`\`\`calls\n${lines.join("\n\n")}\n\`\`\``;
}

const firstTask = codingTasks.find(({ title }) => title === "mend the greeting of the afternoon")!;
const others = codingTasks.filter((task) => task !== firstTask);

describe("coding tasks whose edits are reviewed after they have landed", () => {
  let over: AppOverGateway;
  let gateway: TestServer;
  let tracked: ReadonlySet<string>;
  /** Those that were asked about after the choice to review edits after. */
  let asked: WaitingCall[] = [];
  let isChosen = false;
  before(async () => {
    over = await openAppOverGateway({ inside: "sample", speed: 100 });
    await cp(join("media", "sample"), over.root, { recursive: true });
    const git = (...args: string[]): string => execFileSync("git", ["-C", over.root, ...args], { encoding: "utf8" });
    git("init", "-q");
    git("add", "--force", "-A");
    tracked = new Set(git("ls-files").trim().split("\n"));
    gateway = await recordRequests(over);
    await submit(over.app.session.current, promptOf(firstTask));
    assert.ok(isChosen, "the first edit asks, and offers the choice");
    const ledger = (await over.app.openLedgers()).of(over.app.session.current.chat.id);
    await undoChanges(ledger, undoable(ledger));
  });
  after(async () => {
    await over.close();
    await gateway.close();
  });

  const isEditOfTracked = ({ action }: WaitingCall): boolean =>
    action.type === "edit-file" && tracked.has(action.path) && action.path.endsWith(".ts");

  /** Says yes to each question, and takes the choice to review edits after where it is offered. */
  const submit = async (session: ChatSession, prompt: string): Promise<void> => {
    const known = new Set<string>();
    const listening = session.onDidEmit(({ type }) => {
      if (type !== "tool-progress") return;
      setImmediate(() => {
        const waiting = blocksOf(session).flatMap(({ progress }) => (progress.state === "waiting" ? [progress] : []));
        const [first] = waiting;
        if (first === undefined || known.has(first.approval.id)) return;
        known.add(first.approval.id);
        if (isChosen) asked.push(...waiting);
        const isReview = first.approval.offers?.some(({ scope }) => scope === "review") === true;
        isChosen ||= isReview;
        session.approvals.decide(first.approval.id, { allow: true, ...(isReview ? { scope: "review" as const } : {}) });
      });
    });
    await session.submit(prompt);
    listening.dispose();
  };
  /** The messages of each request for an answer. */
  const messagesOf = (received: readonly Received[]): readonly (readonly unknown[])[] =>
    received.flatMap(({ method, body }) => {
      const record = method === "POST" && body !== "" ? asRecord(JSON.parse(body)) : undefined;
      return Array.isArray(record?.["messages"]) ? [record["messages"]] : [];
    });

  for (const task of [firstTask, ...someOf(others, 0, 1)])
    it(`A16: ${task.title}: edits of tracked plain files ask nothing, but one that was taken back, which the model is told`, async () => {
      over.app.chats.create();
      const session = over.app.session.current;
      asked = [];
      const atFirst = gateway.received.length;
      await submit(session, promptOf(task));
      const ledger = (await over.app.openLedgers()).of(session.chat.id);
      const landed = ledger.live.filter(({ cause }) => cause.type === "call" && cause.allowed === "workspace");
      if (task === firstTask) assert.ok(landed.length > 0, "it makes edits that land");
      const atSecond = gateway.received.length;
      const { edited, failed } = await undoChanges(ledger, undoable(ledger));
      assert.deepEqual({ edited, failed }, { edited: [], failed: [] });
      assert.deepEqual(asked.filter(isEditOfTracked), [], "no edit of a tracked plain file asks");
      const files = new Set(landed.map(({ label }) => label));
      asked = [];
      await submit(session, promptOf(task));
      const again = ledger.live.filter(({ cause }) => cause.type === "call" && cause.allowed === "workspace");
      const isReturn = ({ approval }: WaitingCall): boolean => approval.reasons.includes("taken-back");
      if (landed.length > 0) {
        const before = messagesOf(gateway.received.slice(atFirst, atSecond)).at(-1) ?? [];
        const [after = []] = messagesOf(gateway.received.slice(atSecond));
        const prompt = JSON.stringify(after.at(-1));
        for (const file of files) assert.ok(prompt.includes(`- ${file}`) && prompt.includes("taken back"), prompt);
        assert.ok(before.length > 0);
        assert.deepEqual(after.slice(0, before.length), before, "what was sent before is the same");
      }
      const returned = asked.filter(isReturn).length;
      assert.ok(returned >= landed.length, `${landed.length} edits, ${returned} asked about again`);
      assert.deepEqual(
        again.map(({ label }) => label),
        [],
        "nothing that was taken back landed without a question",
      );
      await undoChanges(ledger, undoable(ledger));
    });
});

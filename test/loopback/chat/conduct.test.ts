/** How a turn goes on when a gateway is overloaded, breaks off or answers nothing, and when the person has something to say meanwhile: in three families, and the local gateway finds nothing wrong in the history (A11). */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Family } from "../../../src/domain/chat/chatEvent";
import { type AnswerEntry, toolCalls, unfinishedAnswer } from "../../../src/domain/chat/chat";
import { type AppOverGateway, openAppOverGateway } from "../../support/appOverGateway";
import { until } from "../../support/builders";
import { answers, progressOf, waiting } from "../../support/chatSessions";
import { createMovedClock, type MovedClock } from "../../support/movedClock";

const played = ["Do this:", "```calls", 'read_file {"path": "src/app.ts"}', "```"].join("\n");
const routes: Readonly<Record<Family, RegExp>> = {
  "chat-completions": /\/chat\/completions$/,
  messages: /\/messages$/,
  "generate-content": /:streamGenerateContent$/,
};

describe("conduct of a turn", () => {
  let over: AppOverGateway;
  let clock: MovedClock;
  beforeEach(async () => {
    clock = createMovedClock();
    over = await openAppOverGateway({ retryClock: clock });
    await mkdir(join(over.folder, "src"));
    await writeFile(join(over.folder, "src/app.ts"), "export const planet = 'World';\n");
  });
  afterEach(() => over.close());

  const session = () => over.app.session.current;
  const last = (): AnswerEntry => answers(session()).at(-1)!;
  const asked = (family: Family): number =>
    over.gateway.requests.filter(({ path }) => routes[family].test(path.split("?")[0] ?? "")).length;
  /** In every chat request from now on, so often. */
  const arm = (name: string, times: number, value?: unknown): void => {
    over.gateway.faults.arm({ name, times, ...(value === undefined ? {} : { value }) });
  };
  /** Lets each wait before another try pass, until the turn has ended. */
  const untilEnded = async (turn: Promise<unknown>): Promise<void> => {
    let hasEnded = false;
    void turn.then(() => (hasEnded = true));
    await until(() => {
      void clock.advance(60_000);
      return hasEnded;
    });
  };

  for (const family of ["chat-completions", "messages", "generate-content"] as const) {
    describe(family, () => {
      beforeEach(() => {
        const model = over.app.models.models.current.list.find((one) => one.family === family && !one.taskTypes);
        over.app.models.choose(model!.id);
      });

      it("A11, S6: an overloaded gateway is asked for up to 90 s, each wait is told, and then it answers", async () => {
        arm("http.status", 6, { status: 529 });
        const before = clock.now();
        await untilEnded(session().submit("hello"));
        assert.deepEqual([asked(family), last().state], [7, "complete"]);
        const waits = (last().retries ?? []).map(({ delayMs = 0 }) => delayMs);
        assert.equal(waits.length, 6);
        const sum = waits.reduce((total, ms) => total + ms, 0);
        assert.ok(sum > 60_000 && sum <= 90_000, String(sum));
        assert.ok(clock.now() - before >= sum);
      });

      it("A11, S5: Stop ends the wait at once, and nothing more is sent", async () => {
        arm("http.status", 6, { status: 503 });
        const turn = session().submit("hello");
        await until(() => clock.waiting > 0);
        session().stop();
        await turn;
        assert.deepEqual([asked(family), last().state, clock.waiting], [1, "stopped", 0]);
      });

      it("A11, S6, Q-E10: an empty answer is asked for once more; empty again, the person goes on from it", async () => {
        arm("end.empty", 1);
        await untilEnded(session().submit("hello"));
        assert.deepEqual([asked(family), last().blocks.length > 0], [2, true]);
        assert.ok((session().chat.tokens ?? 0) > (last().usage?.input ?? 0) * 2, "both are counted");
        arm("end.empty", 2);
        await untilEnded(session().submit("hello again"));
        assert.deepEqual([asked(family), last().state, last().blocks.length], [4, "complete", 0]);
        assert.equal(unfinishedAnswer(session().chat)?.id, last().id);
        await session().continueTurn();
        assert.deepEqual([asked(family), last().state, last().blocks.length > 0], [5, "complete", true]);
      });

      it("A11: after a stream that was cut the model goes on from what came, behind the results before it", async () => {
        over.gateway.faults.arm({ name: "end.cut", nth: 2, times: 1, value: 2 });
        await session().submit(played);
        const cut = unfinishedAnswer(session().chat);
        assert.ok(cut?.id === last().id && cut.blocks.some(({ type }) => type === "text"));
        assert.equal(await session().continueTurn(), true);
        assert.deepEqual([answers(session()).length, last().state, last().finish], [3, "complete", "stop"]);
        await session().submit("hello");
        assert.equal(last().state, "complete");
      });

      it("A11, Q-E9: an answer that the output limit ended is gone on with; a call that it cut is not run, and the turn goes on by itself", async () => {
        arm("end.length", 1, 2);
        await session().submit("write 2 paragraphs");
        assert.deepEqual([last().finish, unfinishedAnswer(session().chat)?.id], ["length", last().id]);
        await session().continueTurn();
        assert.deepEqual([last().finish, last().state], ["stop", "complete"]);
        // This family sends a call whole, so that the limit takes all of it.
        if (family === "generate-content") return;
        const count = answers(session()).length;
        arm("end.length", 1, 100);
        const long = JSON.stringify({ path: "long.ts", text: "one word after the other; ".repeat(100) });
        await session().submit(["Do this:", "```calls", `write_file ${long}`, "```"].join("\n"));
        const [first, second] = answers(session()).slice(count);
        const [call] = toolCalls(first!);
        assert.ok(call?.progress.state === "invalid" && call.progress.atLimit, JSON.stringify(call));
        assert.deepEqual([second?.state, unfinishedAnswer(session().chat)], ["complete", undefined]);
      });

      it("A11, A3: what the person says now takes the place of an answer to an open question, and is answered in the same turn", async () => {
        const turns: string[] = [];
        session().onDidEmit(({ type }) => turns.push(...(type === "turn-started" ? [type] : [])));
        const turn = session().submit('call write_file {"path":"new.ts","text":"x"}');
        await until(() => waiting(session()).length === 1);
        await session().submit("Read src/app.ts instead", undefined, { isNow: true });
        await turn;
        assert.deepEqual(progressOf(session()), ["denied", "done"]);
        assert.deepEqual([turns.length, last().state], [1, "complete"]);
      });
    });
  }

  it("A11, S6, Q-R10: a call of Gemini that can't be read is asked for once more; again, it is an error", async () => {
    const model = over.app.models.models.current.list.find((one) => one.family === "generate-content");
    over.app.models.choose(model!.id);
    arm("err.malformed-call", 1);
    await untilEnded(session().submit("hello"));
    assert.deepEqual([asked("generate-content"), last().state], [2, "complete"]);
    arm("err.malformed-call", 2);
    await untilEnded(session().submit("hello"));
    assert.deepEqual([asked("generate-content"), last().state], [4, "failed"]);
  });
});

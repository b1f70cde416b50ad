/** One window of the product without VS Code as a process of its own, for runs that kill it: it says how far its tasks are. */
import type { App } from "../../../src/app/app";
import { isFinal, type Task } from "../../../src/domain/task/task";
import { taskRow } from "../../../src/tasks/view/taskRow";
import { createFastClock } from "../fastClock";
import { openProgramApp } from "./programApp";
import type { FromProgram, ProgramOptions, SettledRow, Step, ToApp } from "./protocol";

const say = (message: FromProgram): void => void process.send?.(message);
const fail = (failure: unknown): void =>
  say({ type: "failed", message: failure instanceof Error ? (failure.stack ?? failure.message) : String(failure) });
process.on("uncaughtException", fail);
process.on("unhandledRejection", fail);

const { folder, epoch, factor, gateway } = JSON.parse(process.argv[2] ?? "{}") as ProgramOptions;
const clock = createFastClock(epoch, factor);

function stepOf({ submission }: Task): Step {
  if (submission.state === "prepared") return "prepared";
  if (submission.state !== "accepted") return "sending";
  if (submission.saved !== undefined) return "saved";
  if (isFinal(submission.remote.state)) return "ended";
  return submission.remote.state === "created" ? "accepted" : "reading";
}

function settledRow(task: Task): SettledRow {
  const { submission, intent } = task;
  const row = taskRow(task, clock.now(), "en");
  const shown = { prompt: intent.prompt, submission: submission.state, money: row.money, sentence: row.state };
  if (submission.state !== "accepted") return "error" in submission ? { ...shown, error: submission.error } : shown;
  const { taskId, holdId, saved, remote } = submission;
  return {
    ...shown,
    taskId,
    state: remote.state,
    ...(holdId === undefined ? {} : { holdId }),
    ...(saved === undefined ? {} : { savedAs: saved.path }),
  };
}

/** Done or beyond help: nothing more will change without an action. */
function isSettled({ submission }: Task): boolean {
  if (submission.state === "not-accepted") return true;
  if (submission.state !== "accepted" || !isFinal(submission.remote.state)) return false;
  return submission.remote.state !== "succeeded" || submission.saved !== undefined;
}

async function reconcile({ board, outbox }: App): Promise<void> {
  const unknown = [...board.tasks.values()].filter(({ submission }) => submission.state === "outcome-unknown");
  await outbox.sendAgain(board.see(...unknown.map(({ intent }) => intent.id)));
}

async function settle(app: App): Promise<void> {
  const { board } = app;
  for (;;) {
    await reconcile(app);
    const tasks = [...board.tasks.values()];
    if (tasks.every(isSettled)) break;
    await clock.delay(500);
  }
  say({ type: "settled", rows: [...board.tasks.values()].map(settledRow) });
}

async function run(): Promise<void> {
  if (!gateway) throw new Error("no gateway");
  const app = await openProgramApp({ folder, gateway, clock });
  const { board, outbox } = app;
  const said = new Set<Step>();
  const tell = (step: Step): void => {
    if (said.has(step)) return;
    said.add(step);
    say({ type: "step", step });
  };
  board.onDidChange((ids) => {
    for (const id of ids) {
      const task = board.tasks.get(id);
      if (task) tell(stepOf(task));
    }
  });
  void app.poller.run();
  void app.fetcher.run();
  process.on("message", (message: ToApp) => {
    switch (message.type) {
      case "submit": {
        const tasks = message.prompts.map((prompt) => ({ type: "async-image", model: "demo-image", prompt }) as const);
        void app.poller.connections
          .ready()
          .then(({ home }) => outbox.prepare(tasks, home))
          .then((intents) => {
            const sent = outbox.send(intents);
            say({ type: "intended", prompts: message.prompts });
            return sent;
          })
          .catch(fail);
        return;
      }
      case "cancel": {
        const [running] = [...board.tasks.values()].filter(
          ({ submission }) => submission.state === "accepted" && !isFinal(submission.remote.state),
        );
        if (running) void app.cancel(running.intent.id, "no longer needed").catch(fail);
        return;
      }
      case "reconcile":
        void reconcile(app).catch(fail);
        return;
      case "settle":
        void settle(app).catch(fail);
    }
  });
  tell("started");
}

run().catch(fail);

/** Tool: cancels a task after a yes. */
import * as z from "zod/mini";
import { quoteForeign } from "../../domain/words/quoteForeign";
import type { CancelOutcome, TaskPort } from "../../domain/task/taskPort";
import type { Tool } from "../../domain/tools/tool";
import { alias } from "../base/argumentRules";
import { defineTool } from "../base/defineTool";
import { findTask, taskId } from "./lookAtTasks";
import type { TaskToolNames } from "./taskToolNames";

export function cancelTask(tasks: TaskPort, names: TaskToolNames): Tool {
  return defineTool({
    name: names.cancel,
    effect: "submits",
    description: "Cancels a task that has not ended. The person is asked first.",
    parameters: z.strictObject({
      id: taskId(names),
      reason: z.string().check(z.minLength(1), z.maxLength(500), z.describe("Sent to the gateway with the cancel.")),
    }),
    rules: [alias("id", "task_id", "task")],
    prepare({ id, reason }) {
      const task = findTask(tasks, id, names);
      return Promise.resolve({
        action: { type: "cancel-task", prompt: task.intent.prompt },
        reasons: ["cancels-task"],
        asked: { type: "cancel", task, reason },
        async run(_running, effects) {
          const outcome = await tasks.cancel(id, reason);
          if ("error" in outcome) effects?.untrusted?.(task.intent.home.origin);
          return wordsOf(outcome, names);
        },
      });
    },
  });
}

function wordsOf(outcome: CancelOutcome, names: TaskToolNames): string {
  switch (outcome.state) {
    case "confirmed":
      return "Cancelled.";
    case "open":
      return `The gateway was asked to cancel it; ${names.get} shows how it ends.`;
    case "too-late":
      return `It had ended before: ${outcome.ended}.`;
    case "no-task":
      return "Cancelled before it was sent: there is no task.";
    case "still-unknown":
      return "It is not sent again. Whether the gateway made the task is not known.";
    case "refused":
      return `The gateway refused${outcome.isSeenRunning ? ", and the task goes on" : ""}: ${quoteForeign(outcome.error.message)}`;
    case "failed":
      return `What became of it is not known: ${quoteForeign(outcome.error.message)}`;
  }
}

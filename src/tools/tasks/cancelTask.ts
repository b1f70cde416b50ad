/** Tool: cancels a task after a yes. */
import * as z from "zod/mini";
import type { CancelOutcome, TaskPort } from "../../domain/taskPort";
import type { Tool } from "../../domain/tool";
import { defineTool } from "../defineTool";
import { findTask, taskId } from "./lookAtTasks";

export function cancelTask(tasks: TaskPort): Tool {
  return defineTool({
    name: "cancel_task",
    description: "Cancels a task that has not ended. The person is asked first.",
    parameters: z.strictObject({
      id: taskId,
      reason: z.string().check(z.minLength(1), z.maxLength(500), z.describe("Sent to the gateway with the cancel.")),
    }),
    prepare({ id, reason }) {
      const { prompt } = findTask(tasks, id).intent;
      return Promise.resolve({
        action: { type: "cancel-task", prompt },
        reasons: ["cancels-task"],
        run: async () => wordsOf(await tasks.cancel(id, reason)),
      });
    },
  });
}

function wordsOf(outcome: CancelOutcome): string {
  switch (outcome.state) {
    case "confirmed":
      return "Cancelled.";
    case "open":
      return "The gateway was asked to cancel it; get_task shows how it ends.";
    case "too-late":
      return `It had ended before: ${outcome.ended}.`;
    case "refused":
      return `The gateway refused, and the task goes on: ${outcome.error.message}`;
    case "failed":
      return `What became of it is not known: ${outcome.error.message}`;
  }
}

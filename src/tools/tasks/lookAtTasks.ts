/** Tools: what became of a task, and the newest tasks. Nothing is asked of the gateway that the task list does not ask anyway. */
import * as z from "zod/mini";
import { conditionOf, type TaskCondition, taskConditions } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";
import type { TaskPort } from "../../domain/task/taskPort";
import { type CallEffects, type Tool, ToolRefusal } from "../../domain/tools/tool";
import type { Workspace } from "../../domain/tools/workspace";
import { alias, seconds } from "../base/argumentRules";
import { defineTool } from "../base/defineTool";
import { lineOfTask, reportTask, reportUntrustedTask } from "./reportTask";
import type { TaskToolNames } from "./taskToolNames";

const maxWait = 300;
const maxListed = 50;

export const taskId = ({ submit, list }: TaskToolNames): z.ZodMiniString =>
  z.string().check(z.maxLength(100), z.describe(`The id that ${submit} or ${list} gave.`));

export function getTask(workspace: Workspace, tasks: TaskPort, names: TaskToolNames): Tool {
  return defineTool({
    name: names.get,
    description: "What became of a task: its state and where its result is. Can wait for its end.",
    parameters: z.strictObject({
      id: taskId(names),
      wait_seconds: z.optional(
        z.int().check(z.minimum(0), z.maximum(maxWait), z.describe("Waits so long for its end.")),
      ),
    }),
    rules: [
      alias("id", "task_id", "task"),
      alias("wait_seconds", "wait", "timeout", "timeout_seconds"),
      seconds("wait_seconds", maxWait, "timeout_ms", "wait_ms"),
    ],
    prepare({ id, wait_seconds: seconds = 0 }) {
      const task = findTask(tasks, id, names);
      return Promise.resolve({
        action: { type: "get-task", prompt: task.intent.prompt },
        async run(running, effects) {
          const now = seconds === 0 ? tasks.get(id) : await tasks.untilEnded(id, seconds * 1000, running);
          reportUntrustedTask([now ?? task], effects);
          return reportTask(now ?? task, workspace, tasks, names);
        },
      });
    },
  });
}

export function listTasks(tasks: TaskPort, names: TaskToolNames): Tool {
  return defineTool({
    name: names.list,
    description: "The newest tasks of the person, one a line: id, type, model, state, prompt.",
    parameters: z.strictObject({
      state: z.optional(
        z
          .enum(taskConditions)
          .check(
            z.describe("Only these. needs-attention: refused, newly failed, or it is not known whether they exist."),
          ),
      ),
      limit: z.optional(z.int().check(z.minimum(1), z.maximum(maxListed), z.describe("Lines at most. Left out: 20."))),
    }),
    rules: [alias("state", "status"), alias("limit", "count", "max_results")],
    prepare: ({ state, limit = 20 }) =>
      Promise.resolve({
        action: { type: "list-tasks" },
        run: (_running, effects) => Promise.resolve(listed(tasks, state, limit, effects)),
      }),
  });
}

function listed(
  tasks: TaskPort,
  state: TaskCondition | undefined,
  limit: number,
  effects: CallEffects | undefined,
): string {
  const all = tasks.list().filter((task) => state === undefined || conditionOf(task) === state);
  const newest = all.slice(-limit).toReversed();
  reportUntrustedTask(newest, effects);
  const lines = newest.map(lineOfTask);
  if (all.length > limit) lines.push(`(${all.length - limit} older ones are left out)`);
  return lines.length === 0 ? "(no tasks)" : lines.join("\n");
}

/** Throws a `ToolRefusal`. */
export function findTask(tasks: TaskPort, id: string, { list }: TaskToolNames): Task {
  const task = tasks.get(id);
  if (task === undefined) throw new ToolRefusal(`There is no task ${id}: ${list} gives the ids.`);
  return task;
}

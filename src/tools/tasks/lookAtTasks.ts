/** Tools: the state of a task, several results to compare, and the newest tasks. They ask the gateway for nothing more than the task list. */
import * as z from "zod/mini";
import { conditionOf, hasSucceeded, isOver, type TaskCondition, taskConditions } from "../../domain/task/phase";
import { mediaFacts, mediaOf } from "../../domain/task/taskTypes";
import type { Task } from "../../domain/task/task";
import type { TaskPort } from "../../domain/task/taskPort";
import type { ScaleImage } from "../../domain/tools/toolPorts";
import { type CallEffects, type Tool, ToolRefusal } from "../../domain/tools/tool";
import type { Workspace } from "../../domain/tools/workspace";
import { alias, seconds } from "../base/argumentRules";
import { defineTool } from "../base/defineTool";
import { fitImage } from "../base/fitImage";
import { lineOfState, lineOfTask, reportTask, reportUntrustedTask } from "./reportTask";
import type { TaskToolNames } from "./taskToolNames";

/** Seconds: below the five minutes for which a service keeps a prompt in its cache. A longer wait is several calls. */
const maxWait = 270;
/** Characters of a prompt that names its picture. */
const shownName = 200;
const maxListed = 50;

export const taskIdArgument = ({ submit, list }: TaskToolNames): z.ZodMiniString =>
  z.string().check(z.maxLength(100), z.describe(`The id that ${submit} or ${list} gave.`));

export function getTask(workspace: Workspace, tasks: TaskPort, names: TaskToolNames, scale: ScaleImage): Tool {
  return defineTool({
    name: names.get,
    effect: "reads",
    description: `Returns the state of a task and where its result is. Shows the finished image, or the thumbnail of a video. wait_seconds waits for its end; if it still runs then, call ${names.get} again, as often as needed.`,
    parameters: z.strictObject({
      id: taskIdArgument(names),
      wait_seconds: z.optional(z.int().check(z.minimum(0), z.describe(`${maxWait} at most; left out: 0.`))),
    }),
    rules: [
      alias("id", "task_id", "task"),
      alias("wait_seconds", "wait", "timeout", "timeout_seconds"),
      seconds("wait_seconds", Infinity, "timeout_ms", "wait_ms"),
    ],
    prepare({ id, wait_seconds: wanted = 0 }) {
      const task = requireTask(tasks, id, names);
      const waited = Math.min(wanted, maxWait);
      return Promise.resolve({
        action: { type: "get-task", prompt: task.intent.prompt },
        // The report of an ended task does not change any more.
        ...(isOver(task) ? {} : { waits: true }),
        async run(running, effects) {
          const now = (waited === 0 ? tasks.get(id) : await tasks.untilEnded(id, waited * 1000, running)) ?? task;
          reportUntrustedTask([now], effects);
          // A long wait is many calls, so the result of one that brings nothing new is short.
          if (waited > 0 && !isOver(now))
            return `${lineOfState(now)}\n(waited ${waited} s; call ${names.get} again to wait on)`;
          const report = reportTask(now, workspace, tasks, names);
          return `${report}${await showPicture(now, tasks, scale, running, effects)}`;
        },
      });
    },
  });
}

/** The text that is added to the report of a task whose picture is shown, or can't be. */
async function showPicture(
  task: Task,
  tasks: TaskPort,
  scale: ScaleImage,
  signal: AbortSignal,
  effects: CallEffects | undefined,
): Promise<string> {
  if (effects?.image === undefined || !hasSucceeded(task)) return "";
  const { type, prompt, home } = task.intent;
  const picture = await tasks.picture(task, signal);
  const media = mediaOf(type);
  const isImage = media !== undefined && mediaFacts(media).preview === "picture";
  if (picture === undefined) return isImage ? "\nIts picture is not on this machine, so it can't be shown here." : "";
  const fitted = await fitImage(picture.bytes, prompt.slice(0, shownName).toWellFormed(), scale, signal);
  if (typeof fitted === "string") return `\nIts picture can't be shown. ${fitted}`;
  // It may show text of an image that others have made.
  if (picture.isFromImages) effects.untrusted?.(home.origin);
  effects.image(fitted.image);
  return isImage
    ? `\nThe result is shown: ${fitted.words}.`
    : `\nThe thumbnail of the ${media ?? "result"} is shown: ${fitted.words}.`;
}

/** Results that are compared at once: as many as a person compares side by side. */
const maxCompared = 4;

export function compareResults(tasks: TaskPort, names: TaskToolNames, name: string, scale: ScaleImage): Tool {
  return defineTool({
    name,
    effect: "reads",
    description: `Shows the pictures of two to ${maxCompared} finished tasks one after the other, lettered A, B, …, with what they were made with: to choose the best, or to propose one to the person.`,
    parameters: z.strictObject({
      ids: z
        .array(taskIdArgument(names))
        .check(
          z.minLength(2),
          z.maxLength(maxCompared),
          z.describe(`The ids that ${names.submit} or ${names.list} gave.`),
        ),
    }),
    rules: [alias("ids", "task_ids", "tasks", "id")],
    prepare({ ids }) {
      const chosen = [...new Set(ids)].map((id) => requireTask(tasks, id, names));
      if (chosen.length < 2) throw new ToolRefusal("ids names one task only: give two that differ, or more.");
      return Promise.resolve({
        action: { type: "compare-results", count: chosen.length },
        async run(running, effects) {
          reportUntrustedTask(chosen, effects);
          const parts: string[] = [];
          for (const [index, task] of chosen.entries()) {
            const { variant } = task.intent;
            const differs = variant === undefined ? "" : `\nby: ${variant}`;
            const picture = hasSucceeded(task)
              ? await showPicture(task, tasks, scale, running, effects)
              : "\nIt has no result.";
            parts.push(`${String.fromCharCode(65 + index)}: ${lineOfTask(task)}${differs}${picture}`);
          }
          return parts.join("\n\n");
        },
      });
    },
  });
}

export function listTasks(tasks: TaskPort, names: TaskToolNames): Tool {
  return defineTool({
    name: names.list,
    effect: "reads",
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
export function requireTask(tasks: TaskPort, id: string, { list }: TaskToolNames): Task {
  const task = tasks.get(id);
  if (task === undefined) throw new ToolRefusal(`There is no task ${id}: ${list} gives the ids.`);
  return task;
}

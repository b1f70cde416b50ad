/** All that is shown and made of a task of a type. `newTaskType.test.ts` bundles it with tables that have more types. */
import { dirname, relative } from "node:path";
import type { VariantView } from "../../src/tasks/contract/batchPageContract";
import type { TaskCardView } from "../../src/chat/contract/chatPageContract";
import type { TaskView } from "../../src/tasks/contract/taskPageContract";
import { emptyMediaFields, type FieldProblems, optionsOf, problemsOf } from "../../src/domain/task/mediaFields";
import { takesOption, type TaskOptions } from "../../src/domain/task/commonOptions";
import { resultUrlOf } from "../../src/domain/task/resultAssets";
import { mediaOf, type TaskType, taskTypeFacts, taskTypes } from "../../src/domain/task/taskTypes";
import { remoteTaskSchema } from "../../src/domain/task/taskSchema";
import { describeSubmit } from "../../src/domain/words/taskTypeWords";
import { describeAction } from "../../src/domain/words/describeTool";
import { readTask, writeTask } from "../../src/gateway/taskBodies";
import { readResultFile } from "../../src/localGateway/tasks/resultFiles";
import { taskBody } from "../../src/localGateway/tasks/lifecycleRoutes";
import { planTask } from "../../src/localGateway/tasks/gatewayTask";
import { taskTypeWords } from "../../src/localGateway/demo/taskKinds";
import { readDirective } from "../../src/tasks/prompts/directives";
import { type MediaType, readMediaType } from "../../src/tasks/results/mediaType";
import { correctReferences } from "../../src/tasks/results/correctReferences";
import { writeReference } from "../../src/tasks/results/reference";
import { markdownOf } from "../../src/tasks/view/resultMarkdown";
import { TaskGroups } from "../../src/tasks/view/taskGroups";
import { type TaskRow, taskRow } from "../../src/tasks/view/taskRow";
import { readMedia } from "../../src/chat/view/mediaBlock";
import { taskCard } from "../../src/chat/view/taskCards";
import { batchSummary, variantView } from "../../src/tasks/host/pages/batchPageView";
import { taskPageSnapshot } from "../../src/tasks/host/pages/taskPageView";
import { describeProblem, describeState, type LensState } from "../../src/tasks/view/promptWords";
import { groupItem } from "../../src/tasks/host/tree/taskTreeItems";
import { resultMedia, wholeMedia } from "../../src/tasks/page/gallery/resultCell";
import { accepted, makeTask, savedAt } from "./builders";
import { createToolFolder } from "./toolFolder";

export { mediaOf, resultUrlOf, taskTypes, taskTypeWords };

interface Shown {
  readonly row: TaskRow;
  readonly group: unknown;
  readonly page: TaskView | undefined;
  readonly batch: string;
  readonly variant: VariantView;
  readonly variantHtml: string;
  readonly smallHtml: string;
  readonly card: TaskCardView;
  readonly lens: LensState;
  readonly question: string;
  readonly dragged: string | undefined;
  readonly inserted: string;
}

const urlOf = (path: string): string => `page:${path}`;

/** A task of this type that has succeeded, and its file. */
export function probe(type: string, path: string): Shown {
  const task = makeTask({
    intent: { type, prompt: "A pier" },
    submission: accepted({ state: "succeeded" }, { saved: savedAt(path) }),
  });
  const context = { now: 0, locale: "en", urlOf };
  const { task: page } = taskPageSnapshot("id", {
    ...context,
    isGettingResult: false,
    events: "none",
    isRawShown: false,
    saveFolder: "assets",
    nameOf: (file) => file,
    batchSize: 1,
    isSavedGone: false,
    body: undefined,
    find: () => task,
    ledTo: [],
  });
  const variant = variantView(task, { ...context, folder: dirname(path), options: new Map() });
  const cells = { base: "page:", failed: new Set<string>(), playing: undefined } as never;
  return {
    row: taskRow(task, 0, "en"),
    group: groupItem("type", type, ["id"], new Map([["id", task]]), 0).label,
    page,
    batch: batchSummary([task, task], context).states,
    variant,
    variantHtml: htmlOf(wholeMedia(variant, path, { outcome: () => "fits" } as never)),
    smallHtml: htmlOf(resultMedia(variant, { width: 200 }, cells)),
    card: taskCard(task, { ...context, pictureState: () => "fits" }),
    lens: describeState(task),
    question: describeAction({ type: "submit-task", taskType: type, model: "m", prompt: "" } as never),
    dragged: markdownOf(task, "/w/page.md"),
    inserted: writeReference("html", { path, alt: "A pier", kind: mediaOf(type) }),
  };
}

interface ProbedForm {
  readonly hasSize: boolean;
  readonly hasDuration: boolean;
  readonly problems: FieldProblems;
  readonly options: TaskOptions;
  readonly button: string;
}

/** The form for media with every option filled in. */
export function formOf(type: TaskType): ProbedForm {
  const fields = { ...emptyMediaFields(type, "m"), prompt: "p", count: 2, size: "1280x720", duration: "30", seed: "7" };
  return {
    hasSize: takesOption(type, "size"),
    hasDuration: takesOption(type, "duration"),
    problems: problemsOf(fields),
    options: optionsOf(fields),
    button: describeSubmit(taskTypeFacts(type).media, 2),
  };
}

/** The groups of tasks of these types, in their order. */
export function groupsOf(...types: readonly string[]): readonly string[] {
  const tasks = new Map(types.map((type) => [type, makeTask({ intent: { id: type, type } })]));
  return new TaskGroups(() => tasks, { grouping: "type", includes: () => true, now: 0 }).keys;
}

/** Takes a task to the wire and back, through the local gateway's response. */
export function overTheWire(type: TaskType): Readonly<Record<"word" | "type" | "url", string | undefined>> {
  const request = JSON.parse(writeTask({ type, model: "m", prompt: "p" }, "k", "stylized_image")) as {
    readonly task_type: (typeof taskTypeWords)[number];
  };
  const plan = planTask({ type: request.task_type, prompt: "p", seed: 1, now: 0, speed: 1 });
  const account = {
    task: { ...plan, taskId: "t", type: request.task_type, plan, createdAt: 0 },
    end: { state: "succeeded", at: 1 },
  };
  const context = { faults: { take: () => undefined } };
  const services = {
    clock: { now: () => 1e9 },
    dialect: {},
    assets: { link: (_task: string, file: string) => `https://x/${file}` },
  };
  const remote = readTask(taskBody(account as never, context as never, services as never));
  const stored = remoteTaskSchema.parse(JSON.parse(JSON.stringify(remote)));
  return {
    word: request.task_type,
    type: stored.type,
    url: stored.assets?.kind === "assets" ? resultUrlOf(stored.assets, type) : undefined,
  };
}

export function localFile(type: (typeof taskTypeWords)[number], name: string): ReturnType<typeof readResultFile> {
  return readResultFile({ type, prompt: "p", seed: 1, taskId: "t" } as never, name);
}

export function directiveType(word: string): string | undefined {
  return readDirective(`type=${word}`, 0).settings.type;
}

export function typeProblem(): string {
  return describeProblem({ reason: "bad-type", name: "x" });
}

export function sniff(text: string, declared: string): MediaType | undefined {
  return readMediaType(Buffer.from(text, "latin1"), declared);
}

/** Returns where a tool call of a model places the result, relative to the workspace. */
export async function destinationOf(type: string, saveAs: string): Promise<string> {
  const destinations: (string | undefined)[] = [];
  const folder = await createToolFolder({
    tasks: {
      list: () => [],
      get: () => undefined,
      submit([{ destination }]) {
        destinations.push(destination);
        return Promise.resolve([makeTask({ intent: { type }, submission: accepted({}) })]);
      },
    },
  });
  try {
    await folder.run("submit_task", { type, model: "m", prompt: "p", save_as: saveAs });
    return relative(folder.path, destinations[0] ?? "").replaceAll("\\", "/");
  } finally {
    await folder.remove();
  }
}

/** The changes that the file makes in a document that names the expected one. */
export function corrected(expected: string, actual: string): ReturnType<typeof correctReferences> {
  return correctReferences(`<audio src="${expected}">`, expected, actual, "markdown");
}

/** The ending under which bytes that a model answered with are saved. */
export function answerEnding(text: string): string | undefined {
  const data = Buffer.from(text, "latin1").toString("base64");
  const blocks = [{ type: "media", block: 0, mimeType: "", data }];
  return readMedia({ entries: [{ type: "answer", id: "a", blocks }] } as never, { answer: "a", block: 0 })?.ending;
}

/** The markup of a template, without its values. */
function htmlOf(template: unknown): string {
  if (Array.isArray(template)) return template.map(htmlOf).join("");
  if (typeof template !== "object" || template === null || !("strings" in template)) return "";
  const { strings, values } = template as { readonly strings: readonly string[]; readonly values: readonly unknown[] };
  return strings.map((text, index) => text + htmlOf(values[index])).join("");
}

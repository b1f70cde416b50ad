/** States of the task page, the batch page, the money page and the usage page, made by the host's own code. */
import { TimeSlices } from "../../../src/base/async/timeSlices";
import type { Task } from "../../../src/domain/task/task";
import type { BatchPageSnapshot } from "../../../src/tasks/contract/batchPageContract";
import type { TaskPageSnapshot } from "../../../src/tasks/contract/taskPageContract";
import type { MoneyGroup } from "../../../src/domain/task/moneyGroup";
import type { MoneyPageSnapshot } from "../../../src/tasks/contract/moneyPageContract";
import { billId } from "../../../src/gateway/bills";
import { billSentence } from "../../../src/tasks/view/billWords";
import { groupByMoney } from "../../../src/tasks/money";
import { moneyView } from "../../../src/tasks/host/pages/moneyPageView";
import type { UsagePageSnapshot, UsageRange } from "../../../src/tasks/contract/usagePageContract";
import { tokensByDay } from "../../../src/domain/prices/tokenDays";
import { aggregateUsage } from "../../../src/tasks/usage";
import { batchSummary, differencesOf, variantView } from "../../../src/tasks/host/pages/batchPageView";
import { type TaskPageContext, taskPageSnapshot } from "../../../src/tasks/host/pages/taskPageView";
import { usageList } from "../../../src/tasks/host/pages/usageList";
import { accepted, makeTask, savedAt } from "../../support/builders";

const now = new Date(2026, 10, 12, 14, 5, 0).getTime();
const minute = 60_000;
const day = 24 * 60 * minute;
const taskId = "11111111-1111-4111-8111-111111111111";
const urlOf = (path: string): string => `/results/${path.split("/").at(-1) ?? ""}`;

const body = JSON.stringify({
  task_type: 1,
  public_model: "vendor/video-large",
  prompt: "…",
  idempotency_key: "key-1",
  input_assets_json: { image_url: `data:image/png;base64,${"A".repeat(40_000)}` },
  metadata_json: { size: "1280x720", duration: 6, seed: 42, negative_prompt: "people, text, watermarks" },
});

function video(submission: Task["submission"], intent: Partial<Task["intent"]> = {}): Task {
  return makeTask({
    intent: {
      id: taskId,
      model: "vendor/video-large",
      prompt:
        "A lighthouse at dusk, waves breaking on dark rocks, slow dolly in\n\nThe lamp turns once. Light rain; gulls far away.",
      createdAt: now - 3 * minute,
      ...intent,
    },
    submission,
  });
}

const events = [
  {
    id: "e1",
    type: "created",
    state: "created",
    rawStatus: "1",
    message: "Task created, hold opened",
    createdAt: now - 3 * minute + 400,
  },
  {
    id: "e2",
    type: "queued",
    state: "queued",
    rawStatus: "2",
    message: "Waiting for a worker",
    createdAt: now - 3 * minute + 900,
  },
  {
    id: "e3",
    type: "processing",
    state: "processing",
    rawStatus: "3",
    message: "Rendering frames",
    createdAt: now - 2 * minute,
  },
] as const;
const done = {
  id: "e4",
  type: "completed",
  state: "succeeded",
  rawStatus: "4",
  message: "Result stored",
  createdAt: now - minute,
} as const;

const common = {
  at: now - 3 * minute + 300,
  checkedAt: now - 2000,
  holdId: "hold-7f3a",
  requestId: "req-19cc",
  taskId: "task-5521",
};
const running = video(accepted({ state: "processing", rawStatus: "3" }, { ...common, events }));
const succeeded = (savedAs: string | undefined): Task =>
  video(
    accepted(
      {
        state: "succeeded",
        rawStatus: "4",
        createdAt: now - 3 * minute,
        completedAt: now - minute,
        assets: { kind: "assets", videoUrl: "https://x/v.mp4", seed: 42 },
      },
      { ...common, events: [...events, done], ...(savedAs === undefined ? {} : { saved: savedAt(savedAs) }) },
    ),
    { batch: "b1", duplicatedFrom: "22222222-2222-4222-8222-222222222222" },
  );
const failed = video(
  accepted(
    {
      state: "failed",
      rawStatus: "5",
      completedAt: now - minute,
      errorCode: "content_policy",
      errorMessage: "The prompt was refused by the model's filter.",
    },
    { ...common, events, cancel: { state: "too-late", reason: "Takes too long", at: now - minute } },
  ),
);
const lost = { kind: "timed-out", message: "no response within 60 s" } as const;
const unknown = video({ state: "outcome-unknown", error: lost, at: now - minute });
const refused = video({
  state: "not-accepted",
  error: { kind: "insufficient-balance", status: 402, message: "balance too low", requestId: "req-2" },
  at: now - minute,
});
const long = video(
  accepted(
    { state: "processing", rawStatus: "3" },
    {
      ...common,
      events: Array.from({ length: 120 }, (_, index) => ({
        id: `p${index}`,
        type: "progress",
        state: "processing" as const,
        rawStatus: "3",
        message: `Frame ${index + 1} of 240`,
        createdAt: now - 2 * minute + index * 500,
      })),
    },
  ),
  { prompt: `${"Very long prompt. ".repeat(40)}\n${"supercalifragilistic".repeat(20)}` },
);

function taskScene(task: Task | undefined, change: Partial<TaskPageContext> = {}): TaskPageSnapshot {
  return taskPageSnapshot(taskId, {
    now,
    locale: "en-US",
    isGettingResult: false,
    events: "shown",
    isRawShown: false,
    isSavedGone: false,
    saveFolder: "assets",
    nameOf: (file) => file,
    body,
    batchSize: 4,
    find: (id) =>
      id === taskId
        ? task
        : id.startsWith("2222")
          ? makeTask({ intent: { prompt: "a lighthouse at noon" } })
          : undefined,
    ledTo: [1, 2, 3, 4].map((at) =>
      makeTask({
        intent: { id: `3333333${at}-3333-4333-8333-333333333333`, batch: "b2", prompt: "a lighthouse in the fog" },
      }),
    ),
    urlOf,
    ...change,
  });
}

/** Made when they are asked for: the host's words in them are those of the language then. */
export const taskScenes = (): Readonly<Record<string, TaskPageSnapshot>> => ({
  missing: taskScene(undefined),
  running: taskScene(running, { events: "loading", batchSize: 1 }),
  "succeeded-picture": taskScene(succeeded("/results/picture-1.svg"), { isRawShown: true }),
  "succeeded-video": taskScene(succeeded("/results/clip.mp4")),
  "succeeded-other": taskScene(succeeded("/results/result.bin")),
  "succeeded-large": taskScene(succeeded("/results/huge.png")),
  "succeeded-damaged": taskScene(succeeded("/results/broken.png")),
  "succeeded-gone": taskScene(succeeded("/results/gone.png")),
  "succeeded-remote": taskScene(succeeded(undefined)),
  "succeeded-loading": taskScene(succeeded(undefined), { isGettingResult: true }),
  failed: taskScene(failed, { events: "failed" }),
  unknown: taskScene(unknown),
  refused: taskScene(refused),
  long: taskScene(long),
});

function batchTasks(count: number): Task[] {
  return Array.from({ length: count }, (_, index) => {
    const id = `33333333-3333-4333-8333-${String(index).padStart(12, "0")}`;
    const at = now - 10 * minute;
    const remote =
      index % 7 === 3
        ? ({ state: "processing", rawStatus: "3" } as const)
        : index % 7 === 5
          ? ({ state: "failed", rawStatus: "5", completedAt: at + minute } as const)
          : ({
              state: "succeeded",
              rawStatus: "4",
              createdAt: at,
              completedAt: at + 41_000 + index * 1000,
              assets: { kind: "assets", imageUrl: "https://x/i.png", seed: 1000 + index },
            } as const);
    const saved =
      remote.state === "succeeded" && index % 7 !== 6 ? { saved: savedAt(`/results/made-${index % 12}.png`) } : {};
    const marks = index % 7 === 1 ? { choice: "kept", rating: 4 } : index % 7 === 4 ? { choice: "rejected" } : {};
    return makeTask({
      intent: {
        id,
        batch: "b1",
        type: "async-image",
        model: "vendor/image",
        prompt: `Poster of a lighthouse, variant ${index + 1}`,
        createdAt: at,
      },
      submission: accepted(remote, { at, checkedAt: now, holdId: `hold-${index}`, ...saved, ...marks }),
    });
  });
}

function batchScene(tasks: readonly Task[], change: Partial<BatchPageSnapshot> = {}): BatchPageSnapshot {
  const sizes = ["1024x1024", "768x512"];
  const options = Object.fromEntries(
    tasks.map(({ intent }, index) => [intent.id, [{ name: "size", value: sizes[index % 2] ?? "" }]]),
  );
  const known = new Map(Object.entries(options));
  const differences = differencesOf(tasks, known);
  const context = { now, locale: "en-US", folder: "/results", options: known, differences };
  return {
    subject: "b1",
    base: "/results",
    folder: "file:///results",
    summary: batchSummary(tasks, context),
    variants: tasks.map((task) => variantView(task, context)),
    isGettingResults: false,
    options,
    ...change,
  };
}

export const batchScenes = (): Readonly<Record<string, BatchPageSnapshot>> => ({
  "none-left": batchScene([]),
  one: batchScene(batchTasks(1)),
  twelve: batchScene(batchTasks(12)),
  hundred: batchScene(batchTasks(100), { isGettingResults: true }),
});

/** A few tasks on most days, of all outcomes. */
export function usageTasks(days: number): Task[] {
  const tasks: Task[] = [];
  for (let back = days - 1; back >= 0; back -= 1) {
    const count = back % 6 === 5 ? 0 : 3 + ((back * 7) % 11);
    for (let index = 0; index < count; index += 1) {
      const at = now - back * day - index * 9 * minute;
      const kind = (back + index) % 9;
      const remote =
        kind === 1
          ? ({ state: "failed", rawStatus: "5", completedAt: at + minute } as const)
          : kind === 4
            ? ({ state: "cancelled", rawStatus: "6", completedAt: at + minute } as const)
            : back === 0 && kind === 2
              ? ({ state: "processing", rawStatus: "3" } as const)
              : ({
                  state: "succeeded",
                  rawStatus: "4",
                  createdAt: at,
                  completedAt: at + 30_000 + ((index * 7919) % 90) * 1000,
                } as const);
      const intent = {
        id: `44444444-4444-4444-8444-${String(tasks.length).padStart(12, "0")}`,
        type: index % 3 === 0 ? ("video" as const) : ("async-image" as const),
        model: index % 3 === 0 ? "vendor/video-large" : "vendor/image-fast",
        prompt: `Poster ${index + 1} for the harbour festival`,
        createdAt: at,
      };
      const submission =
        kind === 7
          ? ({ state: "not-accepted", error: { kind: "rejected", status: 400, message: "no" }, at } as const)
          : accepted(remote, { at, checkedAt: at + 2 * minute, holdId: "h" });
      tasks.push(makeTask({ intent, submission }));
    }
  }
  return tasks;
}

const usedTokens = tokensByDay(
  [0, 1, 3].flatMap((back) => [
    { at: now - back * 86_400_000, model: "claude-opus-5", input: 1_204_000 + back, output: 35_600, cached: 1_090_000 },
    { at: now - back * 86_400_000, model: "gpt-6", input: 52_000, output: 4100, cached: 0 },
  ]),
);

const usedPrices = [{ model: "claude-*", input: 5, cacheRead: 0.5, output: 25 }];

/** One task of each kind that is to be checked, and one whose hold the gateway has not named. */
export const moneyTasks = {
  lost: makeTask({
    intent: { id: moneyId(1) },
    submission: { state: "outcome-unknown", error: lost, at: now - minute },
  }),
  failed: makeTask({
    intent: { id: moneyId(2), prompt: "A poster that the gateway gave up" },
    submission: accepted({ state: "failed", rawStatus: "5", completedAt: now - minute }, { holdId: "hold-2" }),
  }),
  twice: makeTask({
    intent: { id: moneyId(3), prompt: "A poster that was made twice" },
    submission: accepted(
      { state: "succeeded", rawStatus: "4", completedAt: now - minute },
      { holdId: "hold-3", others: [{ taskId: "another-task", holdId: "hold-4", at: now - minute }] },
    ),
  }),
  notNamed: makeTask({
    intent: { id: moneyId(4), prompt: "A poster without a hold" },
    submission: accepted({ state: "processing", rawStatus: "3" }),
  }),
};

function moneyId(number: number): string {
  return `55555555-5555-4555-8555-${String(number).padStart(12, "0")}`;
}

/** What the page says of counts that do not fit. */
export function moneyFindings(): NonNullable<MoneyPageSnapshot["findings"]> {
  const of = { origin: "https://gateway.example", judged: 14, out: 14, rows: [] };
  const findings = [
    { ...of, check: "cache", model: "vendor/a-model-with-a-rather-long-name-2026-11-12" },
    { ...of, check: "charge", model: "", judged: 3, out: 3 },
  ] as const;
  return findings.map((one) => ({ id: billId(one), sentence: billSentence(one) }));
}

export async function moneyScene(tasks: readonly Task[], group: MoneyGroup): Promise<MoneyPageSnapshot> {
  const context = { now, locale: "en-US", notRead: 0 };
  return { group, money: moneyView(await groupByMoney(tasks, new TimeSlices()), group, context) };
}

export async function usageScene(
  tasks: readonly Task[],
  range: UsageRange,
  listed?: number,
): Promise<UsagePageSnapshot> {
  const slices = new TimeSlices(new AbortController().signal);
  const usage = await aggregateUsage(tasks, { days: range, now, slices });
  const start = listed === undefined ? undefined : usage.days.at(listed)?.start;
  return {
    range,
    usage,
    tokens: tasks.length === 0 ? [] : usedTokens,
    cap: 15,
    prices: { source: "your-list", currency: "USD", entries: usedPrices },
    ...(start === undefined ? {} : { list: usageList(tasks, start) }),
  };
}

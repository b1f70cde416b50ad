/**
 * Remembers which task types a gateway's account may use (T3): learnt from the outcomes of submissions, never by asking the gateway, which would be
 * paid.
 */
import * as z from "zod/mini";
import type { Disposable } from "../../base/disposable";
import { cutText } from "../../base/text/cutText";
import type { AppError } from "../../domain/errors/appError";
import { isTaskType, type Task, type TaskType, taskTypes } from "../../domain/task/task";
import { momentSchema } from "../../base/momentSchema";
import type { TaskBoard } from "../board/board";

const knownSchema = z.discriminatedUnion("state", [
  /** `at`: when a task of this type was last accepted. */
  z.object({ state: z.literal("enabled"), at: momentSchema, isSetByHand: z.exactOptional(z.literal(true)) }),
  /** `message` is the gateway's. */
  z.object({
    state: z.literal("not-enabled"),
    at: momentSchema,
    message: z.string(),
    isSetByHand: z.exactOptional(z.literal(true)),
  }),
]);
const memorySchema = z.object({
  known: z._default(z.partialRecord(z.enum(taskTypes), knownSchema), {}),
});

export type AvailabilityMemory = z.infer<typeof memorySchema>;
export type Availability = { readonly state: "unknown" } | z.infer<typeof knownSchema>;

export interface AvailabilityOptions {
  readonly board: Pick<TaskBoard, "all" | "onDidChange">;
  /** The memory by origin; what is read may have any shape. */
  readonly memory: { read(origin: string): unknown; write(origin: string, memory: AvailabilityMemory): void };
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export class TaskTypeAvailability implements Disposable {
  readonly #options: AvailabilityOptions;
  readonly #registration: Disposable;

  constructor(options: AvailabilityOptions) {
    this.#options = options;
    this.#learn(options.board.all.values());
    this.#registration = options.board.onDidChange((ids) => {
      this.#learn([...ids].flatMap((id) => options.board.all.get(id) ?? []));
    });
  }

  of(origin: string, type: TaskType): Availability {
    return this.#memory(origin).known[type] ?? { state: "unknown" };
  }

  /** Sets what the person states, for example from the console; a later outcome replaces it. `undefined`: not stated. */
  setByHand(origin: string, type: TaskType, isEnabled: boolean | undefined): void {
    if (isEnabled === undefined) {
      const { [type]: _, ...known } = this.#memory(origin).known;
      this.#options.memory.write(origin, { ...this.#memory(origin), known });
      return;
    }
    const at = this.#options.now();
    const set = { at, isSetByHand: true } as const;
    this.#set(origin, {
      [type]: isEnabled ? { state: "enabled", ...set } : { state: "not-enabled", message: "", ...set },
    });
  }

  dispose(): void {
    this.#registration.dispose();
  }

  /** Learns from tasks with one write for each origin, however many tasks are looked at. */
  #learn(tasks: Iterable<Task>): void {
    const news = new Map<string, Partial<Record<TaskType, z.infer<typeof knownSchema>>>>();
    for (const task of tasks) {
      const proof = proofIn(task);
      if (!proof) continue;
      const { home, type } = task.intent;
      if (!isTaskType(type)) continue;
      const known = news.get(home.origin)?.[type] ?? this.of(home.origin, type);
      if (known.state !== "unknown" && known.at >= proof.at) continue;
      news.set(home.origin, { ...news.get(home.origin), [type]: proof });
    }
    for (const [origin, known] of news) this.#set(origin, known);
  }

  #set(origin: string, known: AvailabilityMemory["known"]): void {
    const memory = this.#memory(origin);
    this.#options.memory.write(origin, { ...memory, known: { ...memory.known, ...known } });
  }

  #memory(origin: string): AvailabilityMemory {
    const read = memorySchema.safeParse(this.#options.memory.read(origin) ?? {});
    return read.success ? read.data : { known: {} };
  }
}

/** What the outcome of a submission shows about its type. */
function proofIn({ intent, submission }: Task): z.infer<typeof knownSchema> | undefined {
  if (intent.isWatched) return undefined;
  switch (submission.state) {
    case "accepted":
      return { state: "enabled", at: submission.at };
    case "not-accepted":
      return refusal(submission.error, submission.at);
    case "outcome-unknown":
      return submission.reconcile?.state === "failed"
        ? refusal(submission.reconcile.error, submission.reconcile.at)
        : undefined;
    case "prepared":
    case "sending":
      return undefined;
  }
}

function refusal(error: AppError, at: number): z.infer<typeof knownSchema> | undefined {
  if (error.kind !== "not-enabled") return undefined;
  return { state: "not-enabled", at, message: cutText(error.message, 300) };
}

/**
 * The tasks as a tool may use them: submit, look, cancel. Money is decided behind this port, as for a person's own submission. Below it: the data
 * type of dragged tasks, and the accounts that have tasks.
 */
import type { AppError } from "../errors/appError";
import type { Price } from "../prices/priceList";
import type { Task, TaskHome, TaskState, TaskType, TaskOrder } from "./task";

/** The outcome of one cancel, by its response and a read after it. */
export type CancelOutcome =
  | { readonly state: "confirmed" }
  /** The submission had not been sent, or was refused: there is no task. */
  | { readonly state: "no-task" }
  /** The submission is not sent again, and whether there is a task is as unknown as before. */
  | { readonly state: "still-unknown" }
  /** The cancel was requested and the task still runs: a later read will show how it ends. */
  | { readonly state: "open" }
  /** The task had ended before the cancel arrived; what succeeded is charged. */
  | { readonly state: "too-late"; readonly ended: TaskState }
  /** `isSeenRunning`: a read after it shows that the task goes on. */
  | { readonly state: "refused"; readonly error: AppError; readonly isSeenRunning: boolean }
  /** The outcome is not known, or nothing was sent. */
  | { readonly state: "failed"; readonly error: AppError };

export interface ReferenceImage {
  /** The name that the person is shown. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The order of a tool: its images are bytes, and its place is a path. */
export interface WantedTask extends Pick<
  TaskOrder,
  "type" | "model" | "prompt" | "metadata" | "orderedAs" | "isRehearsal"
> {
  readonly references?: readonly ReferenceImage[];
  /** The absolute path of the result in the project, without the ending, which its type gives it. */
  readonly destination?: string;
  /** The gateway and account that the question named. Nothing is sent where the task would go to another. */
  readonly home: TaskHome;
}

/** The gateway to which a task of a type would go now. */
export interface TaskTarget {
  readonly home: TaskHome;
  /** The gateway that ships inside: nothing is paid. */
  readonly isLocal: boolean;
  /** Whether the account may use the type, by what became of earlier submissions or what the person has set (T3). */
  readonly type: "enabled" | "unknown" | "not-enabled";
  /** The gateway's words for why the type is not enabled. */
  readonly refusal?: string;
}

/** A model that makes tasks of these types. */
export interface TaskModel {
  readonly id: string;
  readonly types: readonly TaskType[];
}

export interface TaskPicture {
  readonly bytes: Uint8Array;
  /** The task was given reference images, or whether it was is not known. */
  readonly isFromImages: boolean;
}

/** `isDone`: it has ended, and a result for the project is there, was refused, or is not fetched without a person any more. */
export interface OrderedTask {
  readonly task: Task;
  readonly isDone: boolean;
}

export interface TaskPort {
  /**
   * Finds where a task would go; nothing is sent. A rehearsal goes to the local gateway, whichever is in use. Rejects with an `AppFailure` where no
   * gateway can be used, or with an abort.
   */
  target(type: TaskType, signal: AbortSignal, isRehearsal?: boolean): Promise<TaskTarget>;
  /** The price by the list of the gateway, else by the person's. `undefined` where neither has one, and where nothing is paid. */
  priceOf(order: WantedTask): Price | undefined;
  /** Whether the person has set a cap on the money of a day. */
  readonly isMoneyCapped: () => boolean;
  /** The models that the gateway lists and the person has set, for the origin in use; empty where nothing is known. */
  models(): { readonly origin: string; readonly list: readonly TaskModel[] };
  /**
   * Writes each intent to disk, sends it once and resolves with the tasks when each submission has an outcome. Rejects
   * with an `AppFailure` when nothing was sent, as when all of them together exceed the person's cap. Where the signal aborts before a
   * request has begun, it is not sent. All are for the gateway and account of the first one.
   */
  submit(orders: readonly [WantedTask, ...WantedTask[]], signal: AbortSignal): Promise<readonly Task[]>;
  /** Whether the result of a task that has not ended goes to this path, without its ending. */
  isReserved(path: string): boolean;
  /** Bytes of one reference image. */
  referenceLimit(): number;
  /** Whether the first bytes are those of an image, and its size is within the limit. */
  isImage(image: ReferenceImage): boolean;
  /** The state of its money by evidence, in English for a model. */
  moneyOf(task: Task): string;
  /** Whether the file of a task that has succeeded could not be fetched; `given-up`: only a person fetches it now. */
  fetchProblemOf(task: Task): "retried" | "given-up" | undefined;
  /** The task as it was last read from the service. */
  get(id: string): Task | undefined;
  /** The tasks that were ordered under that id, whatever gateway they went to; an order of several copies is several tasks. */
  ordered(orderedAs: string): readonly OrderedTask[];
  /**
   * Whether all tasks of this machine have been read, so that what is not among them was never submitted. Waits for those that are being read; never
   * rejects.
   */
  knowsAll(): Promise<boolean>;
  /** Resolves with the task when it is done as an `OrderedTask` is, or as it is after so many milliseconds. Rejects only with an abort. */
  untilEnded(id: string, milliseconds: number, signal: AbortSignal): Promise<Task | undefined>;
  /**
   * The bytes of the task's picture, or of the thumbnail of its video, from this machine; fetched first where that is done unasked. Rejects only with
   * an abort.
   */
  picture(task: Task, signal: AbortSignal): Promise<TaskPicture | undefined>;
  /**
   * Copies the result of a task to a path without ending, which its type gives it. Resolves with the file, or with `undefined` where
   * another file is there, which stays. Rejects with an `AppFailure` or with the file system's error.
   */
  save(task: Task, path: string): Promise<string | undefined>;
  /** Oldest first. */
  list(): readonly Task[];
  /** Never rejects. */
  cancel(id: string, reason: string): Promise<CancelOutcome>;
}

// The type of dragged data that carries ids of tasks within a window, as JSON. When they are dropped into Markdown, the tasks become pictures.

export const draggedTasks = "application/vnd.sluice.tasks";

// Lists the accounts of a gateway that have tasks, for the question whose key was set (C2).

export interface AccountTasks {
  readonly id: string;
  readonly count: number;
  /** The time of the newest task; milliseconds since 1970. */
  readonly lastAt: number;
}

/** The one with the newest task first. `resolve`: the account that a stored id means now. */
export function countAccounts(
  tasks: Iterable<Task>,
  origin: string,
  resolve: (account: string) => string,
): readonly AccountTasks[] {
  const accounts = new Map<string, AccountTasks>();
  for (const { intent } of tasks) {
    if (intent.home.origin !== origin) continue;
    const id = resolve(intent.home.account);
    const known = accounts.get(id);
    const lastAt = Math.max(known?.lastAt ?? intent.createdAt, intent.createdAt);
    accounts.set(id, { id, count: (known?.count ?? 0) + 1, lastAt });
  }
  return [...accounts.values()].sort((one, other) => other.lastAt - one.lastAt);
}

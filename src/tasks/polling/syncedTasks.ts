/**
 * Running tasks that a person's other machines may watch (T14), as a list that VS Code's Settings Sync carries: what names a task and nothing
 * that could submit one. Each machine writes its own part of the list.
 */
import * as z from "zod/mini";
import type { Clock } from "../../base/clock";
import { Coalescer } from "../../base/async/serialQueue";
import { type Disposable, DisposableStore } from "../../base/disposable";
import { isLoopback } from "../../domain/gateway/address";
import { acceptedOf, isRunning } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";
import { momentSchema } from "../../base/momentSchema";
import type { TaskBoard } from "../board/board";
import { cutLabel } from "../../domain/words/label";
import { isTaskId } from "./watch";

/** The other machine may run another version, or not be trusted: only the parts that do not fit are left out. */
const syncedTask = z.object({
  taskId: z.string().check(z.refine(isTaskId)),
  /** Of the gateway. */
  origin: z.string().check(z.maxLength(300)),
  type: z.string().check(z.maxLength(100)),
  model: z.string().check(z.maxLength(200)),
  /** The first words of the prompt. */
  words: z.string().check(z.maxLength(100)),
  /** Milliseconds since 1970. */
  createdAt: momentSchema,
});

export type SyncedTask = z.infer<typeof syncedTask>;

export interface SyncedTasksPorts {
  readonly board: Pick<TaskBoard, "listed" | "onDidChange">;
  readonly clock: Clock;
  /** Names this machine among the others. */
  readonly machine: string;
  /** What Settings Sync carries. */
  readonly memory: { read(): unknown; write(value: unknown): void; setSynced(isSynced: boolean): void };
  /** The setting. */
  readonly isOn: () => boolean;
}

const maxTasks = 20;
/** Machines that are carried: one that is given away never takes its part back. */
const maxMachines = 10;
/** Characters of a machine's name, and of a prompt's first words. */
const maxNameLength = 100;
const maxWordsLength = 40;
/** Milliseconds; all changes within this time are one write. */
const writeDelay = 5_000;

export class SyncedTasks implements Disposable {
  readonly #ports: SyncedTasksPorts;
  readonly #registrations = new DisposableStore();
  #isSynced: boolean | undefined;

  constructor(ports: SyncedTasksPorts) {
    this.#ports = ports;
    const { board, clock } = ports;
    const changes = this.#registrations.add(
      new Coalescer<string>({ clock, delay: writeDelay, flush: () => this.update() }),
    );
    this.#registrations.add(board.onDidChange((ids) => changes.add(ids)));
    this.update();
  }

  /** Also when the setting has changed. */
  update(): void {
    const { board, machine, memory, isOn } = this.#ports;
    const on = isOn();
    if (on !== this.#isSynced) memory.setSynced(on);
    this.#isSynced = on;
    const own = on ? syncedOf(board.listed.values()) : [];
    const others = readSynced(memory.read());
    // Read each time: a write of another machine replaces the whole list, this machine's part too.
    const before = others.get(machine) ?? [];
    if (JSON.stringify(before) === JSON.stringify(own)) return;
    others.delete(machine);
    const kept = [...others].slice(0, maxMachines - 1);
    memory.write(Object.fromEntries(own.length > 0 ? [...kept, [machine, own]] : kept));
  }

  /** Those of other machines that have no row here, the newest first. */
  fromElsewhere(origin: string): readonly SyncedTask[] {
    const { board, machine, memory, isOn } = this.#ports;
    if (!isOn()) return [];
    const known = new Set([...board.listed.values()].flatMap((task) => acceptedOf(task)?.taskId ?? []));
    return [...readSynced(memory.read())]
      .flatMap(([name, tasks]) => (name === machine ? [] : tasks))
      .filter((task) => task.origin === origin && !known.has(task.taskId))
      .sort((one, other) => other.createdAt - one.createdAt);
  }

  dispose(): void {
    this.#registrations.dispose();
  }
}

/** The newest running tasks of gateways that another machine can reach. */
function syncedOf(tasks: Iterable<Task>): readonly SyncedTask[] {
  return [...tasks]
    .flatMap((task): SyncedTask[] => {
      if (!isRunning(task) || isOfThisMachine(task.intent.home.origin)) return [];
      const { intent, submission } = task;
      const { type, model, prompt, createdAt, home } = intent;
      const words = cutLabel(prompt, maxWordsLength);
      const synced = { taskId: submission.taskId, origin: home.origin, type, model, words, createdAt };
      // One that no machine would take is not worth a place.
      return syncedTask.safeParse(synced).success ? [synced] : [];
    })
    .sort((one, other) => other.createdAt - one.createdAt)
    .slice(0, maxTasks);
}

/** The gateway that ships inside has no address for an origin. */
function isOfThisMachine(origin: string): boolean {
  return !URL.canParse(origin) || isLoopback(new URL(origin));
}

/** By machine, the one with the newest task first. */
function readSynced(value: unknown): Map<string, readonly SyncedTask[]> {
  if (typeof value !== "object" || value === null) return new Map();
  const parts = Object.entries(value).flatMap(([name, tasks]): [string, readonly SyncedTask[]][] => {
    if (name.length > maxNameLength || !Array.isArray(tasks)) return [];
    const read = (tasks as unknown[]).slice(0, maxTasks).flatMap((task) => syncedTask.safeParse(task).data ?? []);
    return read.length > 0 ? [[name, read]] : [];
  });
  const newest = (tasks: readonly SyncedTask[]): number => Math.max(...tasks.map(({ createdAt }) => createdAt));
  return new Map(parts.sort(([, one], [, other]) => newest(other) - newest(one)));
}

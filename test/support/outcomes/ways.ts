/** What may happen to one create request on its way, by name; drawn for each request of the random outcomes. */
import { type AppError, AppFailure } from "../../../src/domain/errors/appError";
import type { CreatedTask } from "../../../src/domain/task/task";
import type { FaultyDatabase } from "../faultyDatabase";
import { seeded } from "../seeded";

export interface Named {
  readonly name: string;
  /** How often it is drawn, compared with the others; 1 where it is missing. */
  readonly weight?: number;
}

/** Everything that is left to chance, by one seed; it counts what it has drawn by name. */
export class Draws {
  readonly counts: Map<string, number>;
  readonly #random: (bound: number) => number;

  constructor(seed: number, counts = new Map<string, number>()) {
    this.#random = seeded(seed);
    this.counts = counts;
  }

  /** A number from 0 to below the bound. */
  number(bound: number): number {
    return this.#random(bound);
  }

  one<T>(list: readonly T[]): T {
    return list[this.#random(list.length)]!;
  }

  shuffled<T>(list: readonly T[]): readonly T[] {
    const left = [...list];
    return list.map(() => left.splice(this.#random(left.length), 1)[0]!);
  }

  /** One of the list by its weight. */
  named<T extends Named>(list: readonly T[]): T {
    let at = this.#random(list.reduce((sum, { weight = 1 }) => sum + weight, 0));
    const drawn = list.find(({ weight = 1 }) => (at -= weight) < 0)!;
    this.counts.set(drawn.name, (this.counts.get(drawn.name) ?? 0) + 1);
    return drawn;
  }

  list<T extends Named>(length: number, list: readonly T[]): T[] {
    return Array.from({ length }, () => this.named(list));
  }
}

/** A create request under way, and what can happen to it. */
export interface OnItsWay {
  readonly draws: Draws;
  /** The disk of the window that has sent it. */
  readonly disk: FaultyDatabase;
  fillDisk(): void;
  /** The gateway makes the task, or finds it by its key. */
  forward(): Promise<CreatedTask>;
  refuse(error: AppError): Promise<never>;
  /** Another task, where the gateway has made one of this key before. */
  other(): string | undefined;
}

export interface Way extends Named {
  readonly send: (request: OnItsWay) => Promise<CreatedTask>;
}

const refusals: readonly AppError[] = [
  { kind: "rate-limited", message: "slow down", status: 429, retryAfterMs: 1000 },
  { kind: "unauthorized", message: "no", status: 401 },
  { kind: "insufficient-balance", message: "too low", status: 402 },
  { kind: "forbidden", message: "no", status: 403 },
  { kind: "not-found", message: "a web page", status: 404 },
  { kind: "conflict", message: "in flight", status: 409 },
  { kind: "rejected", message: "unknown field", status: 400 },
  { kind: "unreachable", message: "refused", notSent: true },
];

export const ways: readonly Way[] = [
  { name: "request: answered", weight: 5, send: (request) => request.forward() },
  {
    name: "request: lost before it arrived",
    send: () => Promise.reject(new AppFailure({ kind: "unreachable", message: "reset" })),
  },
  {
    name: "request: answer lost",
    async send(request) {
      await request.forward();
      throw new AppFailure({ kind: "timed-out", message: "no answer" });
    },
  },
  {
    name: "request: window killed before it arrived",
    send({ disk }) {
      disk.kill();
      return never();
    },
  },
  {
    name: "request: window killed before the answer",
    async send(request) {
      await request.forward();
      request.disk.kill();
      return never();
    },
  },
  {
    name: "request: disk full when the answer comes",
    async send(request) {
      const created = await request.forward();
      request.fillDisk();
      return created;
    },
  },
  { name: "request: refused", weight: 3, send: (request) => request.refuse(request.draws.one(refusals)) },
  {
    name: "request: answered with another task's id",
    async send(request) {
      const other = request.other();
      const created = await request.forward();
      return other === undefined ? created : { ...created, taskId: other, holdId: `hold of ${other}`, replayed: true };
    },
  },
];

export function never(): Promise<never> {
  return new Promise(() => undefined);
}

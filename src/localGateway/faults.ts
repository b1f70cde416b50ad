/** Faults on demand: each has a name from the table below and is armed per route and for so many times. */
import * as z from "zod/mini";
import { invalidRequest } from "./errors";
import { readWire } from "./reading";

/** One switch. A new one is a line below and the place that takes it. */
export interface FaultKind<T> {
  readonly name: string;
  readonly does: string;
  readonly value: z.ZodMiniType<T>;
}

function kind<T>(name: string, does: string, value: z.ZodMiniType<T>): FaultKind<T> {
  return { name, does, value };
}

const nothing: z.ZodMiniType = z.unknown();
const status = z.object({
  status: z.int().check(z.minimum(200), z.maximum(599)),
  headers: z.optional(z.record(z.string(), z.string())),
  /** Text is sent as HTML, anything else as JSON; missing: the gateway's own error shape. */
  body: z.optional(z.unknown()),
});
const chunkCount: z.ZodMiniType<number> = z._default(z.int().check(z.nonnegative()), 3);

export const faultKinds = {
  httpStatus: kind("http.status", "answers with this status, headers and body, and does nothing", status),
  httpHang: kind("http.hang", "takes the request and never answers", nothing),
  httpEmpty200: kind("http.empty-200", "answers 200 with no byte of body, and does nothing", nothing),
  taskLost202: kind("task.lost-202", "makes the task, then cuts the line before the first byte of the answer", nothing),
  endCut: kind("end.cut", "cuts the line of a stream after so many content chunks", chunkCount),
  endNoDone: kind("end.no-done", "ends a stream without [DONE]", nothing),
  sseDrip: kind("sse.drip", "sends a stream one byte at a time", nothing),
} as const;

export const faultTable: readonly FaultKind<unknown>[] = Object.values(faultKinds);

export interface Fault {
  /** From the table. */
  readonly name: string;
  /** As routes are named: `POST /v1/tasks`, `GET /v1/tasks/{task_id}`. Missing: every route under /v1. */
  readonly route?: string;
  /** Missing: until it is cleared. */
  readonly times?: number;
  readonly value?: unknown;
}

const faultSchema = z.object({
  name: z.string(),
  route: z.optional(z.string()),
  times: z.optional(z.int().check(z.positive())),
  value: z.optional(z.unknown()),
});

export class FaultSwitches {
  #armed: readonly Fault[] = [];

  constructor(faults: readonly Fault[] = []) {
    for (const fault of faults) this.arm(fault);
  }

  /** Throws a 400 for a fault that is not in the table or whose value does not fit. */
  arm(fault: unknown): Fault {
    const { name, route, times, value } = readWire(faultSchema, fault);
    const known = faultTable.find((entry) => entry.name === name);
    if (known === undefined) throw invalidRequest(`There is no fault ${name}.`, "name");
    if (!known.value.safeParse(value).success) {
      throw invalidRequest(`The value does not fit: ${name} ${known.does}.`, "value");
    }
    const armed: Fault = {
      name,
      ...(route === undefined ? {} : { route }),
      ...(times === undefined ? {} : { times }),
      ...(value === undefined ? {} : { value }),
    };
    this.#armed = [...this.#armed, armed];
    return armed;
  }

  clear(): void {
    this.#armed = [];
  }

  get armed(): readonly Fault[] {
    return this.#armed;
  }

  /** Uses up one time of the first fault of that kind that is armed for the route. */
  take<T>({ name, value }: FaultKind<T>, route: string): { readonly value: T } | undefined {
    const fault = this.#armed.find((armed) => armed.name === name && fits(armed, route));
    if (fault === undefined) return undefined;
    this.#armed = this.#armed.flatMap((armed) => {
      if (armed !== fault || armed.times === undefined) return [armed];
      return armed.times > 1 ? [{ ...armed, times: armed.times - 1 }] : [];
    });
    return { value: value.parse(fault.value) };
  }
}

function fits({ route }: Fault, asked: string): boolean {
  return route === undefined ? asked.includes(" /v1/") : route === asked;
}

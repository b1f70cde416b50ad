/** Faults on demand: each has a name from the table and is armed per route, for the nth request, by chance, for so many times. */
import * as z from "zod/mini";
import { definedFields } from "../../base/definedFields";
import { invalidRequest } from "../http/httpError";
import type { FaultKind } from "./faultKind";
import { faultTable } from "./faultTable";
import { readWire } from "../http/readWire";
import { createRandom, type SeededRandom } from "../demo/seededRandom";

export interface Fault {
  /** From the table. */
  readonly name: string;
  /** As routes are named: `POST /v1/tasks`, `GET /v1/tasks/{task_id}`. Missing: every route that the fault can act on. */
  readonly route?: string;
  /** Missing: until it is cleared. */
  readonly times?: number;
  /** Begins with the nth request that it fits, 1 being the next. */
  readonly nth?: number;
  /** From 0 to 1: how likely it strikes a request that it fits. */
  readonly chance?: number;
  /** Of the chance: the same seed strikes the same requests. */
  readonly seed?: number;
  readonly value?: unknown;
}

const faultSchema = z.object({
  name: z.string(),
  route: z.optional(z.string()),
  times: z.optional(z.int().check(z.positive())),
  nth: z.optional(z.int().check(z.positive())),
  chance: z.optional(z.number().check(z.minimum(0), z.maximum(1))),
  seed: z.optional(z.int()),
  value: z.optional(z.unknown()),
});

/** Each is looked at with each request. */
const mostArmed = 1_000;

interface ArmedFault {
  readonly fault: Fault;
  readonly random: SeededRandom;
  /** Requests that it fitted so far. */
  seen: number;
  left: number;
}

export class FaultSwitches {
  #armed: readonly ArmedFault[] = [];

  constructor(faults: readonly Fault[] = []) {
    for (const fault of faults) this.arm(fault);
  }

  /** Throws a 400 for a fault that is not in the table or whose value does not fit. */
  arm(given: unknown): Fault {
    const fault = readFault(given);
    if (this.#armed.length >= mostArmed) throw invalidRequest("No more faults can be armed; clear them first.");
    const { times = Infinity, seed = 1 } = fault;
    this.#armed = [...this.#armed, { fault, random: createRandom(seed), seen: 0, left: times }];
    return fault;
  }

  clear(): void {
    this.#armed = [];
  }

  /** With what is left of `times`. */
  get armed(): readonly Fault[] {
    return this.#armed.map(({ fault, left }) => (fault.times === undefined ? fault : { ...fault, times: left }));
  }

  /** Uses up one time of the first fault of that kind that is armed for the route. */
  take<T>(kind: FaultKind<T>, route: string): { readonly value: T } | undefined {
    for (const armed of this.#armed) {
      if (armed.fault.name !== kind.name || !matchesRoute(armed.fault, route) || !isTriggered(armed)) continue;
      armed.left -= 1;
      if (armed.left <= 0) this.#armed = this.#armed.filter((other) => other !== armed);
      return { value: kind.value.parse(armed.fault.value) };
    }
    return undefined;
  }
}

/** The faults of one request: those of its own header, then those that are armed. However often one is asked for, it counts once. */
export class RequestFaults {
  readonly #switches: FaultSwitches;
  readonly #route: string;
  readonly #own = new FaultSwitches();
  readonly #taken = new Map<string, { readonly value: unknown } | undefined>();
  readonly #tell: (names: readonly string[]) => void;

  /** `tell` hears the names of all that have acted, each time there is one more. */
  constructor(switches: FaultSwitches, route: string, tell: (names: readonly string[]) => void) {
    this.#switches = switches;
    this.#route = route;
    this.#tell = tell;
  }

  /** From `X-Gateway-Fault`: `name` or `name=value`, for this request alone. */
  armOwn(header: string): void {
    this.#own.arm(readFaultText(header));
    this.#taken.clear();
  }

  take<T>(kind: FaultKind<T>): { readonly value: T } | undefined {
    if (!this.#taken.has(kind.name)) {
      const taken = this.#own.take(kind, this.#route) ?? this.#switches.take(kind, this.#route);
      this.#taken.set(kind.name, taken);
      if (taken !== undefined) this.#tell([...this.#taken].flatMap(([name, one]) => (one === undefined ? [] : [name])));
    }
    const taken = this.#taken.get(kind.name);
    return taken === undefined ? undefined : { value: kind.value.parse(taken.value) };
  }
}

/** `name` or `name=value`; a value that is no JSON is a text. */
export function readFaultText(text: string): Fault {
  const at = text.indexOf("=");
  const name = (at === -1 ? text : text.slice(0, at)).trim();
  return readFault(at === -1 ? { name } : { name, value: readValue(text.slice(at + 1).trim()) });
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function readFault(given: unknown): Fault {
  const { name, ...more } = readWire(faultSchema, given);
  const known = faultTable.find((entry) => entry.name === name);
  if (known === undefined) throw invalidRequest(`There is no fault ${name}.`, "name");
  if (!known.value.safeParse(more.value).success) {
    throw invalidRequest(`The value does not fit: ${name} ${known.does}.`, "value");
  }
  const { route, times, nth, chance, seed, value } = more;
  return {
    name,
    ...definedFields({ route, times, nth, chance, seed, value }),
  };
}

function matchesRoute({ route }: Fault, asked: string): boolean {
  return route === undefined ? !asked.includes(" /_local/") || asked.includes(" /_local/assets/") : route === asked;
}

function isTriggered(armed: ArmedFault): boolean {
  armed.seen += 1;
  const { nth = 1, chance = 1 } = armed.fault;
  return armed.seen >= nth && (chance >= 1 || armed.random.next() < chance);
}

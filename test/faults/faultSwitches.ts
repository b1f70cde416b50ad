/** Faults that a person or a test arms: by name from the table, per route, from the nth request on, with a probability, for a number of times. */
import * as z from "zod/mini";
import { definedFields } from "../../src/base/definedFields";
import { invalidRequest } from "../../src/localGateway/http/httpError";
import type {
  FaultKind,
  PromptRefusal,
  RequestFaults,
  StreamFault,
  StreamInfo,
} from "../../src/localGateway/http/requestFaults";
import { faultKinds, faultTable, streamFaultKinds } from "./faultTable";
import { readWire } from "../../src/localGateway/http/requestContext";
import { createRandom, type SeededRandom } from "../../src/localGateway/demo/seededRandom";

export interface Fault {
  /** A name of the fault table. */
  readonly name: string;
  /** Name of a route: `POST /v1/tasks`, `GET /v1/tasks/{task_id}`. Missing: every route that the fault can act on. */
  readonly route?: string;
  /** Missing: unlimited, until it is cleared. */
  readonly times?: number;
  /** Starts with the nth matching request; 1 is the next. */
  readonly nth?: number;
  /** Probability for each matching request, from 0 to 1. */
  readonly chance?: number;
  /** Of the probability: the same seed selects the same requests. */
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

/** Bounded, because each request compares all of them. */
const maxArmed = 1_000;

interface ArmedFault {
  readonly fault: Fault;
  readonly random: SeededRandom;
  /** Matching requests so far. */
  seen: number;
  left: number;
}

export class FaultSwitches {
  #armed: readonly ArmedFault[] = [];

  constructor(faults: readonly Fault[] = []) {
    for (const fault of faults) this.arm(fault);
  }

  /** Throws a 400 for an unknown name or an invalid value. */
  arm(given: unknown): Fault {
    const fault = readFault(given);
    if (this.#armed.length >= maxArmed) throw invalidRequest("No more faults can be armed; clear them first.");
    const { times = Infinity, seed = 1 } = fault;
    this.#armed = [...this.#armed, { fault, random: createRandom(seed), seen: 0, left: times }];
    return fault;
  }

  clear(): void {
    this.#armed = [];
  }

  /** `times` is the remaining number. */
  get armed(): readonly Fault[] {
    return this.#armed.map(({ fault, left }) => (fault.times === undefined ? fault : { ...fault, times: left }));
  }

  /** Consumes one time of the first fault of this kind that is armed for the route. */
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

/** The faults of one request: those of its header first, then those that are armed. Each is taken once, however often it is read. */
export class TakenFaults implements RequestFaults {
  readonly #switches: FaultSwitches;
  readonly #route: string;
  readonly #own = new FaultSwitches();
  readonly #taken = new Map<string, { readonly value: unknown } | undefined>();
  readonly #onTaken: (names: readonly string[]) => void;

  /** `onTaken` receives the names of all faults taken so far, each time one is added. */
  constructor(switches: FaultSwitches, route: string, onTaken: (names: readonly string[]) => void) {
    this.#switches = switches;
    this.#route = route;
    this.#onTaken = onTaken;
  }

  /** From the header `X-Gateway-Fault`: `name` or `name=value`, for this request only. */
  armOwn(header: string): void {
    this.#own.arm(readFaultText(header));
    this.#taken.clear();
  }

  take<T>(kind: FaultKind<T>): { readonly value: T } | undefined {
    if (!this.#taken.has(kind.name)) {
      const taken = this.#own.take(kind, this.#route) ?? this.#switches.take(kind, this.#route);
      this.#taken.set(kind.name, taken);
      if (taken !== undefined)
        this.#onTaken([...this.#taken].flatMap(([name, one]) => (one === undefined ? [] : [name])));
    }
    const taken = this.#taken.get(kind.name);
    return taken === undefined ? undefined : { value: kind.value.parse(taken.value) };
  }

  isStreamRefused(): boolean {
    return this.take(faultKinds.httpJsonForStream) !== undefined;
  }

  refusalOf(tokens: number): PromptRefusal | undefined {
    const context = this.take(faultKinds.httpContext)?.value;
    return context !== undefined && tokens > context.tokens ? context : undefined;
  }

  ofStream(info: StreamInfo): readonly StreamFault[] {
    return streamFaultKinds.flatMap((kind) => {
      if (kind.family !== undefined && kind.family !== info.family) return [];
      const taken = this.take(kind);
      return taken === undefined ? [] : [kind.open(taken.value, info)];
    });
  }
}

/** `name` or `name=value`; a value that is not JSON is a string. */
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

function matchesRoute({ route: wanted }: Fault, route: string): boolean {
  if (wanted !== undefined) return wanted === route;
  return !route.includes(" /_local/") || route.includes(" /_local/assets/");
}

function isTriggered(armed: ArmedFault): boolean {
  armed.seen += 1;
  const { nth = 1, chance = 1 } = armed.fault;
  return armed.seen >= nth && (chance >= 1 || armed.random.next() < chance);
}

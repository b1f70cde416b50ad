/** The local gateway as a program for contributors: with faults that can be armed, and a clock that can be moved. */
import * as z from "zod/mini";
import { definedFields } from "../../src/base/definedFields";
import { BadFlag, runProgram } from "../../src/localGateway/program";
import { readFaultText } from "./faultSwitches";
import { faultTable } from "./faultTable";
import { InjectedFaults } from "./injectedFaults";
import { abortReason } from "../../src/base/async/abort";
import type { Clock } from "../../src/base/clock";
import { systemClock } from "../../src/base/async/systemClock";

/**
 * The system's clock with what it was set forward by: for trying in seconds what takes an hour. It is the system's again after a
 * restart.
 */
class MovableClock implements Clock {
  #ahead = 0;
  readonly #moves = new Set<() => void>();

  now(): number {
    return systemClock.now() + this.#ahead;
  }

  async delay(ms: number, signal?: AbortSignal): Promise<void> {
    const due = this.now() + ms;
    for (;;) {
      const moved = new AbortController();
      const onMove = (): void => moved.abort();
      this.#moves.add(onMove);
      signal?.addEventListener("abort", onMove);
      if (signal?.aborted === true) onMove();
      await systemClock.delay(Math.max(0, due - this.now()), moved.signal).catch(() => undefined);
      this.#moves.delete(onMove);
      signal?.removeEventListener("abort", onMove);
      if (signal?.aborted === true) throw abortReason(signal);
      if (!moved.signal.aborted || this.now() >= due) return;
    }
  }

  /** Delays that are due by then end before it resolves. */
  async advance(ms: number): Promise<void> {
    this.#ahead += ms;
    for (const move of this.#moves) move();
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

const help = `  --fault NAME[=VALUE]
                Something that goes wrong, until it is cleared; may be given several times. POST /_local/faults and the header
                X-Gateway-Fault of a request arm one too
  --list-faults What can go wrong, one line each
  --movable-clock
                POST /_local/clock {"advance": MS} sets the clock forward
`;

const flags = z.object({
  fault: z._default(z.array(z.string()), []),
  "list-faults": z.optional(z.boolean()),
  "movable-clock": z.optional(z.boolean()),
});

runProgram(process.argv.slice(2), {
  help,
  options: {
    fault: { type: "string", multiple: true },
    "list-faults": { type: "boolean" },
    "movable-clock": { type: "boolean" },
  },
  read(values) {
    const { fault, "list-faults": lists, "movable-clock": isMovable } = flags.parse(values);
    if (lists === true) return faultTable.map(({ name, does }) => `${name}: ${does}\n`).join("");
    const armed = fault.map((text) => {
      try {
        return readFaultText(text);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new BadFlag(`--fault ${text}: ${why} Try --list-faults`);
      }
    });
    return {
      injectedFaults: new InjectedFaults(armed),
      ...definedFields({ clock: isMovable === true ? new MovableClock() : undefined }),
    };
  },
});

/** What was out of bounds in the counts of gateways three times in a row, with its evidence (T18). Kept over a restart, for all windows. */
import * as z from "zod/mini";
import { momentSchema } from "../base/momentSchema";
import { Store } from "../base/store";
import type { Immutable } from "../base/immutable";
import type { Clock } from "../base/clock";

/** `charge` is checked where the tasks are; the others of each answer. */
export const billChecks = ["input", "cache", "output", "model", "charge"] as const;
export type BillCheck = (typeof billChecks)[number];

/** What one check says of one answer. */
export interface BillVerdict {
  readonly check: BillCheck;
  readonly model: string;
  readonly isOut: boolean;
  readonly row: BillRow;
}

/** A row of the evidence. Numbers are tokens; `bound` is the most that can be, or what would have been expected. */
export interface BillRow {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Of the request, or of the task. */
  readonly id?: string;
  readonly stated: number | string;
  readonly bound: number | string;
  /** Bytes of the request, or of the answer. */
  readonly bytes?: number;
}

const count = z.number();
const value = z.union([z.number(), z.string()]);
const findingSchema = z.object({
  check: z.enum(billChecks),
  /** Of the gateway. */
  origin: z.string(),
  model: z.string(),
  /** Answers or tasks that could be judged, and those of them that were out of bounds. */
  judged: count,
  out: count,
  /** The newest last. */
  rows: z.array(
    z.object({
      at: momentSchema,
      id: z.exactOptional(z.string()),
      stated: value,
      bound: value,
      bytes: z.exactOptional(count),
    }),
  ),
});
export type BillFinding = Immutable<z.infer<typeof findingSchema>>;

export interface BillPorts {
  readonly clock: Pick<Clock, "now">;
  readonly memory: {
    read(): unknown;
    write(findings: readonly BillFinding[]): void;
  };
}

/** Once may be an error of a moment, and twice too. */
export const leastInRow = 3;
/** Rows of one finding; the oldest go first. */
export const maxEvidence = 20;
const maxFindings = 20;
/** Milliseconds after the last row: who has not looked by then has moved on. */
export const keptFor = 30 * 24 * 60 * 60_000;

/** One of each check, gateway and model. */
export function billId({ check, origin, model }: Pick<BillFinding, "check" | "origin" | "model">): string {
  return JSON.stringify([check, origin, model]);
}

export class Bills {
  readonly #findings = new Store<readonly BillFinding[]>([]);
  readonly #ports: BillPorts;
  /** By check, gateway and model: what may become a finding. */
  readonly #counts = new Map<string, { readonly finding: BillFinding; readonly inRow: number }>();

  constructor(ports: BillPorts) {
    this.#ports = ports;
  }

  get onDidChange(): Store<readonly BillFinding[]>["onDidChange"] {
    return this.#findings.onDidChange;
  }

  /** The newest first. */
  get current(): readonly BillFinding[] {
    const since = this.#ports.clock.now() - keptFor;
    const stored = z.array(findingSchema).safeParse(this.#ports.memory.read());
    return (stored.success ? stored.data : []).filter(({ rows }) => (rows.at(-1)?.at ?? 0) >= since);
  }

  add(origin: string, { check, model, isOut, row }: BillVerdict): void {
    const key = billId({ check, origin, model });
    const isSame = (one: BillFinding): boolean => billId(one) === key;
    const found = this.current.find(isSame);
    const counted = this.#counts.get(key);
    const { judged, out, rows } = found ?? counted?.finding ?? { judged: 0, out: 0, rows: [] };
    const inRow = isOut ? (counted?.inRow ?? 0) + 1 : 0;
    // What was out of bounds once and then was not is no evidence of anything.
    const kept = found === undefined && !isOut ? [] : rows;
    const finding: BillFinding = {
      check,
      origin,
      model,
      judged: judged + 1,
      out: out + (isOut ? 1 : 0),
      rows: (isOut ? [...kept, row] : kept).slice(-maxEvidence),
    };
    this.#counts.set(key, { finding, inRow });
    if (found === undefined && inRow < leastInRow) return;
    const others = this.current.filter((one) => !isSame(one));
    const all = [finding, ...others].slice(0, maxFindings);
    this.#ports.memory.write(all);
    this.#findings.set(all);
  }
}

/** Findings: counts of gateways that were out of bounds three times in a row, with evidence (T18). They are kept over restarts, for all windows. */
import * as z from "zod/mini";
import { momentSchema } from "../base/momentSchema";
import { Store } from "../base/store";
import type { Immutable } from "../base/immutable";
import type { Clock } from "../base/clock";

/** `charge` is checked for tasks, the others for each answer. */
export const billChecks = ["input", "cache", "output", "model", "charge"] as const;
export type BillCheck = (typeof billChecks)[number];

/** The result of one check of one answer. */
export interface BillVerdict {
  readonly check: BillCheck;
  readonly model: string;
  readonly isOut: boolean;
  readonly row: BillRow;
}

/** A row of the evidence. Numbers are tokens; `bound` is the highest possible or the expected value. */
export interface BillRow {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The id of the request or of the task. */
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
  /** The gateway's origin. */
  origin: z.string(),
  model: z.string(),
  /** The number of answers or tasks that could be judged, and of those that were out of bounds. */
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

export interface BillOptions {
  readonly clock: Pick<Clock, "now">;
  readonly memory: {
    read(): unknown;
    write(findings: readonly BillFinding[]): void;
  };
}

/** Fewer results out of bounds in a row may be a momentary error. */
export const leastInRow = 3;
/** Rows of one finding; the oldest go first. */
export const maxEvidence = 20;
const maxFindings = 20;
/** Milliseconds for which a finding is shown after its last row. */
export const findingLifetime = 30 * 24 * 60 * 60_000;

/** The key of a finding: there is one for each check, gateway and model. */
export function billId({ check, origin, model }: Pick<BillFinding, "check" | "origin" | "model">): string {
  return JSON.stringify([check, origin, model]);
}

export class Bills {
  readonly #findings = new Store<readonly BillFinding[]>([]);
  readonly #options: BillOptions;
  /** The results so far by check, gateway and model, which may become findings. */
  readonly #counts = new Map<string, { readonly finding: BillFinding; readonly inRow: number }>();

  constructor(options: BillOptions) {
    this.#options = options;
  }

  get onDidChange(): Store<readonly BillFinding[]>["onDidChange"] {
    return this.#findings.onDidChange;
  }

  /** The newest first. */
  get current(): readonly BillFinding[] {
    const since = this.#options.clock.now() - findingLifetime;
    const stored = z.array(findingSchema).safeParse(this.#options.memory.read());
    return (stored.success ? stored.data : []).filter(({ rows }) => (rows.at(-1)?.at ?? 0) >= since);
  }

  add(origin: string, { check, model, isOut, row }: BillVerdict): void {
    const key = billId({ check, origin, model });
    const isSame = (one: BillFinding): boolean => billId(one) === key;
    const found = this.current.find(isSame);
    const counted = this.#counts.get(key);
    const { judged, out, rows } = found ?? counted?.finding ?? { judged: 0, out: 0, rows: [] };
    const inRow = isOut ? (counted?.inRow ?? 0) + 1 : 0;
    // A result within bounds clears the rows that have not become a finding.
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
    this.#options.memory.write(all);
    this.#findings.set(all);
  }
}

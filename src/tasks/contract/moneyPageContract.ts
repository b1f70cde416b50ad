/** The contract of the page that shows what is known of the money of the person's tasks (T10). */
import * as z from "zod/mini";
import { type MoneyGroup, moneyGroups } from "../../domain/task/moneyGroup";
import { type IntentOf, type ProjectedContract } from "../../base/pageContract";
import { taskIdSchema } from "../../domain/task/taskId";
import { moneySections, sectionIntents } from "./pageSections";
import type { StateTone } from "./taskPageContract";

const intents = {
  ...sectionIntents(moneySections),
  "group-choose": { group: z.enum(moneyGroups) },
  "task-open": { task: taskIdSchema },
  /** Reads the events of ended tasks again, which show whether their money was given back. */
  "check-now": {},
  /** Opens the numbers behind one of `findings`. */
  "evidence-show": { finding: z.string().check(z.maxLength(4000)) },
  /** Writes all tasks into a file. */
  "csv-export": {},
};

export type MoneyPageContract = ProjectedContract<typeof intents, MoneyPageSnapshot, MoneyPageSnapshot>;
export const moneyPageContract: MoneyPageContract = { intents };
export type MoneyPageIntent = IntentOf<MoneyPageContract>;

export interface MoneyTileView {
  readonly group: MoneyGroup;
  readonly count: number;
  /** The sum of the known prices with their sources, in the reader's locale. */
  readonly price?: string;
}

export interface MoneyRowView {
  readonly id: string;
  readonly title: string;
  /** Type, model and time. */
  readonly about: string;
  readonly state: string;
  readonly tone: StateTone;
  /** One sentence on the state of the task's money. */
  readonly money: string;
  /** The price of the task, or the earlier estimate, with its source. */
  readonly price?: string;
  /** Hold, settlement and the gateway's ids; the first is the sentence on the hold. */
  readonly details: readonly string[];
}

export interface MoneyView {
  readonly tiles: readonly MoneyTileView[];
  readonly rows: readonly MoneyRowView[];
  /** How many there are beyond those of `rows`. */
  readonly more: number;
  /** A sentence on how many tasks are counted; missing where all on disk are. */
  readonly incomplete?: string;
}

/** `money` is missing while the tasks are read for the first time. */
export interface MoneyPageSnapshot {
  readonly group: MoneyGroup;
  readonly money?: MoneyView;
  /** The balance at the gateway in use, in words; missing where it is not known. */
  readonly left?: string;
  /** A sentence on what the gateway has counted as spent and no chat or task here has; missing where there is none. */
  readonly unseen?: string;
  /** Counts and charges of gateways that were out of bounds several times in a row. Missing where there are none. */
  readonly findings?: readonly { readonly id: string; readonly sentence: string }[];
  /** Only while *Check Now* runs: how many tasks were read, and of how many. */
  readonly checking?: { readonly done: number; readonly of: number };
}

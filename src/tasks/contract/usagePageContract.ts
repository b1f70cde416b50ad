/** The contract of the page that plots the person's own tasks. */
import * as z from "zod/mini";
import type { IntentOf, ProjectedContract } from "../../base/pageContract";
import { taskIdSchema } from "../../domain/task/taskId";
import type { Price, PriceList } from "../../domain/prices/priceList";
import type { TokenDay } from "../../domain/prices/tokenDays";
import type { TaskIntent } from "../../domain/task/task";
import type { OutcomeCounts } from "../../domain/task/usageOutcome";
import { moneySections, sectionIntents } from "./pageSections";
import type { StateTone } from "./taskPageContract";

/** How many days are shown. */
export const usageRanges = [7, 30, 90] as const;
export type UsageRange = (typeof usageRanges)[number];
const range = z.union([z.literal(7), z.literal(30), z.literal(90)]);

export const usageTables = ["days", "models", "tokens"] as const;
export type UsageTable = (typeof usageTables)[number];

const intents = {
  ...sectionIntents(moneySections),
  "range-choose": { range },
  /** Lists the tasks of a day; `start` is that of one of the days in `TaskUsage`. */
  "day-open": { start: z.number() },
  "day-close": {},
  "task-open": { task: taskIdSchema },
  /** Writes what one of the tables shows into a file. */
  "csv-export": { table: z.enum(usageTables) },
};

export type UsagePageContract = ProjectedContract<typeof intents, UsagePageSnapshot, UsagePageSnapshot>;
export const usagePageContract: UsagePageContract = { intents };
export type UsagePageIntent = IntentOf<UsagePageContract>;

export interface UsageDay {
  /** Midnight in local time, in milliseconds since 1970. */
  readonly start: number;
  /** Tasks that were submitted on this day. */
  readonly counts: OutcomeCounts;
  /** The most holds that were open at one moment of this day. */
  readonly mostHolds: number;
  /** The sums of the prices of the tasks that succeeded; empty where none is known. */
  readonly prices: readonly Price[];
}

/** The outcomes of all tasks of one type and model, which show whether the model is worth its price. */
export interface UsageModel {
  readonly type: string;
  readonly model: string;
  readonly counts: OutcomeCounts;
  /** Milliseconds from accept to success. Missing where the gateway gave no times. */
  readonly median?: number;
  readonly p90?: number;
  /** The sums of the prices of the tasks that succeeded, without the free ones; empty where none is known. */
  readonly prices: readonly Price[];
  /** How many of those that succeeded are the local gateway's; missing where none is. */
  readonly free?: number;
}

export interface TaskUsage {
  /** Oldest first; the last one is today. */
  readonly days: readonly UsageDay[];
  /** Most tasks first. */
  readonly models: readonly UsageModel[];
  /** Milliseconds from accept to success, the median of all tasks that succeeded. */
  readonly median?: number;
  /** At least one task succeeded, and the local gateway made all that did. */
  readonly isFree?: true;
}

/** The tasks of one day, newest first. */
export interface UsageList {
  readonly start: number;
  readonly tasks: readonly UsageTask[];
  /** How many there are beyond those of `tasks`. */
  readonly more: number;
}

export interface UsageTask extends Pick<TaskIntent, "id" | "prompt" | "type" | "model" | "createdAt"> {
  readonly tone: StateTone;
  /** The name of the state, as in the Tasks view. */
  readonly state: string;
}

export interface UsagePageSnapshot {
  readonly range: UsageRange;
  /** Missing while the tasks are counted for the first time. */
  readonly usage?: TaskUsage;
  /** The tokens that models used in chats, newest day first. Missing while the chats are read, or where they can't be. */
  readonly tokens?: readonly TokenDay[];
  /** The limit of tasks per day that the person has set. */
  readonly cap?: number;
  /** The person's price list. */
  readonly prices: PriceList;
  readonly list?: UsageList;
}

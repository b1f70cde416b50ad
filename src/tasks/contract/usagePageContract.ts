/** The contract of the page that plots the person's own tasks. */
import * as z from "zod/mini";
import { type IntentOf, type ProjectedContract } from "../../base/contract/pageContract";
import { taskId } from "../../domain/task/taskId";
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
  /** Lists the tasks of a day; `start` is one that the page was given. */
  "day-open": { start: z.number() },
  "day-close": {},
  "task-open": { task: taskId },
  /** Writes what one of the tables shows into a file. */
  "csv-export": { table: z.enum(usageTables) },
};

export type UsagePageContract = ProjectedContract<typeof intents, UsagePageSnapshot, UsagePageSnapshot>;
export const usagePageContract: UsagePageContract = { intents };
export type UsagePageIntent = IntentOf<UsagePageContract>;

export interface UsageDayView {
  /** Milliseconds since 1970. */
  readonly start: number;
  /** Such as `12 Nov`. */
  readonly name: string;
  readonly counts: {
    readonly succeeded: number;
    readonly failed: number;
    readonly ended: number;
    readonly open: number;
    readonly refused: number;
  };
  readonly mostHolds: number;
}

/** A number that is read first, with what it is of. */
export interface UsageTile {
  readonly name: string;
  readonly value: string;
  readonly about: string;
}

export interface UsageModelView {
  readonly name: string;
  readonly count: string;
  /** Of those that succeeded or failed; missing where none did. */
  readonly success?: { readonly share: number; readonly text: string };
  /** In milliseconds, for the plot, and in words. Missing where none succeeded, or the gateway gave no times. */
  readonly time?: {
    readonly median: number;
    readonly p90: number;
    readonly medianText: string;
    readonly p90Text: string;
  };
  /** Of one that succeeded, by the person's price list, in the middle. */
  readonly priceEach?: string;
  readonly price?: string;
}

export interface UsageListView {
  readonly start: number;
  readonly title: string;
  readonly tasks: readonly UsageTaskView[];
  /** How many there are beyond those of `tasks`. */
  readonly more: number;
}

export interface UsageTaskView {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly tone: StateTone;
  readonly state: string;
}

/** What one model took in the chats of a day, or of all days. */
export interface UsageTokensView {
  readonly day: string;
  readonly model: string;
  readonly input: string;
  readonly cached: string;
  /** Of the input: read from the service's cache. */
  readonly share: number;
  readonly output: string;
  /** By the person's price list. Missing where it has none for the model. */
  readonly price?: string;
}

export interface UsageView {
  readonly days: readonly UsageDayView[];
  /** Four. */
  readonly tiles: readonly UsageTile[];
  readonly models: readonly UsageModelView[];
  /** All days first, then each that has any, newest first. Missing while the chats are read, or where they can't be. */
  readonly tokens?: readonly UsageTokensView[];
  /** Since when, and how many tasks, in a sentence. */
  readonly summary: string;
  /** The most tasks of a day that the person has set. */
  readonly cap?: number;
}

/** `usage` is missing while it is counted for the first time. */
export interface UsagePageSnapshot {
  readonly range: UsageRange;
  readonly usage?: UsageView;
  readonly list?: UsageListView;
}

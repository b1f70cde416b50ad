/** What each step of *Submit Selection as Task…* is given, and what it answers with. */
import type * as vscode from "vscode";
import type { ReadonlyStore } from "../../../base/store";
import type { Price } from "../../../domain/prices/price";
import type { Models } from "../../../gateway/models/modelCatalog";
import type { TaskTypeAvailability } from "../../submit/availability";
import type { StepPicker, StepPosition } from "../../../vscode/interface/pickSteps";
import type { LastChoices } from "../draft/lastChoices";
import type { TaskDraft } from "../draft/taskDraft";

export interface StepContext {
  readonly picker: StepPicker;
  readonly models: ReadonlyStore<Models>;
  /** Resolves when the gateway's list was read or has failed. */
  readonly modelsSettled: () => Promise<void>;
  readonly availability: TaskTypeAvailability;
  readonly origin: string;
  readonly isLocal: boolean;
  /** What the tasks of a draft cost by the person's price list; `undefined` where it is not known. */
  readonly priceOf: (draft: TaskDraft) => Price | undefined;
  readonly last: LastChoices;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Bytes of one reference image. */
  readonly referenceLimit: number;
  /** Whether a task of the list has this file as its destination. */
  readonly isReserved: (file: vscode.Uri) => boolean;
  /** What was left with Esc before. */
  readonly kept?: TaskDraft;
}

export type StepName = "type" | "model" | "prompt" | "review" | "references" | "metadata" | "destination";

export interface StepAnswer {
  readonly draft: TaskDraft;
  readonly next: StepName | "submit" | "left" | "edit-prompt" | "edit-metadata";
}

export type Step = (context: StepContext, draft: TaskDraft) => Promise<StepAnswer>;

export const at = (step: number): StepPosition => ({ step, totalSteps: 3 });

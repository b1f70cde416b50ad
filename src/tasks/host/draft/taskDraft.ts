/** What a person is about to submit, as the steps of the pick fill it in and as it is kept when they leave. */
import type * as vscode from "vscode";
import type { TaskIntent, TaskType } from "../../../domain/task/task";
import type { MetadataObject } from "../../submit/metadata";
import { defaultReferenceField, type Reference } from "../../submit/references";

export interface TaskDraft {
  /** Each becomes a task. None: one is typed. */
  readonly prompts: readonly string[];
  /** In the input box, not accepted yet. */
  readonly typed: string;
  readonly type?: TaskType;
  /** Preselected where the type is asked for: of the directive above the text. */
  readonly likelyType?: TaskType;
  readonly model?: string;
  readonly references: readonly Reference[];
  /** The field of `input_assets_json` that holds them. */
  readonly referenceField: string;
  /** Other fields of `input_assets_json`, of the task that this one is made from. */
  readonly otherAssets: Readonly<Record<string, unknown>>;
  readonly metadata: MetadataObject;
  /** What each prompt has of its own, where they are variants: as many as `prompts`. */
  readonly each?: readonly DraftVariant[];
  readonly destination?: DraftDestination;
  readonly duplicatedFrom?: string;
  /** Called when the pick is closed, with or without a task; not where the person goes on in an editor. */
  readonly onAsked?: () => void;
  /** Called once, when the first intent is on disk. */
  readonly onWritten?: (intents: readonly TaskIntent[]) => void;
  /** The document that the prompts are from. */
  readonly source?: vscode.Uri;
}

/** It comes before what all of the draft have. */
export interface DraftVariant {
  /** What it differs by, as a person reads it: `seed: 2, style: ink`. */
  readonly words: string;
  readonly model?: string;
  readonly metadata: MetadataObject;
  readonly destination?: DraftDestination;
}

export interface DraftDestination {
  /** The folder of the workspace. */
  readonly root: vscode.Uri;
  /** From there, with `/`, without the ending of the file; several tasks use its folder and names of their own. */
  readonly path: string;
  /** Where a reference to the file is inserted. */
  readonly insertAt?: { readonly document: vscode.Uri; readonly position: vscode.Position };
}

export const emptyDraft: TaskDraft = {
  prompts: [],
  typed: "",
  references: [],
  referenceField: defaultReferenceField,
  otherAssets: {},
  metadata: {},
};

/** Whether anything would be lost. */
export function holdsWork(draft: TaskDraft): boolean {
  const hasOptions = draft.references.length > 0 || Object.keys(draft.metadata).length > 0;
  return draft.typed.trim() !== "" || hasOptions || draft.destination !== undefined;
}

/** The prompt, or the text that may become it. */
export function promptOf(draft: TaskDraft): string {
  return draft.typed.trim() === "" ? (draft.prompts[0] ?? "") : draft.typed.trim();
}

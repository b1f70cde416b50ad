/** The contract of the form for media (T15). The page owns the fields while it is shown and sends each change; the host keeps them, and submits. */
import * as z from "zod/mini";
import { eachOption, type ListedOptions } from "../../domain/task/commonOptions";
import { maxExactFiles } from "../../domain/task/exactFiles";
import { type MediaFields, maxMediaCount } from "../../domain/task/mediaFields";
import { type TaskType, taskTypes } from "../../domain/task/taskTypes";
import type { IntentOf, IntentsOf, ProjectedContract } from "../../base/pageContract";

const text = (most: number): z.ZodMiniString => z.string().check(z.maxLength(most));

/** Characters. */
export const maxModelLength = 500;
export const maxPromptLength = 1_000_000;

const pixels = z.int().check(z.minimum(1), z.maximum(16_384));

export const mediaFieldsSchema: z.ZodMiniType<MediaFields> = z.object({
  type: z.enum(taskTypes),
  model: text(maxModelLength),
  prompt: text(maxPromptLength),
  count: z.int().check(z.minimum(1), z.maximum(maxMediaCount)),
  // A form that was kept before there was the option has no field for it.
  ...eachOption(() => z._default(text(100), "")),
  isPlaced: z.boolean(),
  destination: text(4096),
  exact: z.exactOptional(
    z.object({
      root: text(4096),
      document: z.exactOptional(text(4096)),
      files: z
        .array(
          z.object({
            file: text(4096),
            width: z.exactOptional(pixels),
            height: z.exactOptional(pixels),
            isMaskable: z.exactOptional(z.literal(true)),
          }),
        )
        .check(z.maxLength(maxExactFiles)),
    }),
  ),
  isTransparent: z.exactOptional(z.boolean()),
});

/** Bytes; the setting allows no larger reference image. */
const maxPicture = 20 * 1024 * 1024;
const name = text(255);

/** Pictures that are dropped on a page or pasted into it, and become references of the form. */
export const dropIntents = {
  /** `data` is base64. */
  "picture-add": { name, data: text(Math.ceil(maxPicture / 3) * 4 + 4) },
  /** Files that the page doesn't read. */
  "pictures-refuse": { names: z.array(name).check(z.maxLength(100)), why: z.enum(["too-large", "no-image"]) },
  /** Files by their URIs, and addresses that were pasted. */
  "references-add": { uris: z.array(text(4096)).check(z.maxLength(100)) },
};
export type DropIntent = IntentsOf<typeof dropIntents>;

const intents = {
  ...dropIntents,
  "fields-change": { fields: mediaFieldsSchema },
  /** `attempt` and `target` are those of the snapshot that the person saw: a second click, or one for another gateway, submits nothing. */
  "tasks-submit": {
    fields: mediaFieldsSchema,
    attempt: z.int(),
    target: text(5000),
    isRehearsal: z.exactOptional(z.literal(true)),
  },
  "references-choose": { from: z.enum(["files", "results"]) },
  "reference-remove": { id: text(5000) },
  "form-clear": {},
  "form-restore": {},
  /** Restores the contents from before something else filled in the form. */
  "earlier-restore": {},
  /** Prompt and seed of the picture are put into the fields. */
  "origin-use": {},
  /** Leaves out what is sent of the former task besides the fields. */
  "carried-remove": {},
  "gateway-choose": {},
  /** A press of a button of `problem`. */
  "problem-act": { index: z.int().check(z.minimum(0), z.maximum(1)) },
  "submitted-open": {},
  /** Makes the tasks real that the form has rehearsed, after a question with the price. */
  "submitted-make-real": {},
};

export type MediaFormPageContract = ProjectedContract<typeof intents, MediaFormSnapshot, MediaFormSnapshot>;
export const mediaFormPageContract: MediaFormPageContract = { intents };
export type MediaFormIntent = IntentOf<MediaFormPageContract>;

export interface TypeChoice {
  readonly type: TaskType;
  readonly name: string;
  /** Describes the result, and says whether the account may use the type. */
  readonly about: string;
  /** The model that was used last for it. */
  readonly lastModel?: string;
}

/** A model that makes tasks, with the facts that the gateway lists for it. */
export interface MediaModelChoice extends ListedOptions {
  readonly id: string;
  readonly note?: string;
  readonly types: readonly TaskType[];
}

export interface ReferenceCard {
  readonly id: string;
  /** Name, type and size in words. */
  readonly words: string;
  /** The address of a picture that the page may decode. */
  readonly url?: string;
}

export interface MediaFormSnapshot {
  /** Changes whenever the host has changed the fields, which the page then takes over. */
  readonly version: number;
  readonly fields: MediaFields;
  readonly references: readonly ReferenceCard[];
  /** Sentences that explain why pictures were not taken. */
  readonly refusals: readonly string[];
  /** Bytes of one reference image. */
  readonly referenceLimit: number;
  readonly gateway: {
    /** Identifies gateway and account; empty while there is none. */
    readonly target: string;
    /** The name as a person reads it. */
    readonly name: string;
    readonly isStarting: boolean;
  };
  readonly types: readonly TypeChoice[];
  readonly models: readonly MediaModelChoice[];
  /** The workspace folder that paths begin at, where there are several. */
  readonly rootName?: string;
  /** The folder for results in the workspace; missing where no folder is open. */
  readonly folder?: string;
  /** The price of the submission in words; missing without a gateway, for a free task, or where a field has a problem. */
  readonly price?: string;
  /** The time at which a task with the same type, model and prompt was submitted last, in words. */
  readonly sameAt?: string;
  readonly attempt: number;
  readonly isSubmitting: boolean;
  /** Set while a rehearsal of the fields is sent, or rehearsed tasks are made real; missing for a plain submission. */
  readonly sends?: "rehearsal" | "real";
  /** `isSending`: it is not known yet whether the gateway has taken each. `succeeded`: how many have, once all have ended. */
  readonly submitted?: {
    readonly count: number;
    readonly isBatch: boolean;
    readonly at: string;
    readonly isSending: boolean;
    readonly succeeded?: number;
    /** The tasks make placeholders; `canMakeReal`: all placeholders are there. */
    readonly isRehearsal?: true;
    readonly canMakeReal?: true;
  };
  /** Explains why nothing can be submitted, or what was not accepted. `actions`: the labels of its buttons. */
  readonly problem?: { readonly text: string; readonly actions: readonly string[] };
  /** All that is sent of the former task besides the fields: `guidance 7 · style ink`. */
  readonly carried?: string;
  readonly canRestore: boolean;
  /** The form had other contents before something else filled it in. */
  readonly hasEarlier?: true;
  /** The prompt and seed in the picture that was added last; missing while that prompt is in the fields. */
  readonly origin?: {
    readonly name: string;
    /** The beginning of its prompt. */
    readonly prompt: string;
    readonly seed?: number;
  };
}

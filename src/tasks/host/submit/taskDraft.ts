/**
 * A draft is what a person is about to submit, as the steps of the pick fill it in and as it is kept when they leave. It may also come from another
 * task or from the form for media.
 */
import { randomInt } from "node:crypto";
import type * as vscode from "vscode";
import type { ExactFile } from "../../../domain/task/exactFiles";
import type { PromptSource, TaskDestination, TaskIntent, TaskType } from "../../../domain/task/task";
import type { UnreadLines } from "../../prompts/parsePrompts";
import { type MetadataObject, withCommon } from "../../submit/requestBody";
import { defaultReferenceField, type Reference } from "../../submit/references";
import { definedFields } from "../../../base/definedFields";
import { emptyMediaFields, type MediaFields, optionsOf } from "../../../domain/task/mediaFields";
import { eachOption, isReadAs, takesOption } from "../../../domain/task/commonOptions";

export interface TaskDraft {
  /** Each prompt becomes a task. If there is none, the person types one. */
  readonly prompts: readonly string[];
  /** The text in the input box that is not accepted yet. */
  readonly typed: string;
  /** Set if the prompts were edited in a document of their own, which is closed now: its whole text, and the draft without what that text sets. */
  readonly edited?: { readonly text: string; readonly before: TaskDraft };
  /** The name under which an earlier state of this draft is kept (`KeptDrafts`). Keeping this draft replaces it. */
  readonly kept?: string;
  readonly type?: TaskType;
  /** The type that is preselected when the person is asked; it follows from the settings of the prompts. */
  readonly likelyType?: TaskType;
  readonly model?: string;
  readonly references: readonly Reference[];
  /** The field of `input_assets_json` that holds them. */
  readonly referenceField: string;
  /** Other fields of `input_assets_json`, of the task that this one is made from. */
  readonly otherAssets: Readonly<Record<string, unknown>>;
  readonly metadata: MetadataObject;
  /** The settings that each prompt has of its own, where they differ; as many as `prompts`. */
  readonly each?: readonly DraftVariant[];
  readonly destination?: DraftDestination;
  /** The places that the person has agreed to, as many as `prompts`. */
  readonly places?: readonly (TaskDestination | undefined)[];
  /** A type and models that were chosen last, or are listed first, are taken without a question: the last step names them. */
  readonly takesModels?: true;
  /** The models that the file names, as many as `prompts`. Set if the type was taken without a question: the last step then offers another. */
  readonly namedModels?: readonly (string | undefined)[];
  /** The type whose model is asked for next, where the prompts have several types. */
  readonly modelFor?: TaskType;
  /** Lines of the file that belong to no prompt: shown before anything is sent. */
  readonly unread?: readonly UnreadLines[];
  readonly duplicatedFrom?: string;
  /** Called once, when the first intent is on disk. */
  readonly onWritten?: (intents: readonly TaskIntent[]) => void;
  /** The person wants a rehearsal: the local gateway makes placeholders. */
  readonly isRehearsal?: true;
  /** The document that the prompts are from. */
  readonly source?: vscode.Uri;
  /** The place of each prompt in its prompt file, with the text that the file has; as many as `prompts`. */
  readonly sources?: readonly DraftSource[];
}

export interface DraftSource {
  readonly prompt: string;
  readonly place: PromptSource;
}

/** The settings of one prompt, which take precedence over those of the draft. */
export interface DraftVariant {
  /** The values in which it differs, as a person reads them: `seed: 2, style: ink`. */
  readonly words: string;
  readonly type?: TaskType;
  readonly model?: string;
  readonly references?: readonly Reference[];
  readonly metadata: MetadataObject;
  readonly destination?: DraftDestination;
}

export interface DraftDestination {
  /** The folder of the workspace. */
  readonly root: vscode.Uri;
  /** The path from `root`, with `/`, without the ending of the file. Of several tasks with the same path the second gets `-2` after its name. */
  readonly path: string;
  /** Only the folder was chosen: each task has a name there that is made from its prompt, in place of the one in `path`. */
  readonly isFolder?: true;
  /** The files that are made of the result, by their paths from `root` with their endings. `path` has its ending then too. */
  readonly exact?: readonly ExactFile[];
  /** The document whose reference is corrected where the result comes in a format that can't be changed. */
  readonly document?: vscode.Uri;
  readonly insertAt?: InsertAt;
}

/** The place where a reference to the file is inserted. */
export interface InsertAt {
  readonly document: vscode.Uri;
  readonly position: vscode.Position;
  /** The document's text when the place was chosen: once it has another one, `position` may be anywhere in it. */
  readonly text: string;
}

export const emptyDraft: TaskDraft = {
  prompts: [],
  typed: "",
  references: [],
  referenceField: defaultReferenceField,
  otherAssets: {},
  metadata: {},
};

/** Whether something would be lost with the draft. */
export function wouldLoseWork(draft: TaskDraft): boolean {
  const hasOptions = draft.references.length > 0 || Object.keys(draft.metadata).length > 0;
  return draft.typed.trim() !== "" || hasOptions || draft.destination !== undefined;
}

/** The prompt, or the text that may become it. */
export function promptOf(draft: TaskDraft): string {
  return draft.typed.trim() === "" ? (draft.prompts[0] ?? "") : draft.typed.trim();
}

/** The type of each prompt; `undefined` where it is still to be asked for. */
export function typesOf({ prompts, each, type }: TaskDraft): readonly (TaskType | undefined)[] {
  return prompts.map((_, at) => each?.[at]?.type ?? type);
}

export function modelsOf({ prompts, each, model }: TaskDraft): readonly (string | undefined)[] {
  return prompts.map((_, at) => each?.[at]?.model ?? model);
}

/** Sets the model of the prompts that `isMeant` selects. If it selects each of them, the draft has the model for all. */
export function withModel(draft: TaskDraft, model: string, isMeant: (at: number) => boolean = () => true): TaskDraft {
  const { modelFor: _asked, ...rest } = draft;
  const each = draft.each?.map(({ model: _own, ...variant }) => variant);
  if (draft.prompts.every((_, at) => isMeant(at))) return { ...rest, model, ...(each === undefined ? {} : { each }) };
  const before = modelsOf(draft);
  const own = draft.prompts.map((_, at) => {
    const chosen = isMeant(at) ? model : before[at];
    const { model: _own, ...variant } = draft.each?.[at] ?? { words: "", metadata: {} };
    return chosen === undefined ? variant : { ...variant, model: chosen };
  });
  const complete = own.every((one) => "model" in one);
  // The draft takes the model of the first prompt, so that no step asks for one more.
  return { ...rest, each: own, ...(complete ? { model: before[0] ?? model } : {}) };
}

// Makes the draft of a new task from the draft of an earlier one: variants of it, or the same with another model.

const variantCount = 4;
/** Gateways store seeds as 32 bits with a sign. These are shorter, because the seed comes before the prompt in narrow rows. */
const maxSeed = 1_000_000;

/** Repeats the prompt several times, each time with a different seed, and changes nothing else. */
export function variantsOf(draft: TaskDraft): TaskDraft {
  const [prompt = ""] = draft.prompts;
  const { seed: before, ...metadata } = draft.metadata;
  const seeds = new Set<number>();
  while (seeds.size < variantCount) {
    const seed = randomInt(maxSeed);
    if (seed !== before) seeds.add(seed);
  }
  const each = [...seeds].map((seed) => ({ words: `seed: ${seed}`, metadata: { seed } }));
  return { ...draft, prompts: each.map(() => prompt), metadata, each };
}

/** Drops the models that were taken, so that the person is asked for another type, and for the models that the file does not name. */
export function withoutTakenType({ namedModels = [], model: _taken, ...draft }: TaskDraft): TaskDraft {
  const each = draft.prompts.map((_, at) => {
    const { model: _own, ...variant } = draft.each?.[at] ?? { words: "", metadata: {} };
    return { ...variant, ...definedFields({ model: namedModels[at] }) };
  });
  return { ...draft, each };
}

/** Drops the model, so that the person is asked for it. */
export function withoutModel({ model: _before, ...draft }: TaskDraft): TaskDraft {
  return draft;
}

// Makes the draft from the fields of the form for media, and the fields from the draft of a task. Pure, so that it can be tested without an editor.

/** What a new task takes over from the task that it is made from, and the form has no field for. */
export type CarriedOver = Pick<TaskDraft, "referenceField" | "otherAssets" | "metadata"> & {
  readonly duplicatedFrom: string;
  /** Where the result goes, in a folder of the workspace that paths of the form don't begin at. It counts while the form itself has no place. */
  readonly place?: CarriedPlace;
};

export interface CarriedPlace {
  /** The URI of the folder of the workspace. */
  readonly root: string;
  /** The path from `root`, without the ending of the file. */
  readonly path: string;
}

/**
 * Fills the fields from the draft of a task. A value goes into its field only if the field would send the very same value; all others are carried
 * over as they are. `root`: the folder of the workspace that paths of the form begin at.
 */
export function fieldsOfDraft(
  draft: TaskDraft & { readonly type: TaskType },
  root: string | undefined,
): { readonly fields: MediaFields; readonly carried: CarriedOver } {
  const { type, model = "", referenceField, otherAssets, duplicatedFrom = "", destination } = draft;
  const metadata = new Map(Object.entries(draft.metadata));
  const taken = <T>(name: string, isSame: (value: unknown) => value is T): T | undefined => {
    const value = metadata.get(name);
    if (!isSame(value)) return undefined;
    metadata.delete(name);
    return value;
  };
  const options = eachOption((name) => {
    const isSame = (value: unknown): value is string | number => takesOption(type, name) && isReadAs(name, value);
    return String(taken(name, isSame) ?? "");
  });
  const background = taken("background", (value): value is "transparent" => value === "transparent");
  // The form names the folder of exact files itself, so theirs may be any.
  const isOwn = destination?.exact !== undefined || destination?.root.toString() === root;
  const place = isOwn ? destination : undefined;
  const exact = place?.exact && { root: place.root.toString(), files: place.exact };
  const elsewhere =
    destination === undefined || place !== undefined
      ? {}
      : { place: { root: destination.root.toString(), path: destination.path } };
  return {
    fields: {
      ...emptyMediaFields(type, model),
      prompt: promptOf(draft),
      ...options,
      ...(background === undefined ? {} : { isTransparent: true }),
      ...(place === undefined ? {} : { isPlaced: true, destination: place.path, ...definedFields({ exact }) }),
    },
    carried: { referenceField, otherAssets, metadata: Object.fromEntries(metadata), duplicatedFrom, ...elsewhere },
  };
}

/** Adds what is carried over, without its place. Values of the fields take precedence. */
export function withCarried(draft: TaskDraft, carried: CarriedOver | undefined): TaskDraft {
  if (carried === undefined) return draft;
  const { place: _place, ...rest } = carried;
  return { ...draft, ...rest, metadata: { ...carried.metadata, ...draft.metadata } };
}

/** What is carried over once the person has left it out: the new task still names the one that it is made from. */
export function withoutCarried({ duplicatedFrom }: CarriedOver): CarriedOver {
  return { duplicatedFrom, referenceField: defaultReferenceField, metadata: {}, otherAssets: {} };
}

/** Makes the draft from fields without a problem. Several tasks get consecutive seeds, and the same place: each gets a free name there. */
export function draftOfFields(
  fields: MediaFields,
  references: readonly Reference[],
  destination: DraftDestination | undefined,
): TaskDraft {
  const { type, count } = fields;
  const { seed, ...common } = optionsOf(fields);
  const draft: TaskDraft = {
    ...emptyDraft,
    type,
    references,
    model: fields.model.trim(),
    prompts: Array.from({ length: count }, () => fields.prompt.trim()),
    metadata: { ...withCommon({}, common), ...(fields.isTransparent === true ? { background: "transparent" } : {}) },
  };
  if (count === 1)
    return { ...draft, metadata: withCommon(draft.metadata, { seed }), ...definedFields({ destination }) };
  const each = draft.prompts.map((_, at) => {
    const own = seed === undefined ? undefined : seed + at;
    const metadata = withCommon({}, { seed: own });
    return { words: own === undefined ? "" : `seed: ${own}`, metadata, ...definedFields({ destination }) };
  });
  return { ...draft, each };
}

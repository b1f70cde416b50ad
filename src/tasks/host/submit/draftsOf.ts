/** Makes the draft from the prompts of a `*.prompts.md` file, with the settings of their directives. */
import { createHash } from "node:crypto";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { definedFields } from "../../../base/definedFields";
import { headingText, optionsText } from "../../../domain/lock/lockFile";
import { optionsBy } from "../../../domain/task/commonOptions";
import type { TaskType } from "../../../domain/task/task";
import { withoutEnding } from "../../../domain/task/taskTypes";
import { listedKeys, type PromptSettings } from "../../prompts/directives";
import type { FilePrompt } from "../../prompts/parsePrompts";
import type { PromptVariant } from "../../prompts/variants";
import { cutLabel } from "../../../domain/words/label";
import { destinationProblem, nameFromPrompt } from "../../../domain/task/destination";
import { withCommon } from "../../submit/requestBody";
import { addressReference, type Reference } from "../../submit/references";
import { isReallyInside } from "../insideFolder";
import { readReference } from "./referenceSteps";
import { type DraftDestination, type DraftSource, type DraftVariant, emptyDraft, type TaskDraft } from "./taskDraft";

/**
 * A reference or destination of a prompt file can't be used. The task is not submitted without it: the person would pay for another result than
 * the file describes. The message is shown to the person.
 */
export class UnusableSetting extends Error {
  override readonly name = "UnusableSetting";
}

/** Makes one draft for all variants of the prompts, so that one question lists them all. Rejects with an `UnusableSetting`. */
export async function draftOfPrompts(
  document: vscode.TextDocument,
  prompts: readonly FilePrompt[],
  limit: number,
): Promise<TaskDraft> {
  const variants = prompts.flatMap((prompt) => prompt.variants);
  const likelyType = likelyTypeOf(variants);
  const sources = prompts.flatMap((prompt) => prompt.variants.map((variant) => sourceOf(document, prompt, variant)));
  return draftOf(
    { ...emptyDraft, source: document.uri, sources, ...definedFields({ likelyType }) },
    variants,
    document.uri,
    limit,
  );
}

function sourceOf(document: vscode.TextDocument, { heading }: FilePrompt, variant: PromptVariant): DraftSource {
  const place = {
    document: document.uri.toString(),
    heading: headingText(document.lineAt(heading).text),
    optionsSha256: createHash("sha256").update(optionsText(variant.settings)).digest("hex"),
  };
  return { prompt: variant.text, place };
}

/** Guesses the type from the variants that set none: a duration suggests a video, and a size without a duration suggests a picture. */
function likelyTypeOf(variants: readonly PromptVariant[]): TaskType | undefined {
  const settings = variants.map((one) => one.settings).filter(({ type }) => type === undefined);
  if (settings.length === 0) return undefined;
  if (settings.every(({ duration }) => duration !== undefined)) return "video";
  return settings.every(({ size, duration }) => size !== undefined && duration === undefined)
    ? "async-image"
    : undefined;
}

/** Settings in which the variants differ go into `each`, the others into the draft. Rejects with an `UnusableSetting`. */
export async function draftOf(
  before: TaskDraft,
  variants: readonly PromptVariant[],
  document: vscode.Uri,
  limit: number,
): Promise<TaskDraft> {
  const draft = { ...before, prompts: variants.map(({ text }) => text) };
  const [first] = variants;
  if (first === undefined) return draft;
  const differs = (key: (typeof ownKeys)[number]): boolean =>
    variants.some(({ settings }) => JSON.stringify(settings[key]) !== JSON.stringify(first.settings[key]));
  const own = ownKeys.filter(differs);
  // If every variant has a type or model of its own, the draft takes that of the first, so that the person is not asked for any.
  const isShared = (key: string): boolean =>
    own.every((one) => one !== key) ||
    ((key === "type" || key === "model") && variants.every(({ settings }) => settings[key] !== undefined));
  const shared = Object.fromEntries(Object.entries(first.settings).filter(([key]) => isShared(key)));
  const made = await withSettings(draft, shared, document, limit);
  if (variants.every(({ chosen }) => chosen.length === 0) && own.length === 0) return made;
  const each: DraftVariant[] = [];
  for (const variant of variants) each.push(await ownPart(variant, own, draft, document, limit));
  return { ...made, each };
}

const ownKeys = [...listedKeys, "type", "references", "destination"] as const;

async function ownPart(
  { text, settings, chosen }: PromptVariant,
  own: readonly (typeof ownKeys)[number][],
  draft: TaskDraft,
  document: vscode.Uri,
  limit: number,
): Promise<DraftVariant> {
  const mine = Object.fromEntries(own.map((key) => [key, settings[key]])) as PromptSettings;
  const { type, model, references, destination } = mine;
  const pictures = own.includes("references")
    ? (await withReferences(draft, references ?? [], document, limit)).references
    : undefined;
  return {
    words: chosen.map(({ name, value }) => `${name}: ${cutLabel(value, 40)}`).join(", "),
    metadata: optionsBy((name) => mine[name]),
    ...definedFields({
      type,
      model,
      references: pictures,
      destination:
        destination === undefined ? undefined : placeOf(destination, { ...draft, prompts: [text] }, document),
    }),
  };
}

/** Settings of a directive replace those of the draft; references are added. */
async function withSettings(
  draft: TaskDraft,
  settings: PromptSettings,
  document: vscode.Uri,
  limit: number,
): Promise<TaskDraft> {
  const { type, model, references = [], destination } = settings;
  const metadata = withCommon(
    draft.metadata,
    optionsBy((name) => settings[name]),
  );
  const place = destination === undefined ? undefined : placeOf(destination, draft, document);
  const set = { ...draft, metadata, ...definedFields({ type, model, destination: place }) };
  return withReferences(set, references, document, limit);
}

async function withReferences(
  draft: TaskDraft,
  names: readonly string[],
  document: vscode.Uri,
  limit: number,
): Promise<TaskDraft> {
  const read: Reference[] = [];
  for (const name of names) {
    const address = addressReference(name);
    if (typeof address === "object") {
      read.push(address);
      continue;
    }
    const file = await resolve(name, document);
    if (file === undefined) throw new UnusableSetting(t("The reference {0} is outside of the workspace.", name));
    const reference = await readReference(file, limit);
    if (typeof reference === "string") throw new UnusableSetting(reference);
    read.push(reference);
  }
  // A text that is edited once more names the references again that the draft has from it.
  const added = read.filter(({ name, url }) => !draft.references.some((one) => one.name === name && one.url === url));
  return { ...draft, references: [...draft.references, ...added] };
}

/** Resolves a path from the document's folder, inside the workspace. An unsaved document may name any file, because a person dropped it there. */
async function resolve(name: string, document: vscode.Uri): Promise<vscode.Uri | undefined> {
  const isUntitled = document.scheme === "untitled";
  if (isUntitled && name.startsWith("file:")) return vscode.Uri.parse(name);
  const folder = documentFolder(document);
  if (!folder || name.includes(":")) return undefined;
  const file = vscode.Uri.joinPath(folder, name);
  const root = vscode.workspace.getWorkspaceFolder(file);
  return root && (await isReallyInside(file, root.uri)) ? file : undefined;
}

/** The folder that relative paths of a document start from. */
export function documentFolder(document: vscode.Uri): vscode.Uri | undefined {
  const own = vscode.workspace.getWorkspaceFolder(document);
  return own && document.scheme !== "untitled"
    ? vscode.Uri.joinPath(document, "..")
    : vscode.workspace.workspaceFolders?.[0]?.uri;
}

function placeOf(path: string, { prompts }: TaskDraft, document: vscode.Uri): DraftDestination {
  const folder = documentFolder(document);
  const root = folder && vscode.workspace.getWorkspaceFolder(folder)?.uri;
  const isFolder = path.endsWith("/");
  const name = isFolder ? path + nameFromPrompt(prompts[0] ?? "") : withoutEnding(path);
  // A variable may have put anything into the path, so it is checked here.
  if (!root || destinationProblem(name) !== undefined)
    throw new UnusableSetting(t("The destination {0} is no path inside of the workspace.", path));
  const file = vscode.Uri.joinPath(folder, name);
  const place = { root, path: file.path.slice(root.path.replace(/\/$/, "").length + 1) };
  return isFolder ? { ...place, isFolder } : place;
}

/** The files of the project that were made here, as facts in groups for their page. Pure, so that it can be tested without an editor. */
import { definedFields } from "../../../base/definedFields";
import {
  type AssetFile,
  type AssetGroup,
  assetGroups,
  type AssetUse,
  groupOf,
  oversizeOf,
} from "../../../domain/task/assetGroups";
import type { CheckedFile } from "../../lock/lockStates";
import { listedFacts } from "../../../domain/words/lockWords";
import { mediaKindOf } from "../../../domain/task/taskTypes";
import type { Task } from "../../../domain/task/task";
import type { AssetAction, AssetRow, FoundAssets } from "../../contract/assetsPageContract";
import { actionsOf, isRehearsed } from "../../view/taskActions";

/** One file that was made here. */
export interface FoundAsset {
  /** Its URI. */
  readonly file: string;
  /** Missing for a file that only `sluice.lock` lists, as in a clone on another machine. */
  readonly task?: Task | undefined;
  readonly now: AssetFile;
  readonly uses: readonly AssetUse[];
  /** The path of a small picture of the result, or of the file itself. */
  readonly picture?: string | undefined;
  /** Its line in `sluice.lock`; the state is missing until the file is checked. */
  readonly locked?: ListedAsset | undefined;
  /** The result that the lock lists is on this machine, while the file was changed. */
  readonly isRestorable?: boolean;
}

export type ListedAsset = Pick<CheckedFile, "entry"> & Partial<Pick<CheckedFile, "state">>;

export interface FoundContext extends Pick<FoundAssets, "lookedAt" | "documents" | "isIncomplete"> {
  /** The language by whose rules names are ordered. */
  readonly locale: string;
  /** The name under which a file is shown, by its URI. */
  readonly nameOf: (file: string) => string;
  /** The address by which the page may load a file of the results folder or of the project. */
  readonly urlOf: (path: string) => string;
}

/** The most rows of the page, and the most places that a row names. */
const maxRows = 500;
const maxUses = 8;

export function foundAssets(assets: readonly FoundAsset[], context: FoundContext): FoundAssets {
  const { documents, isIncomplete, lookedAt, locale, nameOf } = context;
  const groups = new Map<AssetGroup, AssetRow[]>(assetGroups.map((name) => [name, []]));
  let left = maxRows;
  const { compare } = new Intl.Collator(locale, { numeric: true });
  for (const asset of assets.toSorted((one, other) => compare(nameOf(one.file), nameOf(other.file)))) {
    const name = groupOf(asset.now, asset.uses, mediaKindOf(asset.file) === "image");
    if (name === undefined) continue;
    left -= 1;
    if (left >= 0) groups.get(name)?.push(assetRow(asset, name, context));
  }
  return {
    groups: [...groups].map(([name, rows]) => ({ name, rows })).filter(({ rows }) => rows.length > 0),
    lookedAt,
    documents,
    isIncomplete,
    more: Math.max(0, -left),
  };
}

function assetRow(asset: FoundAsset, group: AssetGroup, context: FoundContext): AssetRow {
  const { file, task, now, uses, picture, locked } = asset;
  const { nameOf, urlOf } = context;
  // A line that names the file twice counts as one place.
  const places = [...new Set(uses.map(({ document, line }) => `${nameOf(document)}:${line}`))];
  return {
    file,
    path: nameOf(file),
    ...(task === undefined ? madeElsewhere(locked) : taskFacts(task)),
    onDisk: now,
    uses: places.slice(0, maxUses),
    moreUses: Math.max(0, places.length - maxUses),
    actions: assetActionsOf(asset, group),
    ...definedFields({
      oversize: group === "too-large" ? oversizeOf(now, uses) : undefined,
      picture: picture === undefined ? undefined : urlOf(picture),
      locked: locked?.state === "good" ? undefined : locked?.state,
    }),
  };
}

type MadeFacts = Pick<AssetRow, "prompt" | "opens" | "model" | "createdAt">;

function taskFacts({ intent: { prompt, createdAt } }: Task): MadeFacts {
  return { prompt, opens: "open-task", createdAt };
}

function madeElsewhere(locked: ListedAsset | undefined): MadeFacts {
  const facts = listedFacts(locked?.entry);
  return { ...facts, ...(facts.prompt === "" ? {} : { opens: "open-prompt" }) };
}

/** What helps there comes first. */
function assetActionsOf({ task, locked, isRestorable }: FoundAsset, group: AssetGroup): readonly AssetAction[] {
  // A placeholder is made real, not converted.
  if (task !== undefined && isRehearsed(task)) return ["make-real", "show"];
  const canConvert = task !== undefined && group === "too-large" && actionsOf(task).includes("convert");
  return [...repairsOf(locked, isRestorable === true), ...(canConvert ? (["convert"] as const) : []), "show"];
}

function repairsOf(locked: ListedAsset | undefined, isRestorable: boolean): readonly AssetAction[] {
  switch (locked?.state) {
    case "stale":
      return ["make-again"];
    case "rehearsed":
      return locked.entry.prompt === undefined ? [] : ["make"];
    case "foreign":
      return isRestorable ? ["restore", "keep"] : ["keep"];
    case "good":
    case "missing":
    case "outside":
    case "not-a-file":
    case "too-large":
    case "unreadable":
    case undefined:
      return [];
  }
}

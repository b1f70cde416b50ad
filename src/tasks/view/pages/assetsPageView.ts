/** What of the project was made here as its page shows it: the words are chosen here. Pure, so that it can be tested without an editor. */
import { t } from "@vscode/l10n";
import { definedFields } from "../../../base/definedFields";
import {
  type AssetFile,
  type AssetGroup,
  assetGroups,
  type AssetUse,
  groupOf,
  oversizeOf,
} from "../../../domain/task/assetGroups";
import { mediaKindOf } from "../../../domain/task/taskTypes";
import { acceptedOf } from "../../../domain/task/phase";
import type { Task } from "../../../domain/task/task";
import { cutLabel } from "../../../domain/words/label";
import { plural } from "../../../domain/words/plural";
import { groupedNumber, pixelWords, sizeWords } from "../../../domain/words/sizeWords";
import type { AssetAction, AssetRowView, AssetsView } from "../../contract/assetsPageContract";
import { actionsOf } from "../taskActions";
import { createTimes } from "../../../domain/words/timeFormats";

/** One file that was made here. */
export interface Asset {
  /** Its URI. */
  readonly file: string;
  readonly task: Task;
  readonly now: AssetFile;
  readonly uses: readonly AssetUse[];
  /** The path of a small picture of the result. */
  readonly picture?: string | undefined;
}

export interface AssetsContext {
  /** Milliseconds since 1970; `lookedAt`: when the project was looked through. */
  readonly now: number;
  readonly lookedAt: number;
  readonly locale: string;
  readonly documents: number;
  readonly isIncomplete: boolean;
  /** A file as it is shown, by its URI. */
  readonly nameOf: (file: string) => string;
  /** The address by which the page may load a file of the results folder. */
  readonly urlOf: (path: string) => string;
}

/** Rows of the page, and places that a row names. */
const maxRows = 500;
const maxUses = 8;

export function assetsView(assets: readonly Asset[], context: AssetsContext): AssetsView {
  const { documents, isIncomplete, lookedAt, locale, now, nameOf } = context;
  const groups = new Map<AssetGroup, AssetRowView[]>(assetGroups.map((name) => [name, []]));
  let left = maxRows;
  const { compare } = new Intl.Collator(locale, { numeric: true });
  for (const asset of assets.toSorted((one, other) => compare(nameOf(one.file), nameOf(other.file)))) {
    const name = groupOf(asset.now, asset.uses, mediaKindOf(asset.file) === "image");
    if (name === undefined) continue;
    left -= 1;
    if (left >= 0) groups.get(name)?.push(assetRow(asset, name, context));
  }
  const at = createTimes(locale, now).short(lookedAt);
  const shown = groupedNumber(documents);
  const read = plural(documents, { one: "1 document was read.", other: "{0} documents were read." }, shown);
  const incomplete = [
    ...(isIncomplete ? [t("Some documents were not read in full: too large, too deep, too many or linked.")] : []),
    ...(left < 0
      ? [plural(-left, { one: "1 more file is not listed.", other: "{0} more files are not listed." })]
      : []),
  ];
  return {
    groups: [...groups].map(([name, rows]) => ({ name, rows })).filter(({ rows }) => rows.length > 0),
    summary: [at, read].join(" · "),
    ...definedFields({ incomplete: incomplete.length === 0 ? undefined : incomplete.join(" ") }),
  };
}

function assetRow({ file, task, now, uses, picture }: Asset, group: AssetGroup, context: AssetsContext): AssetRowView {
  const { nameOf, urlOf } = context;
  const { intent } = task;
  const { width, height, size } = now;
  const facts = [
    ...(width !== undefined && height !== undefined ? [pixelWords({ width, height })] : []),
    ...(size === undefined ? [] : [sizeWords(size)]),
    createTimes(context.locale, context.now).short(intent.createdAt),
  ];
  return {
    file,
    path: nameOf(file),
    title: cutLabel(intent.prompt),
    facts: facts.join(" · "),
    uses: uses.slice(0, maxUses).map(({ document, line }) => `${nameOf(document)}:${line}`),
    moreUses: Math.max(0, uses.length - maxUses),
    actions: assetActionsOf(task, file, group),
    ...definedFields({
      note: group === "too-large" ? oversizeWords(now, uses) : undefined,
      picture: picture === undefined ? undefined : urlOf(picture),
    }),
  };
}

/** The result itself can be written again; a picture that was converted is converted once more. */
function assetActionsOf(task: Task, file: string, group: AssetGroup): readonly AssetAction[] {
  const canConvert = actionsOf(task).includes("convert");
  switch (group) {
    case "missing": {
      const isResult = acceptedOf(task)?.placement?.file === file;
      return [...(isResult ? ["restore" as const] : canConvert ? ["convert" as const] : []), "forget"];
    }
    case "too-large":
      return canConvert ? ["convert", "show"] : ["show"];
    case "used":
    case "unused":
      return ["show"];
  }
}

function oversizeWords(now: AssetFile, uses: readonly AssetUse[]): string {
  const { shownWidth, isHeavy } = oversizeOf(now, uses) ?? {};
  return [
    ...(shownWidth === undefined
      ? []
      : [t("Shown {0} pixels wide at most, and has {1}.", groupedNumber(shownWidth), groupedNumber(now.width ?? 0))]),
    ...(isHeavy === true ? [t("{0} is much for a picture in a page.", sizeWords(now.size ?? 0))] : []),
  ].join(" ");
}

/** The files of a project that were made here, in the words and numbers of the reader's language. Without the DOM, so that it can be tested without a browser. */
import { t } from "@vscode/l10n";
import { plural } from "../../domain/words/plural";
import { groupedNumber, pixelWords, sizeWords } from "../../domain/words/sizeWords";
import type { Times } from "../../domain/words/timeFormats";
import type { AssetRow, FoundAssets } from "../contract/assetsPageContract";

/** Says when the project was searched, and how many documents were read. */
export function foundSummary({ lookedAt, documents }: FoundAssets, times: Times): string {
  const shown = groupedNumber(documents);
  const read = plural(documents, { one: "1 document was read.", other: "{0} documents were read." }, shown);
  return [times.short(lookedAt), read].join(" · ");
}

/** Sentences on documents and files that were left out; empty where there are none. */
export function leftOutWords({ isIncomplete, more }: FoundAssets): string {
  return [
    ...(isIncomplete ? [t("Some documents were not read in full: too large, too deep, too many or linked.")] : []),
    ...(more > 0 ? [plural(more, { one: "1 more file is not listed.", other: "{0} more files are not listed." })] : []),
  ].join(" ");
}

/** Pixels, bytes, day, and the model of a file that only `sluice.lock` lists. */
export function assetFacts({ onDisk: { width, height, size }, createdAt, model }: AssetRow, times: Times): string {
  return [
    ...(width !== undefined && height !== undefined ? [pixelWords({ width, height })] : []),
    ...(size === undefined ? [] : [sizeWords(size)]),
    ...(createdAt === undefined ? [] : [times.short(createdAt)]),
    ...(model === undefined ? [] : [model]),
  ].join(" · ");
}

/** Explains why the file is larger than needed; empty in the other groups. */
export function oversizeWords({ onDisk, oversize: { shownWidth, isHeavy } = {} }: AssetRow): string {
  return [
    ...(shownWidth === undefined
      ? []
      : [
          t("Shown {0} pixels wide at most, and has {1}.", groupedNumber(shownWidth), groupedNumber(onDisk.width ?? 0)),
        ]),
    ...(isHeavy === true ? [t("{0} is much for a picture in a page.", sizeWords(onDisk.size ?? 0))] : []),
  ].join(" ");
}

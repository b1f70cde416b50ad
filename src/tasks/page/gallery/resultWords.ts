/** The sentences about counts and marks of results, shown and announced. */
import { t } from "@vscode/l10n";
import { plural, textLanguage } from "../../../domain/words/plural";
import type { GalleryRow, GallerySnapshot, ResultIntent } from "../../contract/galleryPageContract";

/** The marks of an intent; what is left out stays as it is. */
export type JudgeFields = Omit<Extract<ResultIntent, { readonly type: "results-judge" }>, "type" | "tasks">;

export function hasMarks(row: GalleryRow, { rating, choice }: JudgeFields): boolean {
  return (
    (rating === undefined || (row.rating ?? 0) === rating) &&
    (choice === undefined || (row.choice ?? "none") === choice)
  );
}

export function resultWords(count: number): string {
  return plural(count, { one: "1 result", other: "{0} results" }, grouped(count));
}

/** `shown`: those that pass the filter, of the `known` ones. */
export function countWords(shown: number, known: number, { isComplete, total }: GallerySnapshot): string {
  if (!isComplete && total === 0) return t("Reading the tasks…");
  return shown !== known && isComplete
    ? plural(total, { one: "{0} of 1 result", other: "{0} of {1} results" }, grouped(shown), grouped(total))
    : resultWords(total);
}

function grouped(count: number): string {
  return count.toLocaleString(textLanguage());
}

export function selectedWords(count: number): string {
  return plural(count, { other: "{0} selected" }, grouped(count));
}

export function starWords(rating: number): string {
  return plural(rating, { one: "1 star", other: "{0} stars" });
}

/** For a screen reader. */
export function judgementWords(count: number, change: JudgeFields): string {
  return plural(count, { one: "1 result: {1}", other: "{0} results: {1}" }, grouped(count), marksWords(change));
}

function marksWords({ rating, choice }: JudgeFields): string {
  if (choice === "kept") return t("kept");
  if (choice === "rejected") return t("rejected");
  if (choice === "none") return t("no mark");
  return rating === undefined || rating === 0 ? t("no stars") : starWords(rating);
}

/**
 * One result in the grid: its picture or a tile in its place, the beginning of its prompt, and the person's marks. This file also has the sentences
 * about results, and shows the whole file of one.
 */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { isPicturePath } from "../../../domain/media/pictureTypes";
import { mediaFacts } from "../../../domain/task/taskTypes";
import { joinWords } from "../../../domain/words/joinWords";
import { cutLabel } from "../../../domain/words/label";
import { variantNames } from "../../../domain/words/variantNames";
import { textLanguage, plural } from "../../../domain/words/plural";
import { describeUnshown, failureWords, type PictureFailure, taskTypeName } from "../../../domain/words/taskTypeWords";
import type { GalleryRow, GallerySnapshot, ResultIntent } from "../../contract/galleryPageContract";
import { revealName } from "../../../webview/hiddenCharacters";
import { icon } from "../../../webview/pageParts";
import { taskActionLabel } from "../../../domain/words/taskActionWords";

export type SmallPicture =
  | { readonly state: "waiting" }
  | { readonly state: "ready"; readonly url: string }
  | { readonly state: "failed"; readonly why: PictureFailure };

/** The small pictures of results that came without a thumbnail, by the addresses of their files. */
interface CellPictures {
  readonly find: (address: string) => SmallPicture;
  /** Returns a small picture that was made already, and makes none. */
  readonly peek: (address: string) => SmallPicture | undefined;
}

export interface CellContext {
  /** The address of the results folder. */
  readonly base: string;
  readonly pictures: CellPictures;
  /** Addresses of thumbnails and videos that could not be loaded. */
  readonly failed: ReadonlySet<string>;
  readonly onFailed: (address: string) => void;
  /** The id of the video that the pointer is on. */
  readonly playing: string | undefined;
}

export interface CellPlace {
  readonly index: number;
  readonly count: number;
  readonly isSelected: boolean;
  /** The cell can be reached by Tab. */
  readonly isActive: boolean;
  /** Pixels. */
  readonly width: number;
}

/** The parts of a cell that depend on its result. */
interface CellParts {
  readonly media: TemplateResult;
  /** The lines below the picture. */
  readonly lines: readonly unknown[];
  readonly spoken: string;
  readonly title: string;
}

export function resultCell(row: GalleryRow, place: CellPlace, context: CellContext): TemplateResult {
  const line = html`<span class="cell-prompt">${labelOf(row)}</span> ${cellMarks(row)}`;
  const media = resultMedia(row, place, context);
  return cellOf(row, place, { media, lines: [line], spoken: spokenResult(row), title: aboutResult(row) });
}

/** The values in which a variant differs come first, because the prompts of a batch may begin alike. */
function labelOf({ prompt, variant }: GalleryRow, longest?: number): string {
  return [...variantNames(variant), cutLabel(prompt, longest)].map(revealName).join(" · ");
}

/** One option of the grid, with a mark that opens its menu for the pointer; keys and screen readers have the key for menus, and the bar below. */
export function cellOf(
  { id, choice }: GalleryRow,
  place: CellPlace,
  { media, lines, spoken, title }: CellParts,
): TemplateResult {
  return html`<div
    class="cell ${choice === "rejected" ? "rejected" : ""}"
    role="option"
    data-id=${id}
    draggable="true"
    tabindex=${place.isActive ? 0 : -1}
    aria-selected=${place.isSelected}
    aria-posinset=${place.index + 1}
    aria-setsize=${place.count}
    aria-label=${spoken}
    title=${title}
  >
    <div class="cell-frame">
      ${media} ${place.isSelected ? html`<span class="cell-check">${icon("check")}</span>` : nothing}
      <span class="cell-more">${icon("ellipsis")}</span>
    </div>
    ${lines.map((line) => html`<div class="cell-line">${line}</div>`)}
  </div>`;
}

/** The person's marks, at the end of a line. */
function cellMarks(row: GalleryRow): unknown {
  const { choice } = row;
  return [
    rehearsedMark(row),
    cellStars(row),
    choice === "kept" ? icon("pin") : choice === "rejected" ? icon("circle-slash") : nothing,
  ];
}

/** It is never cut: the prompt gives way to it. */
export function rehearsedMark({ isRehearsed }: GalleryRow): TemplateResult | typeof nothing {
  return isRehearsed === true ? html`<span class="cell-rehearsed">${t("rehearsed")}</span>` : nothing;
}

export function cellStars({ rating = 0 }: GalleryRow): TemplateResult | typeof nothing {
  return rating > 0 ? html`<span class="cell-stars">${"★".repeat(rating)}</span>` : nothing;
}

/** The sentence for a screen reader. */
function spokenResult(row: GalleryRow): string {
  const facts = [taskTypeName(row.type), ...spokenMarks(row), revealName(row.model), dayWords(row.at)];
  return t("{0}: {1}", labelOf(row), joinWords(facts));
}

export function spokenMarks({ rating = 0, choice, isRehearsed }: GalleryRow): readonly string[] {
  return [
    ...(isRehearsed === true ? [t("rehearsed")] : []),
    ...(rating > 0 ? [starWords(rating)] : []),
    ...(choice === "kept" ? [t("kept")] : choice === "rejected" ? [t("rejected")] : []),
  ];
}

function aboutResult(row: GalleryRow): string {
  return [labelOf(row, 300), [row.model, dayWords(row.at)].map(revealName).join(" · ")].join("\n");
}

/** One format for each language, because making one takes longer than using it for all cells in view. */
const formats = new Map<string, Intl.DateTimeFormat>();

function dayWords(at: number): string {
  const language = textLanguage();
  const format = formats.get(language) ?? new Intl.DateTimeFormat(language, { dateStyle: "medium" });
  formats.set(language, format);
  return format.format(at);
}

/** Whether the file of the result could not be found. */
export function isMissing({ file, kind }: GalleryRow, { base, pictures, failed }: CellContext): boolean {
  if (file === undefined) return false;
  const address = `${base}/${file}`;
  if (failed.has(address)) return true;
  const made = kind === "image" ? pictures.peek(address) : undefined;
  return made?.state === "failed" && made.why === "missing";
}

/** Pixels of the longer side of a thumbnail: in a wider cell it is blocky. */
const thumbnailSize = 240;

export function resultMedia(
  row: GalleryRow,
  { width }: Pick<CellPlace, "width">,
  context: CellContext,
): TemplateResult {
  const { kind, file, thumbnail } = row;
  const { base, failed, playing, onFailed } = context;
  if (file === undefined) return tile(t("The result is at the gateway."), "cloud-upload");
  const address = `${base}/${file}`;
  if (kind === "other") return unshown(t("type {0}", endingOf(file)));
  if (file === "") return unshown(t("its file is in another folder"));
  const { element } = mediaFacts(kind);
  const isPlayed = element !== "img";
  if (isPlayed && failed.has(address)) return unshown(t("the file is missing or damaged"));
  // The video lies over the still picture, which stays in view until the first frame is there.
  const moving = element === "video" && playing === row.id ? player(address, true, onFailed) : nothing;
  if (thumbnail !== undefined && thumbnail !== "" && !failed.has(`${base}/${thumbnail}`)) {
    const small = `${base}/${thumbnail}`;
    const isBlocky = width > thumbnailSize && !isPlayed && !isPicturePath(file, "script");
    const made = isBlocky ? context.pictures.find(address) : undefined;
    const shown = made?.state === "ready" ? picture(made.url, undefined) : picture(small, () => onFailed(small));
    return html`${shown}${isPlayed ? mark() : nothing}${moving}`;
  }
  if (element === "video") return html`${player(address, false, onFailed)}${mark()}${moving}`;
  // A sound has no picture of its own.
  if (isPlayed) return html`${tile(taskTypeName(row.type), "file")}${mark()}`;
  // An SVG may hold scripts and take any time to draw.
  if (isPicturePath(file, "script")) return unshown("SVG");
  const made = context.pictures.find(address);
  switch (made.state) {
    case "waiting":
      return html`<span class="cell-waits"></span>`;
    case "ready":
      return picture(made.url, undefined);
    case "failed":
      return made.why === "missing" ? missing() : unshown(failureWords(made.why));
  }
}

function picture(url: string, onError: (() => void) | undefined): TemplateResult {
  return html`<img src=${url} alt="" decoding="async" loading="lazy" draggable="false" @error=${onError} />`;
}

/** The player has no sound, because it plays while the pointer is on it. */
function player(url: string, isPlaying: boolean, onFailed: (address: string) => void): TemplateResult {
  return html`<video
    class=${isPlaying ? "cell-player" : ""}
    .muted=${true}
    ?autoplay=${isPlaying}
    ?loop=${isPlaying}
    src=${url}
    playsinline
    preload="metadata"
    tabindex="-1"
    aria-hidden="true"
    @error=${() => onFailed(url)}
  ></video>`;
}

function mark(): TemplateResult {
  return html`<span class="cell-video" aria-hidden="true">▶</span>`;
}

function missing(): TemplateResult {
  return tile(t("Missing: get the result again, or reject it."), "warning");
}

function unshown(why: string): TemplateResult {
  return tile(describeUnshown(why), "file-media");
}

function tile(words: string, name: "warning" | "file" | "file-media" | "cloud-upload"): TemplateResult {
  return html`<span class="cell-tile">${icon(name)}<span>${words}</span></span>`;
}

function endingOf(file: string): string {
  return /\.[^./]{1,20}$/.exec(file)?.[0] ?? t("unknown");
}

// Sentences for the counts and marks of results, which are shown and announced.

/** The marks of an intent; a field that is left out stays as it is. */
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

/** The sentence for a screen reader. */
export function judgementWords(count: number, change: JudgeFields): string {
  return plural(count, { one: "1 result: {1}", other: "{0} results: {1}" }, grouped(count), marksWords(change));
}

function marksWords({ rating, choice }: JudgeFields): string {
  if (choice === "kept") return t("kept");
  if (choice === "rejected") return t("rejected");
  if (choice === "none") return t("no mark");
  return rating === undefined || rating === 0 ? t("no stars") : starWords(rating);
}

// Shows the whole file of a result, or why it is not shown.

interface WholeMediaContext {
  /** Whether the file at that address may be given to an element. */
  readonly outcome: (address: string) => "waits" | "fits" | PictureFailure;
  readonly onError: () => void;
  /** Called when the time of a video has changed. */
  readonly onTime: (() => void) | undefined;
  readonly openFile: () => void;
}

export function wholeMedia(row: GalleryRow, address: string, context: WholeMediaContext): TemplateResult {
  if (isPicturePath(address, "script")) return unshownWhole("SVG", context);
  const outcome = context.outcome(address);
  if (outcome === "waits") return html`<span class="cell-waits"></span>`;
  if (outcome !== "fits") return unshownWhole(failureWords(outcome), context);
  const { onError, onTime = nothing } = context;
  const words = revealName(cutLabel(row.prompt));
  switch (elementOf(row)) {
    case "video":
      return html`<video
        src=${address}
        .muted=${true}
        loop
        playsinline
        preload="auto"
        aria-label=${words}
        @timeupdate=${onTime}
        @error=${onError}
      ></video>`;
    case "audio":
      return html`<audio src=${address} controls preload="metadata" aria-label=${words} @error=${onError}></audio>`;
    case "img":
    case undefined:
      return html`<img src=${address} alt=${words} decoding="async" draggable="false" @error=${onError} />`;
  }
}

export function elementOf({ kind }: GalleryRow): "img" | "video" | "audio" | undefined {
  return kind === "other" ? undefined : mediaFacts(kind).element;
}

function unshownWhole(why: string, { openFile }: WholeMediaContext): TemplateResult {
  return html`<div class="pane-unshown">
    ${unshown(why)}
    <button type="button" class="button secondary" @click=${openFile}>${taskActionLabel("open-result")}</button>
  </div>`;
}

/** The bar below the grid: what can be done with the selected results; without any, the keys. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { taskActionLabel } from "../../domain/words/taskActionWords";
import { maxRating } from "../../domain/task/judgement";
import { type GalleryAction, galleryActions, type GalleryRow, offersAction } from "../../protocol/galleryPageContract";
import { type JudgeFields, selectedWords, starWords } from "./resultWords";

export interface SelectionBarContext {
  /** The rows that an action is for. */
  readonly targets: readonly GalleryRow[];
  /** Whether they are selected, and not the one with the focus. */
  readonly isSelection: boolean;
  /** The result is not on this machine, or its file was not found. */
  readonly isLacking: (row: GalleryRow) => boolean;
  readonly isMenuOpen: boolean;
  readonly toggleMenu: () => void;
  readonly judge: (change: JudgeFields) => void;
  readonly act: (action: GalleryAction) => void;
  /** Missing where they can't be compared. */
  readonly compare: (() => void) | undefined;
}

/** Always in view; the others are in the list that the button beside them opens. */
const firstActions: readonly GalleryAction[] = ["open-task", "get-result"];

/** Those that are for one result only. */
const singleActions: readonly GalleryAction[] = ["make-video", "convert"];

export function selectionBar(context: SelectionBarContext): TemplateResult {
  const { targets, isSelection, isMenuOpen, toggleMenu } = context;
  if (targets.length === 0 || !isSelection) {
    return html`<div class="selection-bar">
      <p class="quiet-text">
        ${t("Arrow keys move, Space selects, Enter opens, 1 to 5 rate, 0 clears, K keeps, X rejects, C compares.")}
      </p>
    </div>`;
  }
  const offered = galleryActions.filter((action) => isOfferedFor(action, context));
  const others = offered.filter((action) => !firstActions.includes(action));
  return html`<div class="selection-bar" @keydown=${(event: KeyboardEvent) => closeByKey(event, context)}>
    ${
      isMenuOpen
        ? html`<ul class="more-actions">
            ${others.map((action) => html`<li>${actionButton(action, context, "quiet")}</li>`)}
          </ul>`
        : nothing
    }
    <div class="selection-line" role="toolbar" aria-label=${t("Selected results")}>
      <span class="selection-count">${selectedWords(targets.length)}</span>
      ${judgeButtons(context)}
      ${
        context.compare === undefined
          ? nothing
          : html`<button type="button" class="button secondary" @click=${context.compare}>${t("Compare")}</button>`
      }
      ${firstActions.filter((action) => offered.includes(action)).map((action) => actionButton(action, context, "secondary"))}
      <button
        type="button"
        class="button secondary more codicon codicon-ellipsis"
        title=${t("More Actions…")}
        aria-label=${t("More Actions…")}
        aria-expanded=${isMenuOpen}
        @click=${toggleMenu}
      ></button>
    </div>
  </div>`;
}

/** It is offered where it can be done with one of them at least, and done with those. */
function isOfferedFor(action: GalleryAction, { targets, isLacking }: SelectionBarContext): boolean {
  if (singleActions.includes(action) && targets.length > 1) return false;
  return targets.some((row) => offersAction(row, action) && (action !== "get-result" || isLacking(row)));
}

function judgeButtons({ targets, judge }: SelectionBarContext): TemplateResult {
  const all = (choice: "kept" | "rejected"): boolean => targets.every((row) => row.choice === choice);
  const [isKept, isRejected] = [all("kept"), all("rejected")];
  const ratings = new Set(targets.map(({ rating = 0 }) => rating));
  const rating = ratings.size === 1 ? ([...ratings][0] ?? 0) : 0;
  return html`<button
      type="button"
      class="button ${isKept ? "" : "secondary"}"
      aria-pressed=${isKept}
      title=${t("Keep (K)")}
      @click=${() => judge({ choice: isKept ? "none" : "kept" })}
    >
      ${t("Keep")}
    </button>
    <button
      type="button"
      class="button ${isRejected ? "" : "secondary"}"
      aria-pressed=${isRejected}
      title=${t("Reject (X)")}
      @click=${() => judge({ choice: isRejected ? "none" : "rejected" })}
    >
      ${t("Reject")}
    </button>
    <span class="stars" role="group" aria-label=${t("Rating")}>
      ${Array.from({ length: maxRating }, (_, place) => {
        const stars = place + 1;
        return html`<button
          type="button"
          class="star"
          aria-label=${starWords(stars)}
          aria-pressed=${stars <= rating}
          @click=${() => judge({ rating: stars === rating ? 0 : stars })}
        >
          ${stars <= rating ? "★" : "☆"}
        </button>`;
      })}
    </span>`;
}

function actionButton(
  action: GalleryAction,
  { act }: SelectionBarContext,
  look: "secondary" | "quiet",
): TemplateResult {
  return html`<button type="button" class="button ${look}" @click=${() => act(action)}>
    ${taskActionLabel(action)}
  </button>`;
}

function closeByKey(event: KeyboardEvent, { isMenuOpen, toggleMenu }: SelectionBarContext): void {
  if (event.key !== "Escape" || !isMenuOpen) return;
  event.preventDefault();
  event.stopPropagation();
  if (event.currentTarget instanceof Element) event.currentTarget.querySelector<HTMLElement>(".more")?.focus();
  toggleMenu();
}

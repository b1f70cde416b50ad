/** The bar below the grid: what can be done with the selected results; without any, the keys. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { taskActionLabel } from "../../../domain/words/taskActionWords";
import { maxRating } from "../../../domain/task/judgement";
import {
  type GalleryAction,
  galleryActions,
  type GalleryRow,
  maxResults,
  offersAction,
} from "../../contract/galleryPageContract";
import { moreButton } from "../../../webview/pageParts";
import { moveInList } from "../../../webview/keys";
import { type JudgeFields, selectedWords, starWords } from "./resultCell";

interface SelectionBarContext {
  /** The selected rows. */
  readonly targets: readonly GalleryRow[];
  /** Whether the result is not on this machine, or its file was not found. */
  readonly isLacking: (row: GalleryRow) => boolean;
  readonly isMenuOpen: boolean;
  readonly toggleMenu: (button: HTMLElement) => void;
  /** The actions that are always in view; the others are in the menu that the button next to them opens. */
  readonly firstActions: readonly GalleryAction[];
  readonly judge: (change: JudgeFields) => void;
  readonly act: (action: GalleryAction) => void;
  /** Enlarges one result, or shows several side by side. Missing where they can't be shown. */
  readonly compare: (() => void) | undefined;
  /** The sentence that results were rejected, which may be hidden now; `undo` takes that back. */
  readonly lastMarks: string | undefined;
  readonly undo: () => void;
}

/** The actions for one result only: several results would open as many tabs or ask as many times. */
const singleActions: ReadonlySet<GalleryAction> = new Set(["open-task", "open-result", "make-video", "convert"]);

export function selectionBar(context: SelectionBarContext): TemplateResult {
  const { targets, isMenuOpen, toggleMenu, firstActions, compare } = context;
  if (targets.length === 0) return html`<div class="selection-bar">${withoutSelection(context)}</div>`;
  const [, another] = targets;
  const offered = offeredActions(context);
  const hasOthers = offered.some((action) => !firstActions.includes(action));
  const toggle = ({ currentTarget }: Event): void => {
    if (currentTarget instanceof HTMLElement) toggleMenu(currentTarget);
  };
  return html`<div class="selection-bar">
    <div class="selection-line" role="toolbar" aria-label=${t("Selected results")}>
      <span class="selection-count">${selectedWords(targets.length)}</span>
      ${judgeButtons(context)}
      ${
        compare === undefined
          ? nothing
          : html`<button type="button" class="button secondary" @click=${compare}>
              ${another === undefined ? t("Enlarge") : t("Compare")}
            </button>`
      }
      ${firstActions.filter((action) => offered.includes(action)).map((action) => actionButton(action, context, "secondary"))}
      ${hasOthers ? html`<span @mousedown=${keepFocus}>${moreButton(isMenuOpen, toggle)}</span>` : nothing}
      ${undoParts(context)}
    </div>
  </div>`;
}

function withoutSelection(context: SelectionBarContext): TemplateResult {
  if (context.lastMarks !== undefined) return html`<div class="selection-line">${undoParts(context)}</div>`;
  return html`<p class="quiet-text">
    ${t("Arrow keys move, Space selects, Enter opens, 1 to 5 rate, 0 clears, K keeps, X rejects, C compares.")}
  </p>`;
}

function undoParts({ lastMarks, undo }: SelectionBarContext): TemplateResult | typeof nothing {
  if (lastMarks === undefined) return nothing;
  return html`<span class="selection-marked">${lastMarks}</span>
    <button type="button" class="button secondary" @click=${undo}>${t("Undo")}</button>`;
}

type OfferContext = Pick<SelectionBarContext, "targets" | "isLacking">;

/** Offers an action that at least one of the results allows; it is done with those. None for more results than one message holds. */
export function offeredActions({ targets, isLacking }: OfferContext): readonly GalleryAction[] {
  if (targets.length > maxResults) return [];
  return galleryActions.filter(
    (action) =>
      (targets.length === 1 || !singleActions.has(action)) && targets.some((row) => canActOn(action, row, isLacking)),
  );
}

/** Only a result whose file is not here is fetched: each download takes the gateway's time and the file's place. */
export function canActOn(action: GalleryAction, row: GalleryRow, isLacking: OfferContext["isLacking"]): boolean {
  return offersAction(row, action) && (action !== "get-result" || isLacking(row));
}

/** The actions as a list of buttons, in the bar or at the pointer. */
export function actionList(
  actions: readonly GalleryAction[],
  context: Pick<SelectionBarContext, "act">,
): TemplateResult {
  return html`<ul class="more-actions" @keydown=${moveInList}>
    ${actions.map((action) => html`<li>${actionButton(action, context, "quiet")}</li>`)}
  </ul>`;
}

function judgeButtons({ targets, judge }: SelectionBarContext): TemplateResult {
  const all = (choice: "kept" | "rejected"): boolean => targets.every((row) => row.choice === choice);
  const [isKept, isRejected] = [all("kept"), all("rejected")];
  const ratings = new Set(targets.map(({ rating = 0 }) => rating));
  const rating = ratings.size === 1 ? ([...ratings][0] ?? 0) : 0;
  return html`<button
      type="button"
      class="button selection-keep ${isKept ? "" : "secondary"}"
      aria-pressed=${isKept}
      title=${t("Keep (K)")}
      @click=${() => judge({ choice: isKept ? "none" : "kept" })}
    >
      ${isKept ? t("Kept ✓") : t("Keep")}
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
  { act }: Pick<SelectionBarContext, "act">,
  look: "secondary" | "quiet",
): TemplateResult {
  return html`<button type="button" class="button ${look}" @click=${() => act(action)}>
    ${taskActionLabel(action)}
  </button>`;
}

/** Keeps the focus where it is: the menu closes when it loses the focus, and the click on its button would open it again. */
function keepFocus(event: MouseEvent): void {
  event.preventDefault();
}

// Lists the actions for the selected results: at the pointer, at the cell where a key has opened the list, or above the button of the bar.

interface PointerMenuHandlers {
  readonly redraw: () => void;
  readonly focusGrid: () => void;
}

export class PointerMenu {
  readonly #handlers: PointerMenuHandlers;
  #place: { readonly x: number; readonly y: number } | undefined;
  /** The button of the bar that has opened the menu. */
  #opener: HTMLElement | undefined;

  constructor(handlers: PointerMenuHandlers) {
    this.#handlers = handlers;
  }

  get isOpen(): boolean {
    return this.#place !== undefined;
  }

  get isOfBar(): boolean {
    return this.#opener !== undefined;
  }

  open(x: number, y: number, opener?: HTMLElement): void {
    this.#place = { x, y };
    this.#opener = opener;
    this.#handlers.redraw();
  }

  /** Opens the menu above that button, or closes it. */
  toggle(button: HTMLElement): void {
    if (this.isOfBar) {
      this.leave();
      return;
    }
    const { left, top } = button.getBoundingClientRect();
    this.open(left, top, button);
  }

  close(): void {
    this.#place = undefined;
    this.#opener = undefined;
    this.#handlers.redraw();
  }

  /** Closes the menu and gives the focus back to where it came from. */
  leave(): void {
    const opener = this.#opener;
    this.close();
    if (opener?.isConnected === true) opener.focus();
    else this.#handlers.focusGrid();
  }

  render(list: () => TemplateResult): TemplateResult | typeof nothing {
    if (!this.isOpen) return nothing;
    return html`<div
      class="pointer-menu"
      role="group"
      aria-label=${t("More Actions…")}
      @focusout=${this.#onFocusOut}
      @keydown=${this.#onKeyDown}
    >
      ${list()}
    </div>`;
  }

  /** Places the menu within the window after each render, and gives the focus to its first action. */
  rendered(): void {
    const element = document.querySelector<HTMLElement>(".pointer-menu");
    if (element === null || this.#place === undefined) return;
    const { offsetWidth, offsetHeight } = element;
    const { clientWidth, clientHeight } = document.documentElement;
    const top = this.#place.y - (this.isOfBar ? offsetHeight : 0);
    element.style.left = `${Math.max(0, Math.min(this.#place.x, clientWidth - offsetWidth))}px`;
    element.style.top = `${Math.max(0, Math.min(top, clientHeight - offsetHeight))}px`;
    if (!element.contains(document.activeElement)) element.querySelector<HTMLElement>("button")?.focus();
  }

  readonly #onFocusOut = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    if (currentTarget instanceof Node && relatedTarget instanceof Node && currentTarget.contains(relatedTarget)) return;
    if (this.isOpen) this.close();
  };

  readonly #onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    this.leave();
  };
}

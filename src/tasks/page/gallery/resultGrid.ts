/** The grid of results as a list box: draws the rows near the view, keeps what is in view in its place when results come or the cells change their size, and moves the focus. */
import { t } from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import type { GalleryRow } from "../../contract/galleryPageContract";
import {
  anchorAt,
  drawnRange,
  type GridLayout,
  type GridRange,
  indexAfterKey,
  layoutGrid,
  scrollToAnchor,
  scrollToShow,
} from "./gridLayout";
import type { CellPlace } from "./resultCell";
import type { Selection } from "./selection";

export interface GridHandlers {
  readonly onKey: (event: KeyboardEvent) => void;
  readonly onClick: (id: string, event: MouseEvent) => void;
  readonly onDrag: (id: string, data: DataTransfer) => void;
  readonly onFocus: (id: string) => void;
  readonly onOpen: (id: string) => void;
  /** Is called with the result that the pointer is on, or with none. */
  readonly onPoint: (id: string | undefined) => void;
  /** Opens the menu at that place of the window, for the pointer or for the key for menus. */
  readonly onMenu: (id: string, x: number, y: number) => void;
  readonly redraw: () => void;
}

export interface GridState<Row extends GalleryRow> {
  readonly rows: readonly Row[];
  readonly selection: Selection;
  /** The least width of a cell. */
  readonly size: number;
  /** Lines of text below a picture. */
  readonly lines: number;
  readonly cell: (row: Row, place: CellPlace) => TemplateResult;
}

interface DrawnGrid {
  readonly rows: readonly GalleryRow[];
  readonly layout: GridLayout;
  readonly range: GridRange;
}

/** Pixels that a cell without its lines is higher than wide, so that the place of the picture is a square; and pixels between two lines. */
const captionEdges = 4;
const lineGap = 2;

export class ResultGrid<Row extends GalleryRow> {
  readonly #handlers: GridHandlers;
  readonly #observer: ResizeObserver;
  #scroller: HTMLElement | undefined;
  #drawn: DrawnGrid | undefined;
  /** The scroll position that the next render sets. */
  #scrollTop: number | undefined;
  /** The result that is to be in view after the next render; with the focus, where a key has led to it. */
  #revealed: { readonly id: string; readonly withFocus: boolean } | undefined;
  #hadFocus = false;
  /** The images that the last render has left in the grid. */
  #images: readonly HTMLImageElement[] = [];
  #width = Math.max(document.documentElement.clientWidth - 60, 1);
  #height = document.documentElement.clientHeight;

  constructor(handlers: GridHandlers) {
    this.#handlers = handlers;
    this.#observer = new ResizeObserver(() => handlers.redraw());
  }

  /** Reveals the result with the next render. */
  reveal(id: string, { withFocus = false } = {}): void {
    this.#revealed = { id, withFocus };
  }

  /** Scrolls with the next render, because other results are shown. */
  scrollToStart(): void {
    this.#scrollTop = 0;
  }

  indexAfter(key: string, index: number): number | undefined {
    if (this.#drawn === undefined) return undefined;
    const { layout } = this.#drawn;
    return indexAfterKey(key, index, layout, Math.floor(this.#height / layout.rowHeight));
  }

  render({ rows, selection, size, lines, cell }: GridState<Row>): TemplateResult {
    this.#hadFocus = this.#scroller?.contains(document.activeElement) === true;
    this.#measure();
    const layout = layoutGrid(rows.length, this.#width, size, this.#captionOf(lines));
    this.#placeView(rows, layout);
    const range = drawnRange(layout, this.#scrollTop ?? this.#scroller?.scrollTop ?? 0, this.#height);
    this.#drawn = { rows, layout, range };
    const drawn = rows.slice(range.first, range.end);
    const isActiveDrawn = drawn.some(({ id }) => id === selection.active);
    return html`<div
      class="results"
      role="listbox"
      aria-multiselectable="true"
      aria-label=${t("Results")}
      tabindex="-1"
      @scroll=${this.#onScroll}
      @keydown=${this.#handlers.onKey}
      @click=${this.#onClick}
      @dragstart=${(event: DragEvent) => withId(event, (id) => event.dataTransfer && this.#handlers.onDrag(id, event.dataTransfer))}
      @focusin=${(event: FocusEvent) => withId(event, this.#handlers.onFocus)}
      @dblclick=${(event: MouseEvent) => withId(event, this.#handlers.onOpen)}
      @contextmenu=${this.#onMenu}
      @pointerover=${(event: PointerEvent) => this.#handlers.onPoint(idAt(event))}
      @pointerleave=${() => this.#handlers.onPoint(undefined)}
    >
      <div class="results-height">
        <div class="cells">
          ${repeat(
            drawn,
            ({ id }) => id,
            (row, place) =>
              cell(row, {
                index: range.first + place,
                count: rows.length,
                isSelected: selection.selected.has(row.id),
                isActive: isActiveDrawn ? row.id === selection.active : place === 0,
                width: layout.cell,
              }),
          )}
        </div>
      </div>
    </div>`;
  }

  /** Sets sizes and places after each render, because the page's policy allows them to be set by script only. */
  rendered(): void {
    this.#follow();
    this.#endUnseenLoads();
    const scroller = this.#scroller;
    const [height, cells] = ["results-height", "cells"].map((name) => scroller?.querySelector<HTMLElement>(`.${name}`));
    if (!scroller || !height || !cells || !this.#drawn) return;
    const { layout, range } = this.#drawn;
    height.style.height = `${layout.height}px`;
    cells.style.transform = `translateY(${range.top}px)`;
    cells.style.setProperty("--columns", String(layout.columns));
    cells.style.setProperty("--cell", `${layout.cell}px`);
    cells.style.setProperty("--row", `${layout.rowHeight}px`);
    if (this.#scrollTop !== undefined) scroller.scrollTop = this.#scrollTop;
    this.#scrollTop = undefined;
    this.#setFocus(scroller);
  }

  /** Measures the view. While there is no element, the former sizes stay, at first those that the size of the page suggests. */
  #measure(): void {
    if (this.#scroller?.isConnected !== true) return;
    this.#width = Math.max(this.#scroller.clientWidth - 4, 1);
    this.#height = this.#scroller.clientHeight;
  }

  #captionOf(lines: number): number {
    const line = Number.parseFloat(getComputedStyle(this.#scroller ?? document.body).lineHeight);
    return lines * (Math.ceil(Number.isNaN(line) ? 20 : line) + lineGap) - lineGap + captionEdges;
  }

  /** If other rows or sizes would move the results in view, the scroll position follows them. */
  #placeView(rows: readonly GalleryRow[], layout: GridLayout): void {
    const before = this.#drawn;
    const scrollTop = this.#scrollTop ?? this.#scroller?.scrollTop ?? 0;
    const revealed = this.#revealed && rows.findIndex(({ id }) => id === this.#revealed?.id);
    if (revealed !== undefined && revealed >= 0) {
      this.#scrollTop = scrollToShow(layout, revealed, scrollTop, this.#height);
      return;
    }
    if (before === undefined || scrollTop === 0 || this.#scrollTop !== undefined) return;
    const isSame = before.layout.columns === layout.columns && before.layout.rowHeight === layout.rowHeight;
    if (isSame && before.rows === rows) return;
    const { index, offset } = anchorAt(before.layout, scrollTop);
    const anchor = before.rows[index]?.id;
    const now = rows.findIndex(({ id }) => id === anchor);
    if (now >= 0) this.#scrollTop = scrollToAnchor(layout, now, offset);
  }

  /** Ends the loading of removed pictures. They would be loaded to their end and stay in memory, and a jump over many rows would wait for all. */
  #endUnseenLoads(): void {
    for (const image of this.#images) {
      if (image.isConnected || image.complete) continue;
      image.addEventListener("error", (event) => event.stopImmediatePropagation(), { capture: true });
      // The attribute is emptied, because without it Chromium would wait for ever, and hold the element.
      image.src = "";
    }
    this.#images = [...document.querySelectorAll<HTMLImageElement>(".cells img")];
  }

  /** Observes the element, which is another one after the page was empty. */
  #follow(): void {
    const scroller = document.querySelector<HTMLElement>(".results") ?? undefined;
    if (scroller === this.#scroller) return;
    this.#observer.disconnect();
    this.#scroller = scroller;
    if (scroller) this.#observer.observe(scroller);
  }

  /** If the cell with the focus was removed, the focus goes to the one that can be reached by Tab, so that the keys go on. */
  #setFocus(scroller: HTMLElement): void {
    const { withFocus } = this.#revealed ?? { withFocus: false };
    this.#revealed = undefined;
    const hasLost = this.#hadFocus && !scroller.contains(document.activeElement);
    const hasMoved = this.#hadFocus && document.activeElement?.getAttribute("tabindex") !== "0";
    if (!withFocus && !hasLost && !hasMoved) return;
    const target = scroller.querySelector<HTMLElement>('[role="option"][tabindex="0"]') ?? scroller;
    target.focus({ preventScroll: true });
  }

  readonly #onClick = (event: MouseEvent): void =>
    withId(event, (id) => {
      if (isMenuMark(event.target)) this.#handlers.onMenu(id, event.clientX, event.clientY);
      else this.#handlers.onClick(id, event);
    });

  /** Replaces VS Code's own menu, which has nothing for a picture. The key for menus has no place, so the menu opens at the cell. */
  readonly #onMenu = (event: MouseEvent): void =>
    withId(event, (id) => {
      event.preventDefault();
      const { left, top } = cellAt(event)?.getBoundingClientRect() ?? { left: 0, top: 0 };
      const isByKey = event.button !== 2;
      this.#handlers.onMenu(
        id,
        isByKey ? left + menuOffset : event.clientX,
        isByKey ? top + menuOffset : event.clientY,
      );
    });

  /** Redraws only if other rows come near the view. */
  readonly #onScroll = (): void => {
    if (!this.#drawn || !this.#scroller) return;
    this.#measure();
    const { layout, range } = this.#drawn;
    const next = drawnRange(layout, this.#scroller.scrollTop, this.#height);
    if (next.first !== range.first || next.end !== range.end) this.#handlers.redraw();
  };
}

/** Pixels from the corner of a cell. */
const menuOffset = 8;

function isMenuMark(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(".cell-more") !== null;
}

function cellAt({ target }: Event): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(".cell") : null;
}

function idAt(event: Event): string | undefined {
  return cellAt(event)?.dataset["id"];
}

function withId(event: Event, use: (id: string) => unknown): void {
  const id = idAt(event);
  if (id !== undefined) use(id);
}

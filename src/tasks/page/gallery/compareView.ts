/** A dialog over the grid with one enlarged result, or two to four side by side: common zoom and pan, a wipe, videos in step, and differences. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { cutLabel } from "../../../domain/words/label";
import { plural } from "../../../domain/words/plural";
import { taskTypeName } from "../../../domain/words/taskTypeWords";
import { type GalleryRow, maxCompared, type ResultOptionsById } from "../../contract/galleryPageContract";
import type { WordRun } from "../../../webview/changedWords";
import { revealAll, revealName } from "../../../webview/hiddenCharacters";
import { PictureChecks } from "../../../webview/pictureChecks";
import { comparePrompts, differingFacts, panBy, wholePicture, type ZoomPan, zoomAt } from "./comparison";
import { elementOf, wholeMedia } from "./resultCell";

interface CompareHandlers {
  readonly redraw: () => void;
  readonly keep: (id: string, isKept: boolean) => void;
  /** Opens the file in the editor or viewer that VS Code chooses for it. */
  readonly openFile: (id: string) => void;
  /** Goes from an enlarged result to the one before or after it. */
  readonly step: (by: 1 | -1) => void;
  readonly closed: () => void;
}

interface CompareState {
  readonly base: string;
  readonly rows: readonly GalleryRow[];
  /** The options of the requests other than the prompt, by the ids of the tasks; the host sends them once it has read them. */
  readonly options: ResultOptionsById;
}

/** Whether a page can show the whole file of the result. */
export function isComparable({ file, kind }: GalleryRow): boolean {
  return file !== undefined && file !== "" && kind !== "other";
}

export function canCompare(rows: readonly GalleryRow[]): boolean {
  return rows.length > 0 && rows.length <= maxCompared && rows.every(isComparable);
}

/** One step of the wheel or of a key. */
const zoomStep = 1.25;
/** Pixels of one press of an arrow key. */
const panStep = 48;
/** A key to the left moves the picture to the right. */
const pans: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [panStep, 0],
  ArrowRight: [-panStep, 0],
  ArrowUp: [0, panStep],
  ArrowDown: [0, -panStep],
};
/** Seconds by which the time of a video may differ from that of the first one. */
const maxDrift = 0.15;

export class CompareView {
  readonly #handlers: CompareHandlers;
  #checks: PictureChecks;
  /** Addresses of videos and sounds that could not be played. */
  readonly #broken = new Set<string>();
  #rowCount = 0;
  #zoom: ZoomPan = wholePicture;
  #isWipe = false;
  /** The share of the first picture that a wipe shows, in per cent. */
  #wipe = 50;
  #isPlaying = false;
  #isOpen = false;

  constructor(handlers: CompareHandlers) {
    this.#handlers = handlers;
    this.#checks = new PictureChecks(handlers.redraw);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  open(): void {
    this.#isOpen = true;
    this.#zoom = wholePicture;
    this.#isWipe = false;
    this.#isPlaying = false;
    // Files that were missing may be there now.
    this.#checks = new PictureChecks(this.#handlers.redraw);
    this.#broken.clear();
  }

  render({ base, rows, options }: CompareState): TemplateResult | typeof nothing {
    if (!this.#isOpen) return nothing;
    this.#rowCount = rows.length;
    const hasVideo = rows.some((row) => elementOf(row) === "video");
    const canWipe = rows.length === 2 && rows.every((row) => elementOf(row) === "img");
    const isWipe = this.#isWipe && canWipe;
    const title = titleOf(rows);
    return html`<dialog
      class="compare"
      aria-label=${title}
      @close=${this.#onClose}
      @keydown=${(event: KeyboardEvent) => this.#onKey(event)}
    >
      <div class="compare-bar">
        <h2>${title}</h2>
        ${
          canWipe
            ? html`<button
                type="button"
                class="button ${isWipe ? "" : "secondary"}"
                aria-pressed=${isWipe}
                @click=${() => this.#set(() => (this.#isWipe = !this.#isWipe))}
              >
                ${t("Wipe")}
              </button>`
            : nothing
        }
        ${hasVideo ? this.#playButton() : nothing}
        ${rows.some((row) => elementOf(row) !== "audio") ? this.#zoomButtons() : nothing}
        ${button(t("Close"), () => this.#close())}
      </div>
      <div
        class="compare-panes ${isWipe ? "wiping" : ""}"
        @wheel=${(event: WheelEvent) => this.#onWheel(event)}
        @pointerdown=${(event: PointerEvent) => this.#onPointer(event)}
        @pointermove=${(event: PointerEvent) => this.#onPointer(event)}
      >
        ${rows.map((row, index) => this.#pane(row, index, base))}
      </div>
      ${isWipe ? this.#wipeSlider() : nothing} ${differences(rows, options)}
    </dialog>`;
  }

  /** Sets the transform after each render, because the page's policy allows it to be set by script only. */
  rendered(): void {
    const dialog = dialogOf();
    if (dialog === null) return;
    if (!dialog.open) dialog.showModal();
    const { scale, x, y } = this.#zoom;
    dialog.style.setProperty("--zoom", `translate(${x}px, ${y}px) scale(${scale})`);
    dialog.style.setProperty("--wipe", `${this.#wipe}%`);
  }

  #pane(row: GalleryRow, index: number, base: string): TemplateResult {
    const isKept = row.choice === "kept";
    return html`<figure class="pane">
      <div class="pane-frame">${this.#media(row, index === 0, `${base}/${row.file ?? ""}`)}</div>
      <figcaption>
        <span class=${this.#rowCount === 1 ? "hidden" : "pane-number"}>${index + 1}</span>
        <button
          type="button"
          class="button ${isKept ? "" : "secondary"}"
          aria-pressed=${isKept}
          @click=${() => this.#handlers.keep(row.id, !isKept)}
        >
          ${isKept ? t("Kept ✓") : t("Keep This One")}
        </button>
      </figcaption>
    </figure>`;
  }

  #media(row: GalleryRow, isFirst: boolean, address: string): TemplateResult {
    return wholeMedia(row, address, {
      outcome: (one) =>
        this.#broken.has(one) ? "missing" : elementOf(row) === "img" ? this.#checks.check(one) : "fits",
      onError: () => {
        if (elementOf(row) === "img") this.#checks.refuse(address);
        else this.#set(() => this.#broken.add(address));
      },
      onTime: isFirst ? () => this.#syncVideos() : undefined,
      openFile: () => this.#handlers.openFile(row.id),
    });
  }

  #wipeSlider(): TemplateResult {
    return html`<input
      class="wipe-slider"
      type="range"
      min="0"
      max="100"
      aria-label=${t("Share of the first picture")}
      .value=${String(this.#wipe)}
      @input=${({ currentTarget }: Event) =>
        this.#set(() => {
          if (currentTarget instanceof HTMLInputElement) this.#wipe = Number(currentTarget.value);
        })}
    />`;
  }

  /** Zoom Out can't be used at first, so it is not the one that the dialog gives the focus to. */
  #zoomButtons(): TemplateResult {
    return html`${button(t("Zoom Out"), () => this.#zoomBy(1 / zoomStep), this.#zoom.scale === 1)}
      <span class="compare-zoom">${t("{0} %", Math.round(this.#zoom.scale * 100))}</span>
      ${button(t("Zoom In"), () => this.#zoomBy(zoomStep), false, true)}`;
  }

  #playButton(): TemplateResult {
    return button(this.#isPlaying ? t("Pause") : t("Play"), () => this.#play(!this.#isPlaying));
  }

  #play(isPlaying: boolean): void {
    this.#isPlaying = isPlaying;
    this.#syncVideos();
    for (const video of videosOf()) {
      // A video that can't be played stays still.
      if (isPlaying) void video.play().catch(() => undefined);
      else video.pause();
    }
    this.#handlers.redraw();
  }

  /** The first video sets the time of the others, each within its own length. */
  #syncVideos(): void {
    const [first, ...others] = videosOf();
    if (first === undefined) return;
    for (const other of others) {
      const length = Number.isFinite(other.duration) ? other.duration : 0;
      const time = length > 0 ? first.currentTime % length : 0;
      if (Math.abs(other.currentTime - time) > maxDrift) other.currentTime = time;
    }
  }

  #zoomBy(factor: number): void {
    const frame = frameOf();
    if (frame) this.#set(() => (this.#zoom = zoomAt(this.#zoom, factor, 0, 0, sizeOf(frame))));
  }

  #onWheel(event: WheelEvent): void {
    const frame = frameOf(event.target);
    if (!frame) return;
    event.preventDefault();
    const { left, top, width, height } = frame.getBoundingClientRect();
    const factor = event.deltaY < 0 ? zoomStep : 1 / zoomStep;
    const [x, y] = [event.clientX - left - width / 2, event.clientY - top - height / 2];
    this.#set(() => (this.#zoom = zoomAt(this.#zoom, factor, x, y, { width, height })));
  }

  #onPointer(event: PointerEvent): void {
    const frame = frameOf(event.target);
    // Buttons and players within a frame handle the pointer themselves.
    const isControl = event.target instanceof Element && event.target.closest("button, audio") !== null;
    if (!frame || isControl || event.buttons !== 1) return;
    if (event.type === "pointerdown") {
      frame.setPointerCapture(event.pointerId);
      return;
    }
    this.#pan(event.movementX, event.movementY, frame);
  }

  #pan(x: number, y: number, frame: HTMLElement): void {
    this.#set(() => (this.#zoom = panBy(this.#zoom, x, y, sizeOf(frame))));
  }

  #onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // Sliders and players use the arrow keys themselves.
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLMediaElement) return;
    const [pan, frame] = [pans[event.key], frameOf()];
    const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : undefined;
    if (pan && frame && this.#zoom.scale > 1) {
      // In the words below the pictures these keys scroll.
      if (pan[1] !== 0 && event.target instanceof Element && event.target.closest(".compare-words") !== null) return;
      this.#pan(...pan, frame);
    } else if (step !== undefined && this.#rowCount === 1) this.#handlers.step(step);
    else if (event.key === "+" || event.key === "=") this.#zoomBy(zoomStep);
    else if (event.key === "-") this.#zoomBy(1 / zoomStep);
    else if (event.key === "0") this.#set(() => (this.#zoom = wholePicture));
    else return;
    event.preventDefault();
  }

  #set(change: () => void): void {
    change();
    this.#handlers.redraw();
  }

  #close(): void {
    dialogOf()?.close();
  }

  readonly #onClose = (): void => {
    this.#isOpen = false;
    this.#handlers.closed();
  };
}

function titleOf(rows: readonly GalleryRow[]): string {
  const [only] = rows;
  return rows.length === 1 && only !== undefined
    ? revealName(cutLabel(only.prompt))
    : plural(rows.length, { other: "Compare {0} results" });
}

/** `isFirst`: it has the focus when the dialog opens. */
function button(label: string, onClick: () => void, isDisabled = false, isFirst = false): TemplateResult {
  // A button with `aria-disabled` keeps the focus, so that the keys go on.
  return html`<button
    type="button"
    class="button secondary"
    aria-disabled=${isDisabled}
    ?autofocus=${isFirst}
    @click=${onClick}
  >
    ${label}
  </button>`;
}

/** The prompts with the words in which they differ, and the options that are not the same; for a single result all options. */
function differences(rows: readonly GalleryRow[], options: CompareState["options"]): TemplateResult {
  const facts = rows.map((row) => [
    { name: t("Type"), value: taskTypeName(row.type) },
    { name: t("Model"), value: row.model },
    { name: t("Gateway"), value: row.gateway },
    ...(options[row.id] ?? []),
  ]);
  const [first = []] = facts;
  const isOne = rows.length === 1;
  const shown = isOne ? first.map(({ name, value }) => ({ name, values: [value] })) : differingFacts(facts);
  return html`<div
    class="compare-words"
    tabindex="0"
    role="region"
    aria-label=${isOne ? t("Details") : t("Differences")}
  >
    ${promptsOf(rows)}
    ${
      shown.length === 0
        ? nothing
        : html`<dl class="compare-facts">
            ${shown.map(
              ({ name, values }) =>
                html`<div>
                  <dt>${revealName(name)}</dt>
                  ${values.map((value) => html`<dd>${value === "" ? "–" : revealName(value)}</dd>`)}
                </div>`,
            )}
          </dl>`
    }
  </div>`;
}

/** The prompts of the results. That of a single result is shown only where it is longer than the title. */
function promptsOf(rows: readonly GalleryRow[]): TemplateResult | typeof nothing {
  const [{ prompt } = { prompt: "" }, ...others] = rows;
  const whole = html`<p class="prompt">${revealAll(prompt)}</p>`;
  if (others.length === 0) return cutLabel(prompt) === prompt ? nothing : whole;
  if (others.every((other) => other.prompt === prompt))
    return html`<p class="quiet-text">${t("The prompts are the same.")}</p>
      ${whole}`;
  return html`<ol class="compare-prompts">
    ${comparePrompts(rows.map((row) => revealAll(row.prompt))).map(promptItem)}
  </ol>`;
}

/** Blanks of the element are shown, so the template has none. */
function promptItem(runs: readonly WordRun[]): TemplateResult {
  const words = runs.map(({ text, isChanged }) => (isChanged ? html`<mark class="compare-word">${text}</mark>` : text));
  return html`<li>${words}</li>`;
}

function dialogOf(): HTMLDialogElement | null {
  return document.querySelector<HTMLDialogElement>("dialog.compare");
}

function videosOf(): readonly HTMLVideoElement[] {
  return [...document.querySelectorAll<HTMLVideoElement>(".pane-frame video")];
}

/** The frame that was pointed at, or the first one: all have the same size. */
function frameOf(target?: EventTarget | null): HTMLElement | null {
  if (target === undefined) return document.querySelector<HTMLElement>(".pane-frame");
  return target instanceof Element ? target.closest<HTMLElement>(".pane-frame") : null;
}

function sizeOf({ clientWidth: width, clientHeight: height }: HTMLElement): { width: number; height: number } {
  return { width, height };
}

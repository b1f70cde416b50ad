/** The variants of a batch as one list box: arrows, Home, End and 1 to 9 choose, Space enlarges, a button keeps the chosen one. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import type { BatchPageIntent, BatchPageSnapshot, VariantView } from "../../protocol/batchPageContract";
import { revealName } from "../shared/hiddenCharacters";
import type { PageActions } from "../shared/page";
import { stateChip } from "../shared/stateChip";
import { largeMedia, smallMedia } from "./variantMedia";

export class BatchTemplate {
  readonly #actions: PageActions<BatchPageIntent>;
  readonly #seen: SeenElements;
  #snapshot: BatchPageSnapshot | undefined;
  /** The id of the chosen variant. */
  #chosen: string | undefined;
  #isEnlarged = false;

  constructor(actions: PageActions<BatchPageIntent>) {
    this.#actions = actions;
    this.#seen = new SeenElements(() => actions.redraw());
  }

  render(snapshot: BatchPageSnapshot): TemplateResult {
    this.#snapshot = snapshot;
    const { summary, variants } = snapshot;
    const chosen = variants.find(({ id }) => id === this.#chosen) ?? variants[0];
    this.#chosen = chosen?.id;
    return html`<div class="page">
      <header>
        <h1>${revealName(summary.title)}</h1>
        <p>${summary.states}</p>
        <p class="quiet-text">${summary.money}</p>
        ${this.#missing(snapshot)}
      </header>
      ${
        chosen === undefined
          ? html`<p class="missing">${t("No task of this batch is on the list.")}</p>`
          : html`${this.#toolbar(snapshot, chosen)} ${this.#list(variants, chosen)} ${this.#dialog(snapshot, chosen)}`
      }
    </div>`;
  }

  /** After each render: the chosen variant is in view, the dialog open or closed, and new elements are observed. */
  rendered(): void {
    const dialog = document.querySelector("dialog");
    if (dialog && this.#isEnlarged && !dialog.open) dialog.showModal();
    if (dialog && !this.#isEnlarged && dialog.open) dialog.close();
    this.#seen.observe(document.querySelectorAll(".variant"));
  }

  #missing({ variants, isGettingResults }: BatchPageSnapshot): TemplateResult | typeof nothing {
    const count = variants.filter(({ canKeep, file }) => canKeep && file === undefined).length;
    if (count === 0) return nothing;
    return html`<p class="missing-results">
      <span>${t("Results that are at the gateway only: {0}. Their links expire.", count)}</span>
      <button
        type="button"
        class="button secondary"
        ?disabled=${isGettingResults}
        @click=${() => this.#actions.send({ type: "results-get" })}
      >
        ${isGettingResults ? t("Getting the results…") : t("Get Results")}
      </button>
    </p>`;
  }

  #toolbar({ variants }: BatchPageSnapshot, chosen: VariantView): TemplateResult {
    const number = variants.indexOf(chosen) + 1;
    return html`<div class="toolbar" role="toolbar" aria-label=${t("Chosen variant")}>
      <span class="toolbar-name">${t("Variant {0} of {1}", number, variants.length)}</span>
      ${this.#keepButton(chosen)}
      <button type="button" class="button secondary" @click=${() => this.#enlarge(true)}>${t("Enlarge")}</button>
      <button
        type="button"
        class="button secondary"
        @click=${() => this.#actions.send({ type: "task-open", task: chosen.id })}
      >
        ${t("Open Task")}
      </button>
    </div>`;
  }

  #keepButton(chosen: VariantView): TemplateResult {
    return html`<button
      type="button"
      class="button"
      ?disabled=${!chosen.canKeep}
      @click=${() => this.#actions.send({ type: "variant-keep", task: chosen.id })}
    >
      ${t("Keep This One")}
    </button>`;
  }

  #list(variants: readonly VariantView[], chosen: VariantView): TemplateResult {
    const hasOwnPrompts = new Set(variants.map(({ prompt }) => prompt)).size > 1;
    return html`<div
        class="variants"
        role="listbox"
        tabindex="0"
        aria-label=${t("Variants")}
        aria-activedescendant=${`variant-${chosen.id}`}
        aria-describedby="keys"
        @keydown=${(event: KeyboardEvent) => this.#onKey(event)}
      >
        ${variants.map((variant, index) => this.#option(variant, index, variant === chosen, hasOwnPrompts))}
      </div>
      <p class="quiet-text" id="keys">${t("Arrow keys and 1 to 9 choose, Space enlarges.")}</p>`;
  }

  /** `hasOwnPrompt`: the page's title has the first one only. */
  #option(variant: VariantView, index: number, isChosen: boolean, hasOwnPrompt: boolean): TemplateResult {
    const { id, prompt, state, seed, time } = variant;
    const about = [seed === undefined ? "" : t("seed {0}", seed), time ?? ""].filter((part) => part !== "");
    return html`<div
      class="variant"
      role="option"
      id=${`variant-${id}`}
      data-id=${id}
      aria-selected=${isChosen}
      @click=${() => this.#choose(id)}
      @dblclick=${() => this.#enlarge(true)}
    >
      <div class="variant-frame">${smallMedia(variant, this.#seen.has(id))}</div>
      <div class="variant-line"><span class="number">${index + 1}</span>${stateChip(state)}</div>
      <div class="variant-line quiet-text">${revealName(about.join(" · "))}</div>
      <span class=${hasOwnPrompt ? "variant-prompt" : "hidden"}>${revealName(prompt)}</span>
    </div>`;
  }

  #dialog({ variants }: BatchPageSnapshot, chosen: VariantView): TemplateResult {
    const number = variants.indexOf(chosen) + 1;
    return html`<dialog
      aria-label=${t("Variant {0} of {1}", number, variants.length)}
      @close=${() => this.#enlarge(false)}
      @keydown=${(event: KeyboardEvent) => this.#onKey(event)}
    >
      ${
        this.#isEnlarged
          ? html`<div class="large-frame">${largeMedia(chosen)}</div>
              <p class="large-line">
                <span class="number">${number}</span>${stateChip(chosen.state)}
                <span class="prompt">${revealName(chosen.prompt)}</span>
              </p>
              <div class="buttons">
                ${this.#keepButton(chosen)}
                <button type="button" class="button secondary" @click=${() => this.#enlarge(false)}>
                  ${t("Close")}
                </button>
              </div>`
          : nothing
      }
    </dialog>`;
  }

  #onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // A button of the dialog and the controls of a video have these keys for themselves.
    const isOwn = event.target instanceof HTMLButtonElement || event.target instanceof HTMLVideoElement;
    if (event.key === " " && !isOwn) this.#enlarge(!this.#isEnlarged);
    else if (!this.#move(event.key)) return;
    event.preventDefault();
  }

  /** False for a key that chooses nothing. */
  #move(key: string): boolean {
    const variants = this.#snapshot?.variants ?? [];
    const now = variants.findIndex(({ id }) => id === this.#chosen);
    const to = targetOf(key, now, variants.length, this.#isEnlarged ? 1 : columnsOf(".variant"));
    const target = to === undefined ? undefined : variants[to];
    if (target === undefined) return to !== undefined;
    this.#choose(target.id);
    document.getElementById(`variant-${target.id}`)?.scrollIntoView({ block: "nearest" });
    if (this.#isEnlarged) this.#actions.announce(target.spoken);
    return true;
  }

  #choose(id: string): void {
    this.#chosen = id;
    this.#actions.redraw();
  }

  #enlarge(isEnlarged: boolean): void {
    if (this.#isEnlarged === isEnlarged) return;
    this.#isEnlarged = isEnlarged;
    this.#actions.redraw();
  }
}

/** The index that a key leads to; it stays within the list. `undefined` for a key that chooses nothing. */
function targetOf(key: string, now: number, count: number, columns: number): number | undefined {
  const within = (index: number): number => Math.min(Math.max(index, 0), count - 1);
  switch (key) {
    case "ArrowLeft":
      return within(now - 1);
    case "ArrowRight":
      return within(now + 1);
    case "ArrowUp":
      return now - columns < 0 ? now : now - columns;
    case "ArrowDown":
      return now + columns >= count ? now : now + columns;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return /^[1-9]$/.test(key) ? Number(key) - 1 : undefined;
  }
}

/** How many elements are beside each other in the first row. */
function columnsOf(selector: string): number {
  const all = [...document.querySelectorAll<HTMLElement>(selector)];
  const top = all[0]?.offsetTop;
  const next = all.findIndex(({ offsetTop }) => offsetTop !== top);
  return Math.max(1, next === -1 ? all.length : next);
}

/** Which elements have been near the view: a video is loaded from then on. Pictures load lazily without it. */

class SeenElements {
  readonly #seen = new Set<string>();
  readonly #observed = new WeakSet<Element>();
  readonly #observer: IntersectionObserver;

  constructor(onSeen: () => void) {
    this.#observer = new IntersectionObserver(
      (entries) => {
        const before = this.#seen.size;
        for (const { isIntersecting, target } of entries) {
          const id = target instanceof HTMLElement ? target.dataset["id"] : undefined;
          if (!isIntersecting || id === undefined) continue;
          this.#seen.add(id);
          this.#observer.unobserve(target);
        }
        if (this.#seen.size > before) onSeen();
      },
      { rootMargin: "200px" },
    );
  }

  has(id: string): boolean {
    return this.#seen.has(id);
  }

  /** Elements with their id in `data-id`. */
  observe(elements: Iterable<Element>): void {
    for (const element of elements) {
      if (this.#observed.has(element)) continue;
      this.#observed.add(element);
      this.#observer.observe(element);
    }
  }
}

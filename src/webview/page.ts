/** What the pages in editor tabs share: the copy of what the host projects, rendering at most once a frame, a live region, reports of failures. */
import { render } from "lit-html";
import * as z from "zod/mini";
import { applyProjected, type Projection, type ReadProjected } from "../protocol/projection";
import { loadTranslations, onHostMessage } from "./hostLink";

// Otherwise zod probes whether it may compile code, which the page's content security policy forbids and reports.
z.config({ jitless: true });

/** What a page's templates may do. */
export interface PageActions<Intent> {
  readonly send: (intent: Intent) => void;
  /** Renders again, after a change of the page's own state. */
  readonly redraw: () => void;
  /** Adds the sentence to the live region. */
  readonly announce: (sentence: string) => void;
}

export interface PageParts<Snapshot, E> {
  readonly read: (message: unknown) => ReadProjected<Snapshot, E> | undefined;
  readonly reduce: (snapshot: Snapshot, event: E) => Snapshot;
  readonly template: (snapshot: Snapshot) => unknown;
  /** What VS Code keeps for the tab over a reload of the window. */
  readonly saved: (snapshot: Snapshot) => unknown;
  /** What a screen reader is told of a change; `undefined` for nothing. */
  readonly announce: (before: Snapshot, now: Snapshot) => string | undefined;
  /** Runs after each render. */
  readonly rendered?: (snapshot: Snapshot) => void;
}

type OwnIntent =
  { readonly type: "view-ready" } | { readonly type: "page-failed"; readonly what: string; readonly message: string };

/** Starts the page in `#app`. `create` gets the actions and returns the parts. */
export function startPage<Snapshot, E, Intent>(
  create: (actions: PageActions<Exclude<Intent, OwnIntent>>) => PageParts<Snapshot, E>,
): void {
  const root = document.getElementById("app");
  if (root === null) return;
  loadTranslations(root);
  const page = new Page<Snapshot, E, Intent>(root, create);
  onHostMessage((message) => page.receive(message));
  page.start();
}

class Page<Snapshot, E, Intent> {
  readonly #host = acquireVsCodeApi();
  readonly #content = document.createElement("main");
  readonly #live = document.createElement("div");
  readonly #parts: PageParts<Snapshot, E>;
  #state: Projection<Snapshot> = { type: "empty" };
  #rendered: Snapshot | undefined;
  #frame: number | undefined;
  #failed = false;

  constructor(root: HTMLElement, create: (actions: PageActions<Exclude<Intent, OwnIntent>>) => PageParts<Snapshot, E>) {
    this.#live.className = "hidden";
    this.#live.ariaLive = "polite";
    root.append(this.#content, this.#live);
    this.#parts = create({
      send: (intent) => this.#host.postMessage(intent),
      redraw: () => this.#schedule(),
      announce: (sentence) => this.#announce(sentence),
    });
  }

  /** Requests the first snapshot. */
  start(): void {
    this.#send({ type: "view-ready" });
  }

  /** Handles a posted message; one that the protocol does not have is ignored. */
  receive(value: unknown): void {
    const message = this.#parts.read(value);
    if (message === undefined) return;
    const { projection, lost } = applyProjected(this.#state, message, this.#parts.reduce);
    this.#state = projection;
    if (lost) this.#send({ type: "view-ready" });
    if (projection.type !== "empty") this.#host.setState(this.#parts.saved(projection.snapshot));
    this.#schedule();
  }

  #schedule(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.#render();
    });
  }

  #render(): void {
    if (this.#state.type === "empty") return;
    const { snapshot } = this.#state;
    try {
      render(this.#parts.template(snapshot), this.#content);
      this.#parts.rendered?.(snapshot);
      const sentence = this.#rendered === undefined ? undefined : this.#parts.announce(this.#rendered, snapshot);
      if (sentence !== undefined) this.#announce(sentence);
      this.#rendered = snapshot;
    } catch (error) {
      this.#report(error);
    }
  }

  /** Once: what fails in one render fails in the next ones too. */
  #report(error: unknown): void {
    if (this.#failed) return;
    this.#failed = true;
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    this.#send({ type: "page-failed", what: "page", message: message.slice(0, 500) });
  }

  /** An element of its own for each sentence, so that a screen reader reads an equal one again. */
  #announce(sentence: string): void {
    const line = document.createElement("div");
    line.textContent = sentence;
    this.#live.append(line);
    while (this.#live.childNodes.length > 5) this.#live.firstChild?.remove();
  }

  #send(intent: OwnIntent): void {
    this.#host.postMessage(intent);
  }
}

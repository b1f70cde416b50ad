/**
 * The common code of the pages in editor tabs: messages with the host, the copy of the projected state, rendering at most once a frame, clicks,
 * a live region, reports of failures, the focus.
 */
import { render } from "lit-html";
import { config } from "@vscode/l10n";
import type { IntentFields, IntentsOf, PageIntent, ProjectedContract } from "../base/pageContract";
import { applyProjected, type Projection, type ProjectedMessage } from "../base/projector";
import { hasCommandKey, consumeKey } from "./keys";

/** The actions that a page's templates may call. */
export interface PageActions<Intent> {
  readonly send: (intent: Intent) => void;
  /** Renders again, after a change of the page's own state. */
  readonly redraw: () => void;
  /** Adds the sentence to the live region. */
  readonly announce: (sentence: string) => void;
  /** The state that VS Code has kept for the tab; `undefined` for a new tab. */
  readonly kept: unknown;
  /** Makes VS Code keep the page's state, after a change of the page's own part of it. */
  readonly keep: () => void;
}

interface PageParts<Snapshot, E> {
  readonly reduce: (snapshot: Snapshot, event: E) => Snapshot;
  readonly template: (snapshot: Snapshot) => unknown;
  /** The state that VS Code keeps for the tab over a reload of the window. */
  readonly saved: (snapshot: Snapshot) => unknown;
  /** The announcement of a change for screen readers; `undefined` for nothing. */
  readonly announce: (before: Snapshot, now: Snapshot) => string | undefined;
  /** Runs after each render. */
  readonly rendered?: (snapshot: Snapshot) => void;
}

type ContractParts<Contract> =
  Contract extends ProjectedContract<infer Intents, infer Snapshot, infer E>
    ? { readonly intent: IntentsOf<Intents>; readonly snapshot: Snapshot; readonly event: E }
    : never;

/** Starts the page of a contract in the element `#app`. `create` gets the actions and returns the parts. */
export function startPage<Contract extends ProjectedContract<IntentFields, unknown, unknown>>(
  create: (
    actions: PageActions<ContractParts<Contract>["intent"]>,
  ) => PageParts<ContractParts<Contract>["snapshot"], ContractParts<Contract>["event"]>,
): void {
  const root = document.getElementById("app");
  if (root === null) return;
  readTranslations(root);
  guardPresses();
  keepSelectAll();
  const page = new Page(root, create);
  onHostMessage((message) => page.receive(message as Parameters<typeof page.receive>[0]));
  page.start();
}

class Page<Snapshot, E, Intent> {
  readonly #host = acquireVsCodeApi();
  readonly #content = document.createElement("main");
  readonly #live = new LiveRegion();
  readonly #failures = new PartFailures((intent) => this.#send(intent));
  readonly #schedule = oncePerFrame(() => this.#render());
  readonly #parts: PageParts<Snapshot, E>;
  #state: Projection<Snapshot> = { type: "empty" };
  #rendered: Snapshot | undefined;

  constructor(root: HTMLElement, create: (actions: PageActions<Intent>) => PageParts<Snapshot, E>) {
    this.#content.ariaBusy = "true";
    root.append(this.#content, this.#live.element);
    this.#parts = create({
      send: (intent) => this.#host.postMessage(intent),
      redraw: this.#schedule,
      announce: (sentence) => this.#live.announce(sentence),
      kept: this.#host.getState(),
      keep: () => this.#keep(),
    });
  }

  /** Requests the first snapshot. */
  start(): void {
    this.#send({ type: "view-ready" });
  }

  receive(message: ProjectedMessage<Snapshot, E>): void {
    const { projection, lost } = applyProjected(this.#state, message, this.#parts.reduce);
    this.#state = projection;
    if (lost) this.#send({ type: "view-ready" });
    this.#keep();
    this.#schedule();
  }

  #keep(): void {
    if (this.#state.type !== "empty") this.#host.setState(this.#parts.saved(this.#state.snapshot));
  }

  #render(): void {
    if (this.#state.type === "empty") return;
    const { snapshot } = this.#state;
    this.#failures.attempt("page", () => {
      render(this.#parts.template(snapshot), this.#content);
      this.#content.ariaBusy = null;
      this.#parts.rendered?.(snapshot);
      const sentence = this.#rendered === undefined ? undefined : this.#parts.announce(this.#rendered, snapshot);
      if (sentence !== undefined) this.#live.announce(sentence);
      this.#rendered = snapshot;
    });
  }

  #send(intent: PageIntent): void {
    this.#host.postMessage(intent);
  }
}

/** The `reduce` of a page whose event is its whole state. */
export function nextState<Snapshot>(_before: Snapshot, next: Snapshot): Snapshot {
  return next;
}

// Translations and messages that come from the host.

/** Loads the translations that the host wrote into the page; English when it gave none or they can't be read. */
export function readTranslations(root: HTMLElement): void {
  const contents = root.dataset["l10n"];
  if (!contents) return;
  try {
    config({ contents });
  } catch {
    console.warn("The translations can't be read.");
  }
}

interface HostMessage {
  readonly type: string;
}

/**
 * VS Code posts from the frame around the page, which has the page's origin; pages of other extensions have other origins. It can't be
 * compared with `event.source`, because VS Code hides that frame from the page. The policy allows no frames within the page.
 */
export function onHostMessage(receive: (message: HostMessage) => void): void {
  window.addEventListener("message", ({ origin, data }: MessageEvent<unknown>) => {
    if (origin === window.origin && isMessage(data)) receive(data);
  });
}

/** The host comes from the same package as the page, so a message with a type is trusted to have the fields of that type. */
function isMessage(data: unknown): data is HostMessage {
  return typeof data === "object" && data !== null && "type" in data && typeof data.type === "string";
}

// Counts a press only for the button that the person has pressed, not for one that the first press has put in its place.

/**
 * The second click of a double click counts for the button of the first one only, and a held key presses a button once. A button that does another
 * thing after its first press has `firstClick` as well.
 */
export function guardPresses(): void {
  let pressed: Element | null = null;
  document.addEventListener(
    "click",
    (event) => {
      const button = buttonOf(event);
      if (event.detail > 1 && button !== null && button !== pressed) {
        event.preventDefault();
        event.stopImmediatePropagation();
      }
      if (event.detail < 2) pressed = button;
    },
    { capture: true },
  );
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.repeat && (event.key === "Enter" || event.key === " ") && buttonOf(event) !== null)
        event.preventDefault();
    },
    { capture: true },
  );
}

function buttonOf({ target }: Event): Element | null {
  return target instanceof Element ? target.closest("button") : null;
}

// Handles Ctrl+A in a text itself: VS Code's own command comes through the host after the next key, and would select the letter that was just
// typed.

/** Selects the text in the page at once and stops the key from reaching VS Code. */
export function keepSelectAll(): void {
  document.addEventListener("keydown", (event) => {
    const { key, target, shiftKey, altKey } = event;
    if (key.toLowerCase() !== "a" || shiftKey || altKey || !hasCommandKey(event)) return;
    if (!(target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement)) return;
    target.select();
    consumeKey(event);
  });
}

// Makes the live region of a page: a hidden element whose sentences a screen reader reads out.

/** When there are more sentences, the oldest ones are removed. */
const maxSentences = 5;

export class LiveRegion {
  readonly element = document.createElement("div");

  constructor() {
    this.element.className = "hidden";
    this.element.ariaLive = "polite";
  }

  /** Adds each sentence as a separate element, so that a screen reader reads a repeated sentence again. */
  announce(sentence: string): void {
    const line = document.createElement("div");
    line.textContent = sentence;
    this.element.append(line);
    while (this.element.childNodes.length > maxSentences) this.element.firstChild?.remove();
  }
}

// Reports a failing part of a page to the host's log, and lets the other parts go on. It reports once, because a part that fails in one render
// fails in the next ones too.

export class PartFailures {
  readonly #send: (intent: PageIntent) => void;
  readonly #reported = new Set<string>();

  constructor(send: (intent: PageIntent) => void) {
    this.#send = send;
  }

  /** Runs the work of a part; an exception is reported. */
  attempt(what: string, work: () => unknown): void {
    try {
      work();
    } catch (error) {
      this.report(what, error);
    }
  }

  report(what: string, error: unknown): void {
    if (this.#reported.has(what)) return;
    this.#reported.add(what);
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    this.#send({ type: "page-failed", what, message: message.slice(0, 500) });
  }
}

// Moves the focus of a row that a render has removed to the row in its place, for a person at the keyboard. A pointer is on that row already.

/** Returns a function to call after each render. `rows` selects the rows; `after` selects what gets the focus when no row is left there. */
export function followRemovals(rows: string, after: string): () => void {
  let last: { readonly element: Element; readonly index: number } | undefined;
  const look = (): void => {
    const all = [...document.querySelectorAll(rows)];
    if (last?.element.isConnected === false && document.activeElement === document.body)
      (all[last.index]?.querySelector("button") ?? document.querySelector<HTMLElement>(after))?.focus();
    const element = document.activeElement;
    const index = all.findIndex((row) => row.contains(element));
    last = element === null || index === -1 || !element.matches(":focus-visible") ? undefined : { element, index };
  };
  document.addEventListener("focusin", look);
  return look;
}

/** Returns a function that requests the work; it runs with the next frame, at most once a frame, however often it was requested. */
export function oncePerFrame(work: () => void): () => void {
  let isScheduled = false;
  return () => {
    if (isScheduled) return;
    isScheduled = true;
    requestAnimationFrame(() => {
      isScheduled = false;
      work();
    });
  };
}

/** What the pages in editor tabs share: the copy of what the host projects, rendering at most once a frame, a live region, reports of failures. */
import { render } from "lit-html";
import type { IntentFields, IntentsOf, PageIntent, ProjectedContract } from "../base/pageContract";
import { applyProjected, type Projection, type ProjectedMessage } from "../base/projector";
import { loadTranslations, onHostMessage } from "./hostLink";
import { LiveRegion } from "./liveRegion";
import { oncePerFrame } from "./oncePerFrame";
import { PartFailures } from "./partFailures";
import { guardPresses } from "./pressGuard";
import { keepSelectAll } from "./selectAll";

/** What a page's templates may do. */
export interface PageActions<Intent> {
  readonly send: (intent: Intent) => void;
  /** Renders again, after a change of the page's own state. */
  readonly redraw: () => void;
  /** Adds the sentence to the live region. */
  readonly announce: (sentence: string) => void;
  /** What VS Code has kept for the tab; `undefined` for one that was only just opened. */
  readonly kept: unknown;
  /** Has VS Code keep the page's state, after a change of its own part. */
  readonly keep: () => void;
}

export interface PageParts<Snapshot, E> {
  readonly reduce: (snapshot: Snapshot, event: E) => Snapshot;
  readonly template: (snapshot: Snapshot) => unknown;
  /** What VS Code keeps for the tab over a reload of the window. */
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

/** Starts the page of that contract in `#app`. `create` gets the actions and returns the parts. */
export function startPage<Contract extends ProjectedContract<IntentFields, unknown, unknown>>(
  create: (
    actions: PageActions<ContractParts<Contract>["intent"]>,
  ) => PageParts<ContractParts<Contract>["snapshot"], ContractParts<Contract>["event"]>,
): void {
  const root = document.getElementById("app");
  if (root === null) return;
  loadTranslations(root);
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

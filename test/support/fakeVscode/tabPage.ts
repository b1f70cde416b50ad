/** A page of a task, the gallery, the assets … in a tab, as its messages: keeps the copy that the page would draw. */
import { applyProjected, type Projection, type ProjectedMessage } from "../../../src/base/projector";
import type { FakeWindow } from "./fakeWindow";
import type { FakePage } from "./webviews";

export class TabPage<Snapshot, E, Intent extends { readonly type: string }> {
  readonly page: FakePage;
  readonly #window: FakeWindow;
  readonly #reduce: (snapshot: Snapshot, event: E) => Snapshot;
  #projection: Projection<Snapshot> = { type: "empty" };
  #read = 0;

  constructor(window: FakeWindow, page: FakePage, reduce: (snapshot: Snapshot, event: E) => Snapshot) {
    this.#window = window;
    this.page = page;
    this.#reduce = reduce;
  }

  get snapshot(): Snapshot {
    for (const message of this.page.messages.slice(this.#read)) {
      const known = message as unknown as ProjectedMessage<Snapshot, E>;
      this.#projection = applyProjected(this.#projection, known, this.#reduce).projection;
    }
    this.#read = this.page.messages.length;
    if (this.#projection.type !== "known") throw new Error(`The page ${this.page.viewType} has no state.`);
    return this.#projection.snapshot;
  }

  send(intent: Intent): void {
    this.page.send(intent);
  }

  /** Resolves with what `holds` returns of the page's state once that is true or an object. */
  until<T>(what: string, holds: (snapshot: Snapshot) => T): Promise<NonNullable<Exclude<T, false>>> {
    return this.#window.until(what, () => holds(this.snapshot));
  }
}

/** Waits for the tab, also one that was shown again, and resolves once its page has its state. `title`: a part of that of its tab. */
export async function tabPage<Snapshot, E, Intent extends { readonly type: string }>(
  window: FakeWindow,
  viewType: string,
  reduce: (snapshot: Snapshot, event: E) => Snapshot,
  title = "",
): Promise<TabPage<Snapshot, E, Intent>> {
  const page = await window.until(`a tab ${viewType} ${title}`, () =>
    window.webviews.panels.find(
      (one) => one.viewType === viewType && one.isVisible && (one.title ?? "").includes(title) && one.html !== "",
    ),
  );
  const shown = new TabPage<Snapshot, E, Intent>(window, page, reduce);
  // A page begins again with each tab that is shown.
  const before = page.messages.length;
  page.send({ type: "view-ready" });
  await window.until(`the state of ${viewType}`, () =>
    page.messages.slice(before).some(({ type }) => type === "snapshot"),
  );
  return shown;
}

/** The `reduce` of a page whose event is its whole state. */
export function lastState<Snapshot>(_before: Snapshot, next: Snapshot): Snapshot {
  return next;
}

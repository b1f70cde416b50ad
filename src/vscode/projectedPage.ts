/** A page in an editor tab that shows a projected state: the snapshot when it is ready, then what changes while it is visible. */
import type * as vscode from "vscode";
import type { Clock } from "../base/clock";
import { type Disposable, DisposableStore } from "../base/disposable";
import { Emitter } from "../base/event";
import { Projector } from "../protocol/projector";
import { mountPage, type PageDefinition } from "./webviewPage";

export interface ProjectedPageDefinition<Intent extends { type: string }, Snapshot, E> extends Omit<
  PageDefinition<Intent>,
  "onReady" | "onHidden"
> {
  readonly clock: Clock;
  readonly snapshot: () => Snapshot;
  /** One event with the effect of both, where there is one. */
  readonly merge: (last: E, next: E) => E | undefined;
  /** The page has got its snapshot, the first or a later one. */
  readonly onShown?: () => void;
}

export class ProjectedPage<Intent extends { type: string }, Snapshot, E> implements Disposable {
  readonly #registrations = new DisposableStore();
  readonly #changed = this.#registrations.add(new Emitter<E>());
  readonly #projector: Projector<Snapshot, E>;

  constructor(tab: vscode.WebviewPanel, definition: ProjectedPageDefinition<Intent, Snapshot, E>) {
    const { clock, snapshot, merge, onShown } = definition;
    this.#projector = this.#registrations.add(
      new Projector({
        source: {
          get snapshot() {
            return snapshot();
          },
          onDidEmit: this.#changed.event,
        },
        clock,
        post: (message) => page.post(message),
        merge,
      }),
    );
    const page = this.#registrations.add(
      mountPage<Intent, unknown>(tab, {
        ...definition,
        onReady: () => {
          this.#projector.sendSnapshot();
          onShown?.();
        },
        onHidden: () => this.#projector.pause(),
      }),
    );
  }

  /** Whether the page has a snapshot and is visible. */
  get isShown(): boolean {
    return this.#projector.isReady;
  }

  /** Does nothing while the page is not shown: its next snapshot has the change. */
  emit(event: E): void {
    if (this.isShown) this.#changed.fire(event);
  }

  dispose(): void {
    this.#registrations.dispose();
  }
}

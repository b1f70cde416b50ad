/** A page in an editor tab that shows a projected state: the snapshot when it is ready, then what changes while it is visible. */
import type * as vscode from "vscode";
import type { Clock } from "../../base/clock";
import { type Disposable, DisposableStore } from "../../base/disposable";
import { Emitter } from "../../base/event";
import type { IntentFields, IntentsOf, ProjectedContract } from "../../base/pageContract";
import { Projector } from "../../base/projector";
import { mountPage, type PageDefinition } from "./webviewPage";

export interface ProjectedPageDefinition<Intent extends { readonly type: string }, Snapshot, E> extends Omit<
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

export interface ProjectedPage<E> extends Disposable {
  /** Whether the page has a snapshot and is visible. */
  readonly isShown: boolean;
  /** Does nothing while the page is not shown: its next snapshot has the change. */
  emit(event: E): void;
}

export function mountProjectedPage<Intents extends IntentFields, Snapshot, E>(
  tab: vscode.WebviewPanel,
  contract: ProjectedContract<Intents, Snapshot, E>,
  definition: ProjectedPageDefinition<IntentsOf<Intents>, Snapshot, E>,
): ProjectedPage<E> {
  const { clock, snapshot, merge, onShown } = definition;
  const registrations = new DisposableStore();
  const changed = registrations.add(new Emitter<E>());
  const source = {
    get snapshot() {
      return snapshot();
    },
    onDidEmit: changed.event,
  };
  const projector = registrations.add(
    new Projector<Snapshot, E>({ source, clock, merge, post: (message) => page.post(message) }),
  );
  const onReady = (): void => {
    projector.sendSnapshot();
    onShown?.();
  };
  const page = registrations.add(
    mountPage(tab, contract, { ...definition, onReady, onHidden: () => projector.pause() }),
  );
  return {
    get isShown() {
      return projector.isReady;
    },
    emit: (event) => {
      if (projector.isReady) changed.fire(event);
    },
    dispose: () => registrations.dispose(),
  };
}

/** The `merge` of a page whose event is its whole state. */
export function lastOf<Snapshot>(_last: Snapshot, next: Snapshot): Snapshot {
  return next;
}

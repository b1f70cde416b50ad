/** Makes a webview in a view or an editor tab one of our pages: strict HTML, messages in both directions, visibility and disposal (P3, P5). */
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../base/disposable";
import type { Log } from "../domain/ports";
import {
  dispatch,
  type Handlers,
  type IntentFields,
  intentReader,
  type IntentsOf,
  type PageContract,
  type PageIntent,
  type ProjectedContract,
} from "../base/pageContract";
import { pageHtml, scriptedPagePolicy } from "./pageHtml";
import type { Clock } from "../base/clock";
import { Emitter } from "../base/event";
import { Projector } from "../base/projector";

export interface PageDefinition<Intent extends { readonly type: string }> {
  readonly extensionUri: vscode.Uri;
  /** The name of the page's script and style in `dist/webview`, without the ending. */
  readonly bundle: string;
  readonly title: string;
  /** The translation bundle as JSON; absent in English. */
  readonly translations: string | undefined;
  /** The state that the host has kept of the page, as JSON. The page's script reads it. */
  readonly state?: string;
  readonly log: Log;
  readonly handlers: Handlers<Intent>;
  /** Called when the page has loaded or missed a message, and needs a snapshot. */
  readonly onReady: () => void;
  /** Called when the page is closed, or hidden, which destroys it. Messages do not arrive until `onReady`. */
  readonly onHidden: () => void;
  /** The folders with pictures and videos that the page shows. */
  readonly media?: readonly vscode.Uri[];
  /** Whether the page's script reads those files itself, to make small pictures of them. */
  readonly readsMedia?: boolean;
}

export interface WebviewPage<Message> extends Disposable {
  /** Sends a message, which is lost while the page is hidden or closed. */
  post(message: Message): void;
}

/** Loads the page into the webview. Its registrations end when VS Code disposes the view or tab, or with `dispose`. */
export function mountPage<Intents extends IntentFields, Message extends { readonly type: string }>(
  place: vscode.WebviewView | vscode.WebviewPanel,
  contract: PageContract<Intents, Message>,
  page: PageDefinition<IntentsOf<Intents>>,
): WebviewPage<Message> {
  const { webview } = place;
  const { log, bundle, handlers, onReady, onHidden } = page;
  const read = intentReader(contract);
  const registrations = new DisposableStore();
  let isClosed = false;
  const pageHandlers: Handlers<PageIntent> = {
    "view-ready": onReady,
    "page-failed": ({ what, message }) =>
      log.error("A page could not render a part of itself.", { page: bundle, what, message }),
  };
  registrations.add(
    webview.onDidReceiveMessage((message: unknown) => {
      const intent = read(message);
      if (!intent) log.warn("A page sent a message that its protocol does not have.", { page: bundle });
      else if (isPageIntent(intent)) dispatch(pageHandlers, intent);
      else dispatch(handlers, intent);
    }),
  );
  const onDidChangeVisibility =
    "onDidChangeVisibility" in place ? place.onDidChangeVisibility : place.onDidChangeViewState;
  registrations.add(
    onDidChangeVisibility(() => {
      if (!place.visible) onHidden();
    }),
  );
  registrations.add(
    place.onDidDispose(() => {
      isClosed = true;
      registrations.dispose();
      onHidden();
    }),
  );
  loadHtml(webview, page);
  return {
    // VS Code rejects a message to a disposed webview.
    post: (message) => void (isClosed || webview.postMessage(message)),
    dispose: () => registrations.dispose(),
  };
}

function isPageIntent(intent: { readonly type: string }): intent is PageIntent {
  return intent.type === "view-ready" || intent.type === "page-failed";
}

function loadHtml<Intent extends { readonly type: string }>(
  webview: vscode.Webview,
  { extensionUri, bundle, title, translations, state, media, readsMedia = false }: PageDefinition<Intent>,
): void {
  const folder = vscode.Uri.joinPath(extensionUri, "dist", "webview");
  webview.options = { enableScripts: true, localResourceRoots: [folder, ...(media ?? [])] };
  const urlOf = (file: string): string => webview.asWebviewUri(vscode.Uri.joinPath(folder, file)).toString();
  const nonce = randomBytes(16).toString("base64");
  webview.html = pageHtml({
    title,
    language: vscode.env.language,
    policy: scriptedPagePolicy(webview.cspSource, nonce, { video: media !== undefined, reads: readsMedia }),
    nonce,
    styleUrls: [urlOf("shared.css"), urlOf(`${bundle}.css`)],
    scriptUrl: urlOf(`${bundle}.mjs`),
    translations,
    state,
  });
}

// Mounts a page in an editor tab that shows a projected state: it gets the snapshot when it is ready, then the changes while it is visible.

interface ProjectedPageDefinition<Intent extends { readonly type: string }, Snapshot, E> extends Omit<
  PageDefinition<Intent>,
  "onReady" | "onHidden"
> {
  readonly clock: Clock;
  readonly snapshot: () => Snapshot;
  /** Returns one event with the effect of both, or `undefined` where none exists. */
  readonly merge: (last: E, next: E) => E | undefined;
  /** Called after each snapshot that the page gets. */
  readonly onShown?: () => void;
}

export interface ProjectedPage<E> extends Disposable {
  /** Whether the page has a snapshot and is visible. */
  readonly isShown: boolean;
  /** Sends an event; does nothing while the page is not shown, because its next snapshot has the change. */
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

/** A webview as one of our pages, in a view or in an editor tab: strict HTML, messages in both directions, visibility and disposal (P3, P5). */
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
  /** Of the page's script and style in `dist/webview`, without the ending. */
  readonly bundle: string;
  readonly title: string;
  /** The translation bundle as JSON; absent in English. */
  readonly translations: string | undefined;
  readonly log: Log;
  readonly handlers: Handlers<Intent>;
  /** The page has loaded, or missed a message: it needs a snapshot. */
  readonly onReady: () => void;
  /** The page is hidden, which destroys it, or closed. Nothing that is posted arrives until `onReady`. */
  readonly onHidden: () => void;
  /** A folder with pictures and videos that the page shows. */
  readonly media?: vscode.Uri;
  /** The page's script reads those files itself, to make small pictures of them. */
  readonly readsMedia?: boolean;
}

export interface WebviewPage<Message> extends Disposable {
  /** Sends a message. One that is sent while the page is hidden or closed is lost. */
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
    // VS Code rejects what is posted to a disposed webview.
    post: (message) => void (isClosed || webview.postMessage(message)),
    dispose: () => registrations.dispose(),
  };
}

function isPageIntent(intent: { readonly type: string }): intent is PageIntent {
  return intent.type === "view-ready" || intent.type === "page-failed";
}

function loadHtml<Intent extends { readonly type: string }>(
  webview: vscode.Webview,
  { extensionUri, bundle, title, translations, media, readsMedia = false }: PageDefinition<Intent>,
): void {
  const folder = vscode.Uri.joinPath(extensionUri, "dist", "webview");
  webview.options = { enableScripts: true, localResourceRoots: media === undefined ? [folder] : [folder, media] };
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
  });
}

// Mounts a page in an editor tab that shows a projected state: the snapshot when it is ready, then what changes while it is visible.

interface ProjectedPageDefinition<Intent extends { readonly type: string }, Snapshot, E> extends Omit<
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

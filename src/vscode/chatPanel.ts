/** The chat's webview view: strict page, intents read before use, the transcript projected to it (P1, P3, P5). */
import { randomBytes } from "node:crypto";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Clock } from "../base/clock";
import { type Disposable, DisposableStore } from "../base/disposable";
import type { ReadonlyStore } from "../base/store";
import type { Log } from "../domain/ports";
import type { SessionEvent } from "../domain/transcript";
import type { ChatSession } from "../chat/session";
import {
  dispatch,
  type EditorIntent,
  type Handlers,
  mergeSessionEvents,
  type PanelSnapshot,
  type PanelStatus,
  readToHost,
  type ToHost,
  type ToView,
} from "../protocol/panelMessages";
import { type ProjectedSource, Projector } from "../protocol/projector";
import { showBadge } from "./show";

export interface ChatPanelPorts {
  readonly extensionUri: vscode.Uri;
  readonly session: ReadonlyStore<ChatSession>;
  readonly status: ReadonlyStore<PanelStatus>;
  readonly clock: Clock;
  readonly log: Log;
  /** A handler for each intent, except those that concern the page itself. */
  readonly handlers: Handlers<EditorIntent>;
  /** The words of the interface in the person's language; absent in English. */
  readonly translations: string | undefined;
}

export class ChatPanel implements vscode.WebviewViewProvider, Disposable {
  readonly #ports: ChatPanelPorts;
  readonly #registrations = new DisposableStore();
  readonly #projector: Projector<PanelSnapshot, SessionEvent>;
  #view: vscode.WebviewView | undefined;

  constructor(ports: ChatPanelPorts) {
    this.#ports = ports;
    const { session, status, clock } = ports;
    const source = (shown: ChatSession): ProjectedSource<PanelSnapshot, SessionEvent> => ({
      get snapshot() {
        return { chat: shown.chat, status: status.current };
      },
      onDidEmit: shown.onDidEmit,
    });
    this.#projector = this.#registrations.add(
      new Projector({
        source: source(session.current),
        clock,
        post: (message) => this.#post(message),
        merge: mergeSessionEvents,
      }),
    );
    this.#registrations.add(
      status.onDidChange(({ now }) => {
        if (this.#projector.isReady) this.#post({ type: "status", status: now });
      }),
    );
    let badge = session.current.onDidEmit(() => this.#showBadge());
    this.#registrations.add({ dispose: () => badge.dispose() });
    this.#registrations.add(
      session.onDidChange(({ now }) => {
        badge.dispose();
        badge = now.onDidEmit(() => this.#showBadge());
        this.#projector.show(source(now));
        this.#showBadge();
      }),
    );
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const { extensionUri, log, handlers } = this.#ports;
    const page = vscode.Uri.joinPath(extensionUri, "dist", "webview");
    this.#view = view;
    view.webview.options = { enableScripts: true, localResourceRoots: [page] };
    const all: Handlers<ToHost> = {
      ...handlers,
      "view-ready": () => this.#projector.sendSnapshot(),
      "page-failed": ({ what, message }) =>
        log.error("The chat page could not draw a part of itself.", { what, message }),
    };
    view.webview.onDidReceiveMessage((message: unknown) => {
      const intent = readToHost(message);
      if (intent) dispatch(all, intent);
      else log.warn("The chat page sent something unknown.");
    });
    // A hidden page is destroyed; it asks for a snapshot when it is shown again.
    view.onDidChangeVisibility(() => {
      if (!view.visible) this.#projector.pause();
    });
    view.onDidDispose(() => {
      if (this.#view !== view) return;
      this.#view = undefined;
      this.#projector.pause();
    });
    view.webview.html = this.#html(view.webview, page);
    this.#showBadge();
  }

  /** Puts text into the composer; the view must have been shown. */
  insert(text: string): void {
    this.#post({ type: "composer-insert", text });
  }

  #post(message: ToView): void {
    void this.#view?.webview.postMessage(message);
  }

  dispose(): void {
    this.#registrations.dispose();
  }

  #showBadge(): void {
    if (!this.#view) return;
    const { count } = this.#ports.session.current.approvals;
    if ((this.#view.badge?.value ?? 0) === count) return;
    showBadge(this.#view, count, t("{0} waiting for approval", count));
  }

  #html(webview: vscode.Webview, page: vscode.Uri): string {
    const nonce = randomBytes(16).toString("base64");
    const { cspSource } = webview;
    const policy = [
      "default-src 'none'",
      `script-src 'nonce-${nonce}'`,
      `style-src ${cspSource}`,
      `font-src ${cspSource}`,
      `img-src ${cspSource} data: blob:`,
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types lit-html",
    ].join("; ");
    const uri = (name: string): string => escapeHtml(webview.asWebviewUri(vscode.Uri.joinPath(page, name)).toString());
    return `<!DOCTYPE html>
<html lang="${escapeHtml(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${uri("chat.css")}">
<title>Sluice</title>
</head>
<body>
<div id="app" data-l10n="${escapeHtml(this.#ports.translations ?? "")}"></div>
<script nonce="${nonce}" src="${uri("chat.js")}"></script>
</body>
</html>`;
  }
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

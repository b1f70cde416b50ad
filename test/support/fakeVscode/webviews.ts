/** Webviews as messages: what the extension posts to a page is kept, and a test sends what the page would send. */
import type * as vscode from "vscode";
import { neverCancelled } from "./documents";
import { type Editors, type FakeTab, webviewTabInput } from "./editors";
import { EventEmitter } from "./events";
import { Uri } from "./positions";
import type { Wire } from "./wire";

interface Message {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A page in a view or in a tab. */
export class FakePage {
  readonly #wire: Wire;
  readonly #received = new EventEmitter<unknown>();
  readonly #visibilityChanged = new EventEmitter<unknown>();
  readonly #disposed = new EventEmitter<void>();
  readonly viewType: string;
  /** The messages that were posted to the page, in order. Those that are posted while it is hidden are lost, as in VS Code. */
  readonly messages: Message[] = [];
  html = "";
  options: vscode.WebviewOptions = {};
  title: string | undefined;
  description: string | undefined;
  iconPath: unknown;
  badge: vscode.ViewBadge | undefined;
  #isVisible = true;
  #isActive = true;
  #isClosed = false;
  tab: FakeTab | undefined;
  /** The state that the page keeps for a reload, by `setState`. */
  savedState: unknown;
  /** How often the extension asked for the focus. */
  shownTimes = 0;
  onShow: (preserveFocus: boolean) => void = () => undefined;
  /** The page's script, for the messages that it answers by itself. */
  onPosted: (message: Message) => void = () => undefined;
  /** Called when the page's script begins again, because VS Code drops a page that it hides. */
  onShown: () => void = () => undefined;
  onDispose: () => void = () => undefined;

  constructor(viewType: string, wire: Wire) {
    this.viewType = viewType;
    this.#wire = wire;
  }

  get isVisible(): boolean {
    return this.#isVisible;
  }
  get isActive(): boolean {
    return this.#isActive;
  }
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Sends a message of the page's script. It arrives in a later turn, after what the window has sent before. */
  send(message: { readonly type: string } & Readonly<Record<string, unknown>>): void {
    const copy: unknown = structuredClone(message);
    this.#wire.send(() => this.#received.fire(copy));
  }

  ofType(type: string): Message[] {
    return this.messages.filter((message) => message.type === type);
  }

  setVisible(visible: boolean, active = visible): void {
    if (visible === this.#isVisible && active === this.#isActive) return;
    const isLoaded = visible && !this.#isVisible;
    this.#isVisible = visible;
    this.#isActive = active;
    this.#visibilityChanged.fire(this.panel);
    if (isLoaded) this.onShown();
    this.#wire.changes.note();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#isVisible = false;
    this.onDispose();
    this.#disposed.fire();
    this.#wire.changes.note();
  }

  readonly webview: vscode.Webview = this.#createWebview();

  #createWebview(): vscode.Webview {
    const page = (): FakePage => this;
    return {
      get html() {
        return page().html;
      },
      set html(html: string) {
        page().html = html;
        page().#wire.changes.note();
      },
      get options() {
        return page().options;
      },
      set options(options: vscode.WebviewOptions) {
        page().options = options;
      },
      cspSource: "https://*.vscode-cdn.net",
      asWebviewUri: (uri) =>
        Uri.from({ scheme: "https", authority: "file+.vscode-resource.vscode-cdn.net", path: uri.path }),
      onDidReceiveMessage: (...listening) => page().#received.event(...listening),
      postMessage: (message: unknown) => {
        if (!page().#isVisible || page().#isClosed) return Promise.resolve(false);
        // Over the connection undefined fields are left out.
        const posted = structuredClone(message) as Message;
        page().messages.push(posted);
        queueMicrotask(() => page().onPosted(posted));
        page().#wire.changes.note();
        return Promise.resolve(true);
      },
    };
  }

  /** The page as a view of the side bar. */
  get view(): vscode.WebviewView {
    return this.#place({
      show: (preserveFocus = false) => {
        this.shownTimes += 1;
        this.onShow(preserveFocus);
      },
      onDidChangeVisibility: this.#visibilityChanged.event,
    }) as unknown as vscode.WebviewView;
  }

  /** The page as an editor tab. */
  readonly panel: vscode.WebviewPanel = this.#createPanel();

  #createPanel(): vscode.WebviewPanel {
    const column = (): vscode.ViewColumn | undefined => this.tab?.group.viewColumn;
    const active = (): boolean => this.#isActive;
    return this.#place({
      reveal: (_column?: vscode.ViewColumn, preserveFocus = false) => {
        this.#mustBeOpen();
        this.shownTimes += 1;
        this.onShow(preserveFocus);
      },
      onDidChangeViewState: (listener: (event: unknown) => unknown, self?: unknown, all?: vscode.Disposable[]) =>
        this.#visibilityChanged.event(() => listener.call(self, { webviewPanel: this.panel }), undefined, all),
      get viewColumn() {
        return column();
      },
      get active() {
        return active();
      },
    }) as unknown as vscode.WebviewPanel;
  }

  #mustBeOpen(): void {
    if (this.#isClosed) throw new Error("Webview is disposed");
  }

  #place(others: object): object {
    const place = {};
    const page = (): FakePage => this;
    Object.defineProperties(place, Object.getOwnPropertyDescriptors(others));
    for (const key of ["title", "description", "badge", "iconPath", "options"] as const) {
      Object.defineProperty(place, key, {
        enumerable: true,
        get: () => page()[key],
        set: (value: never) => {
          page()[key] = value;
          const { tab, title } = page();
          if (tab && title !== undefined) tab.label = title;
          page().#wire.changes.note();
        },
      });
    }
    Object.defineProperties(place, {
      visible: { get: () => page().#isVisible },
      viewType: { get: () => page().viewType },
      webview: {
        get: () => {
          page().#mustBeOpen();
          return page().webview;
        },
      },
      onDidDispose: { get: () => page().#disposed.event },
      dispose: { value: () => page().close() },
    });
    return place;
  }
}

export class Webviews {
  readonly #wire: Wire;
  readonly #editors: Editors;
  readonly #views = new Map<string, vscode.WebviewViewProvider>();
  readonly #serializers = new Map<string, vscode.WebviewPanelSerializer>();
  readonly #shownViews = new Map<string, FakePage>();
  readonly #panels = new Set<FakePage>();

  constructor(wire: Wire, editors: Editors) {
    this.#wire = wire;
    this.#editors = editors;
    // A page in a tab is visible while its tab is the active one of its group.
    editors.tabsChanged.event(() => this.#update());
    editors.groupsChanged.event(() => this.#update());
  }

  get panels(): readonly FakePage[] {
    return [...this.#panels];
  }
  view(id: string): FakePage | undefined {
    return this.#shownViews.get(id);
  }
  hasProvider(id: string): boolean {
    return this.#views.has(id);
  }

  registerView(id: string, provider: vscode.WebviewViewProvider): vscode.Disposable {
    this.#views.set(id, provider);
    return { dispose: () => void this.#views.delete(id) };
  }
  registerSerializer(type: string, serializer: vscode.WebviewPanelSerializer): vscode.Disposable {
    this.#serializers.set(type, serializer);
    return { dispose: () => void this.#serializers.delete(type) };
  }

  /** Shows the view; its provider fills it the first time. A view that was hidden has a new page, whose script begins again. */
  async showView(id: string, state?: unknown): Promise<FakePage> {
    const known = this.#shownViews.get(id);
    if (known) {
      known.setVisible(true);
      return known;
    }
    const provider = this.#views.get(id);
    if (!provider) throw new Error(`No provider is registered for the view ${id}.`);
    const page = new FakePage(id, this.#wire);
    this.#shownViews.set(id, page);
    page.onDispose = () => this.#shownViews.delete(id);
    await provider.resolveWebviewView(page.view, { state }, neverCancelled);
    this.#wire.changes.note();
    return page;
  }

  create(
    viewType: string,
    title: string,
    place: vscode.ViewColumn | { viewColumn: vscode.ViewColumn; preserveFocus?: boolean },
    options: vscode.WebviewOptions = {},
  ): vscode.WebviewPanel {
    const { viewColumn, preserveFocus = false } = typeof place === "object" ? place : { viewColumn: place };
    const page = this.#addPanel(viewType, title, viewColumn, preserveFocus);
    page.options = options;
    return page.panel;
  }

  #addPanel(viewType: string, title: string, column: vscode.ViewColumn, preserveFocus: boolean): FakePage {
    const page = new FakePage(viewType, this.#wire);
    page.title = title;
    this.#panels.add(page);
    page.tab = this.#editors.showOther(title, webviewTabInput(viewType), column, () => page.close(), preserveFocus);
    page.onShow = (keepsFocus) => {
      if (page.tab) this.#editors.reveal(page.tab, keepsFocus);
    };
    page.onDispose = () => {
      this.#panels.delete(page);
      if (page.tab) this.#editors.close([page.tab]);
    };
    this.#update();
    return page;
  }

  #update(): void {
    for (const page of this.#panels) {
      const { tab } = page;
      if (tab) page.setVisible(tab.isActive, tab.isActive && tab.group.isActive);
    }
  }

  /** Restores a tab of an earlier window, which VS Code hands to the extension with what its page kept. */
  async restore(viewType: string, title: string, state: unknown): Promise<FakePage> {
    const serializer = this.#serializers.get(viewType);
    if (!serializer) throw new Error(`No serializer is registered for ${viewType}.`);
    const page = this.#addPanel(viewType, title, 1, false);
    await serializer.deserializeWebviewPanel(page.panel, state);
    return page;
  }
}

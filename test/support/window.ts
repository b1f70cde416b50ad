/** Opens a real VS Code window on a workspace and drives it for the tests in test/window. */
import { cp, mkdir } from "node:fs/promises";
import path from "node:path";
import type { Browser, BrowserContext, Frame, Locator, Page } from "playwright-core";
import { launchBrowser } from "../../scripts/browser.mjs";
import {
  installBuild,
  installExtension,
  startVsCodeServer,
  type VsCodeServer,
  writeSettings,
} from "../../scripts/vscodeServer.mjs";
import { sampleWorkspace, temporaryFolder } from "../../scripts/workspace.mjs";
import { definedFields } from "../../src/base/definedFields";
import { type BridgeListener, type HostBridge, listenForHosts } from "./hostBridge";
import { quickInputOf } from "./quickInput";
import { stillSettings } from "./stillSettings";
import { keepEvidence } from "./windowEvidence";

export interface WindowOptions {
  /** A folder, a `.code-workspace` file or the URI of a virtual folder; by default a fresh copy of the sample. `none` opens no folder. */
  readonly workspace?: string;
  /** User settings in addition to the defaults of scripts/vscodeServer.mjs. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** `false` opens in Restricted Mode. Default: trusted. */
  readonly trusted?: boolean;
  /** The extension under development in this folder (default), a packaged one, or none. */
  readonly extension?: "development" | { readonly vsix: string } | "none";
  /** A folder with other installed extensions. */
  readonly extensionsDir?: string;
  /** Opens without VS Code's test driver, which hides toasts. */
  readonly toasts?: boolean;
  /** The oldest VS Code that is supported instead of the newest. */
  readonly floor?: boolean;
  /** Additional variables for the extension host. */
  readonly environment?: Readonly<Record<string, string>>;
  /** How many times as fast as usual the local gateway makes its tasks. */
  readonly speed?: number;
  readonly size?: { readonly width: number; readonly height: number };
  /** VS Code's display language as extensions see it, such as `zh-cn`; its own words stay English without a language pack. */
  readonly language?: string;
}

export interface VsCodeWindow {
  readonly page: Page;
  readonly workspace: string;
  readonly server: VsCodeServer;
  /** The extension host, a new one after each reload. */
  readonly host: () => HostBridge;
  /** Runs a command by its id and waits until it has ended. A command that asks ends with the answer: then await it after giving that. */
  run(id: string, ...args: readonly unknown[]): Promise<void>;
  /** Begins a command that ends only when a person has closed what it shows, such as a toast. What it fails with is thrown by the next `run`. */
  begin(id: string, ...args: readonly unknown[]): void;
  /** Runs a command by its palette title (`Sluice: New Chat`). Throws when the palette does not have it. */
  runCommand(title: string): Promise<void>;
  /** The innermost frame that has a visible element for `selector`. */
  frameWith(selector: string): Promise<Frame>;
  /** The icon of a view container in the activity bar. */
  activityIcon(title: string): Locator;
  /** Shows a view container with the focus. */
  showContainer(title: keyof typeof containers): Promise<void>;
  /** The pane of a view in the side bar, by its title; opened when it was collapsed. */
  view(title: string): Promise<Locator>;
  /** The rows of the tree in a view, those that are drawn. */
  treeRows(title: string): Promise<Locator>;
  /** The first row whose text, or sentence for a screen reader, has `text`: a long prompt is cut in the row. Waits for it. */
  treeRow(title: string, text: string | RegExp): Promise<Locator>;
  /** Waits for the toast with `text`. Only in a window with `toasts`. */
  toast(text: string | RegExp): Promise<Locator>;
  /** Opens a file by its path in a folder of the workspace in an editor and focuses it. */
  openFile(relative: string): Promise<Locator>;
  /** Selects the first occurrence of `text` in the active editor and focuses it. */
  selectText(text: string): Promise<void>;
  /** The open quick pick or input box. */
  quickInput(): Locator;
  /** The choices of the open quick pick, as they are read out. */
  quickPickItems(): Promise<readonly string[]>;
  /** Chooses in the open quick pick by label. */
  pick(label: string | RegExp): Promise<void>;
  /** Replaces the user's settings, on disk: VS Code applies them a moment later. */
  changeSettings(settings: Readonly<Record<string, unknown>>): Promise<void>;
  /** Sets some of the user's settings through VS Code; `null` removes one. */
  configure(settings: Readonly<Record<string, unknown>>): Promise<void>;
  /** *Reload Window*: VS Code writes down first which editors are open. */
  reload(): Promise<void>;
  /** Another window on the same server and profile, by default on the same folder; closed with the first one. */
  openSecond(workspace?: string): Promise<VsCodeWindow>;
  /** Writes `<name>.png` and returns its path. */
  screenshot(name: string): Promise<string>;
  /** Ends the window and the server. */
  close(): Promise<void>;
}

/** The commands that show the view containers. */
const containers = {
  Sluice: "workbench.view.extension.sluice",
  Explorer: "workbench.view.explorer",
  "Source Control": "workbench.view.scm",
} as const;

/** A limit for what never comes; a machine that is busy with other suites takes a while for what does. */
const patience = 60_000;
const open = new Set<VsCodeWindow>();

/** Opens VS Code on a workspace and waits until the workbench and its extension host are there. */
export async function openWindow(options: WindowOptions = {}): Promise<VsCodeWindow> {
  const { extension = "development", trusted = true, toasts = false, floor = false } = options;
  const workspace = options.workspace ?? (await sampleWorkspace());
  const evidence = path.resolve("test-results", process.env["SLUICE_TEST_SUITE"] ?? "window");
  await mkdir(evidence, { recursive: true });
  const extensionsDir = options.extensionsDir ?? (await temporaryFolder());
  // It is copied before a package is installed, which makes the list of all extensions that are there.
  await cp("test/fixtures/bridgeExtension", path.join(extensionsDir, "fixture.bridge-1.0.0"), { recursive: true });
  if (typeof extension === "object") await installExtension(extension.vsix, extensionsDir);
  if (extension === "development" && toasts) await installBuild(extensionsDir);
  const hosts = await listenForHosts();
  const server = await startVsCodeServer({
    trusted,
    floor,
    driver: !toasts,
    extensionsDir,
    log: path.join(evidence, "server.log"),
    // The window starts in Restricted Mode without the question.
    settings: {
      ...stillSettings,
      ...(trusted ? {} : { "security.workspace.trust.startupPrompt": "never" }),
      ...options.settings,
    },
    environment: {
      ...(options.speed === undefined ? {} : { SLUICE_TIMES: JSON.stringify({ speed: options.speed }) }),
      ...options.environment,
      SLUICE_TEST_BRIDGE: hosts.address,
    },
  });
  let context: BrowserContext | undefined;
  try {
    const browser = await sharedBrowser();
    context = await browser.newContext({
      viewport: options.size ?? { width: 1280, height: 800 },
      // The processor draws each frame of a transition, and a toast uses one to report that it is there.
      reducedMotion: toasts ? "no-preference" : "reduce",
      // The clipboard is asked for by VS Code's own copy and paste.
      permissions: ["clipboard-read", "clipboard-write"],
    });
    context.setDefaultTimeout(patience);
    await context.addInitScript(stopSpinners);
    if (options.language) await context.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = "${options.language}";`);
    await context.route("**/mint-key", (route) => route.fulfill({ body: secretStorageKey }));
    const development = extension === "development" ? { development: path.resolve(".") } : {};
    const host: WindowHost = {
      context,
      server,
      hosts,
      evidence,
      url: (folder) => server.url({ ...definedFields({ folder }), ...development }),
    };
    return await openPage(host, workspace);
  } catch (error) {
    await context?.close();
    await server.stop();
    hosts.close();
    throw error;
  }
}

const chromium: { browser?: Promise<Browser> } = {};
/** One Chromium for all windows of this process, each in a context of its own: launching it costs a tenth of opening a window. */
async function sharedBrowser(): Promise<Browser> {
  const running = await chromium.browser;
  if (running?.isConnected()) return running;
  return (chromium.browser = launchBrowser());
}

/** Runs in each frame before its scripts. Each step of a turning icon or a progress bar makes the processor draw the window again. */
const stopSpinners = `{
  const still = new CSSStyleSheet();
  still.replaceSync(".codicon, .progress-bit { animation: none !important; }");
  document.adoptedStyleSheets.push(still);
}`;

interface WindowHost {
  readonly context: BrowserContext;
  readonly server: VsCodeServer;
  readonly hosts: BridgeListener;
  readonly evidence: string;
  readonly url: (folder: string | undefined) => string;
}

/**
 * VS Code encrypts its SecretStorage in the browser with a key from `POST /mint-key`. The bare server has no such route, and VS Code then keeps
 * secrets in the memory of one page: a reloaded or second window would have lost them.
 */
const secretStorageKey = Buffer.alloc(32, "sluice");

async function openPage(host: WindowHost, workspace: string): Promise<VsCodeWindow> {
  const page = await host.context.newPage();
  const connecting = host.hosts.next();
  await page.goto(host.url(workspace === "none" ? undefined : workspace));
  let bridge = await connecting;
  if (workspace.endsWith(".code-workspace"))
    while (!(await hasFolders(bridge))) {
      const next = host.hosts.next();
      await page.reload();
      bridge = await next;
    }
  const window = drive(page, host, workspace, bridge);
  await ready(page);
  open.add(window);
  return window;
}

/** VS Code in a browser sometimes begins without the folders of a workspace file, and then stays so until it is loaded again (seen in 1 of 40). */
function hasFolders(bridge: HostBridge): Promise<boolean> {
  return bridge.evaluate(({ workspace: { workspaceFolders } }) => workspaceFolders !== undefined, undefined);
}

async function ready(page: Page): Promise<void> {
  await page.locator(".monaco-workbench .part.statusbar").waitFor();
  await page.locator(".monaco-workbench .part.activitybar .action-item").first().waitFor();
}

function drive(page: Page, host: WindowHost, workspace: string, first: HostBridge): VsCodeWindow {
  const { context, server, hosts, evidence } = host;
  let bridge = first;
  let failure: Error | undefined;
  const quick = quickInputOf(page, patience);
  const activityIcon = (title: string): Locator =>
    page.locator(".part.activitybar").getByRole("tab", { name: title, exact: false });

  const window: VsCodeWindow = {
    page,
    server,
    workspace,
    host: () => bridge,
    begin(id, ...args) {
      const at = bridge;
      window.run(id, ...args).catch((error: unknown) => {
        if (!at.hasEnded() && error instanceof Error) failure = error;
      });
    },
    async run(id, ...args) {
      if (failure) throw failure;
      // A result of the command may be no JSON.
      await bridge.evaluate(
        async (api, command) => {
          await api.commands.executeCommand(command.id, ...command.args);
        },
        { id, args },
      );
    },
    runCommand: (title) => quick.runCommand(title),
    async frameWith(selector) {
      // A webview is two nested frames that are replaced with its view, so the frames are listed each time.
      const deadline = Date.now() + patience;
      while (Date.now() < deadline) {
        for (const frame of page.frames().reverse()) {
          if (frame === page.mainFrame()) continue;
          const seen = await frame
            .locator(selector)
            .first()
            .isVisible()
            .catch(() => false);
          if (seen) return frame;
        }
        await page.waitForTimeout(50);
      }
      throw new Error(`No webview shows ${selector} within ${patience / 1000} s`);
    },
    activityIcon,
    async showContainer(title) {
      await window.run(containers[title]);
      await page.locator(".part.sidebar .composite.title").filter({ hasText: title }).waitFor();
    },
    async view(title) {
      const pane = page
        .locator(".pane")
        .filter({ has: page.locator(".pane-header").getByText(title, { exact: true }) });
      const header = pane.locator(".pane-header");
      await header.waitFor();
      // This key only expands. A click would collapse the view that a first task has just expanded.
      if ((await header.getAttribute("aria-expanded")) === "false") await header.press("ArrowRight");
      return pane;
    },
    async treeRows(title) {
      return (await window.view(title)).locator(".monaco-list-row");
    },
    async treeRow(title, text) {
      const rows = await window.treeRows(title);
      const row = rows
        .filter({ hasText: text })
        .or(rows.and(page.getByRole("treeitem", { name: text })))
        .first();
      await row.waitFor();
      return row;
    },
    async toast(text) {
      // The class is set when its animation has ended.
      const toast = page.locator(".notifications-toasts .notification-fade-in-done", { hasText: text }).first();
      await toast.waitFor();
      return toast;
    },
    async openFile(relative) {
      await bridge.evaluate(async ({ Uri, workspace: files, window: editors }, end) => {
        const inFolders = (files.workspaceFolders ?? []).map(({ uri }) => Uri.joinPath(uri, end));
        for (const file of inFolders) {
          const found = await files.fs.stat(file).then(
            () => true,
            () => false,
          );
          if (!found) continue;
          await editors.showTextDocument(file, { preview: false });
          return;
        }
        throw new Error(`No folder of the workspace has ${end}.`);
      }, relative);
      const tab = page.locator(".editor-group-container.active .tab.active", { hasText: path.basename(relative) });
      await tab.first().waitFor();
      return page.locator(".editor-group-container.active .monaco-editor").first();
    },
    async selectText(text) {
      await bridge.evaluate(async (api, wanted) => {
        const editor = api.window.activeTextEditor;
        const at = editor?.document.getText().indexOf(wanted) ?? -1;
        if (editor === undefined || at < 0) throw new Error(`No editor that is open has “${wanted}”.`);
        const { document } = editor;
        const selection = new api.Range(document.positionAt(at), document.positionAt(at + wanted.length));
        await api.window.showTextDocument(document, { selection, preview: false });
      }, text);
    },
    quickInput: () => quick.widget,
    async quickPickItems() {
      await quick.widget.locator(".monaco-list-row").first().waitFor();
      return await quick.widget.locator(".monaco-list-row").allInnerTexts();
    },
    async pick(label) {
      await quick.clickRow(label);
      // The mouse leaves the list: a row's tooltip would cover the rows of the next one.
      await page.mouse.move(1, 1);
    },
    changeSettings: (settings) => writeSettings(path.join(server.dataDir, "data"), { ...stillSettings, ...settings }),
    async configure(settings) {
      await bridge.evaluate(async ({ workspace: { getConfiguration }, ConfigurationTarget }, wanted) => {
        for (const [id, value] of Object.entries(wanted))
          await getConfiguration().update(id, value ?? undefined, ConfigurationTarget.Global);
      }, settings);
    },
    async reload() {
      const next = hosts.next();
      // Its host ends before it can answer.
      window.run("workbench.action.reloadWindow").catch(() => undefined);
      bridge = await next;
      await ready(page);
    },
    openSecond: (folder = workspace) => openPage(host, folder),
    async screenshot(name) {
      const file = path.join(evidence, `${name}.png`);
      // Playwright finishes animations before the picture is taken.
      await page.screenshot({ path: file, animations: "disabled" });
      return file;
    },
    async close() {
      for (const other of open) if (other.server === server) open.delete(other);
      await context.close();
      await server.stop();
      hosts.close();
    },
  };
  return window;
}

keepEvidence(open);

if (typeof after === "function") after("close the browser", async () => (await chromium.browser)?.close());

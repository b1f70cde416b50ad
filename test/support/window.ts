/** Opens a real VS Code window on a workspace and drives it for the tests in test/window. */
import { mkdir } from "node:fs/promises";
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
import { processWide } from "./processWide";
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
  /** Without VS Code's test driver, which hides toasts. */
  readonly toasts?: boolean;
  /** The oldest VS Code that is supported instead of the newest. */
  readonly floor?: boolean;
  /** Additional variables for the extension host. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly size?: { readonly width: number; readonly height: number };
  /** VS Code's display language as extensions see it, such as `zh-cn`; its own words stay English without a language pack. */
  readonly language?: string;
}

export interface VsCodeWindow {
  readonly page: Page;
  readonly workspace: string;
  readonly server: VsCodeServer;
  /** Runs a command by its palette title (`Sluice: New Chat`). Throws when the palette does not have it. */
  runCommand(title: string): Promise<void>;
  /** The innermost frame that has a visible element for `selector`. */
  frameWith(selector: string): Promise<Frame>;
  /** The icon of a view container in the activity bar. */
  activityIcon(title: string): Locator;
  /** Shows a view container, if it is not the shown one. */
  showContainer(title: string): Promise<void>;
  /** The pane of a view in the side bar, by its title; opened when it was collapsed. */
  view(title: string): Promise<Locator>;
  /** The rows of the tree in a view, those that are drawn. */
  treeRows(title: string): Promise<Locator>;
  /** The first row whose text, or sentence for a screen reader, has `text`: a long prompt is cut in the row. Waits for it. */
  treeRow(title: string, text: string | RegExp): Promise<Locator>;
  /** Waits for the toast with `text`. Only in a window with `toasts`. */
  toast(text: string | RegExp): Promise<Locator>;
  /** Opens a file of the workspace in an editor and focuses it. */
  openFile(relative: string): Promise<Locator>;
  /** Selects the first occurrence of `text` (one line) in the focused editor. */
  selectText(text: string): Promise<void>;
  /** The open quick pick or input box. */
  quickInput(): Locator;
  /** The choices of the open quick pick, as they are read out. */
  quickPickItems(): Promise<readonly string[]>;
  /** Chooses in the open quick pick by label. */
  pick(label: string | RegExp): Promise<void>;
  /** Replaces the user's settings, on disk: VS Code applies them a moment later. */
  changeSettings(settings: Readonly<Record<string, unknown>>): Promise<void>;
  /** Loads the window again, as after *Reload Window*. */
  reload(): Promise<void>;
  /** Another window on the same server and profile, by default on the same folder; closed with the first one. */
  openSecond(workspace?: string): Promise<VsCodeWindow>;
  /** Writes `<name>.png` and returns its path. */
  screenshot(name: string): Promise<string>;
  /** Ends the window and the server. */
  close(): Promise<void>;
}

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
  if (typeof extension === "object") await installExtension(extension.vsix, extensionsDir);
  if (extension === "development" && toasts) await installBuild(extensionsDir);
  const server = await startVsCodeServer({
    trusted,
    floor,
    driver: !toasts,
    extensionsDir,
    log: path.join(evidence, "server.log"),
    // Restricted Mode from the start, without the question.
    settings: {
      ...stillSettings,
      ...(trusted ? {} : { "security.workspace.trust.startupPrompt": "never" }),
      ...options.settings,
    },
    ...(options.environment ? { environment: options.environment } : {}),
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
      evidence,
      url: (folder) => server.url({ ...definedFields({ folder }), ...development }),
    };
    return await openPage(host, workspace);
  } catch (error) {
    await context?.close();
    await server.stop();
    throw error;
  }
}

const chromium = processWide<{ browser?: Promise<Browser> }>("browser", () => ({}));
/** One Chromium for all windows of this process, each in a context of its own: launching it costs a tenth of opening a window. */
async function sharedBrowser(): Promise<Browser> {
  const running = await chromium.browser;
  if (running?.isConnected()) return running;
  return (chromium.browser = launchBrowser());
}

/** For each frame, before its scripts. Each step of a turning icon or a progress bar makes the processor draw the window again. */
const stopSpinners = `{
  const still = new CSSStyleSheet();
  still.replaceSync(".codicon, .progress-bit { animation: none !important; }");
  document.adoptedStyleSheets.push(still);
}`;

interface WindowHost {
  readonly context: BrowserContext;
  readonly server: VsCodeServer;
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
  await page.goto(host.url(workspace === "none" ? undefined : workspace));
  const window = drive(page, host, workspace);
  await ready(page, workspace !== "none");
  if (workspace.endsWith(".code-workspace")) await showsFolders(page);
  open.add(window);
  return window;
}

/**
 * VS Code in a browser reads a workspace file once its server is connected. On a busy machine it sometimes missed that, and the window stayed
 * without folders until it was loaded again (seen in 1 of 40).
 */
async function showsFolders(page: Page): Promise<void> {
  const row = page.locator(".explorer-folders-view .monaco-list-row").first();
  try {
    await row.waitFor({ timeout: 20_000 });
  } catch {
    await page.reload();
    await ready(page, true);
    await row.waitFor();
  }
}

async function ready(page: Page, hasFolder: boolean): Promise<void> {
  await page.locator(".monaco-workbench .part.statusbar").waitFor();
  await page.locator(".monaco-workbench .part.activitybar .action-item").first().waitFor();
  const explorer = ".explorer-folders-view .monaco-list-row, .part.sidebar .pane";
  if (hasFolder) await page.locator(explorer).first().waitFor();
}

function drive(page: Page, host: WindowHost, workspace: string): VsCodeWindow {
  const { context, server, evidence } = host;
  const quick = quickInputOf(page, patience);
  const activityIcon = (title: string): Locator =>
    page.locator(".part.activitybar").getByRole("tab", { name: title, exact: false });

  const window: VsCodeWindow = {
    page,
    server,
    workspace,
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
      const icon = activityIcon(title);
      const shown = page.locator(".part.sidebar .composite.title").filter({ hasText: title });
      const deadline = Date.now() + patience;
      for (;;) {
        await icon.waitFor();
        if ((await icon.getAttribute("aria-selected")) !== "true") await icon.click();
        try {
          await shown.waitFor({ timeout: 5_000 });
          break;
        } catch (error) {
          // Where it was shown between the look and the click, the click has hidden it.
          if (Date.now() > deadline) throw error;
        }
      }
      // Away from the icon, so that its tooltip is in no picture.
      await page.mouse.move(640, 400);
    },
    async view(title) {
      const pane = page
        .locator(".pane")
        .filter({ has: page.locator(".pane-header").getByText(title, { exact: true }) });
      const header = pane.locator(".pane-header");
      await header.waitFor();
      // A first task may expand it before the click, which then collapses it.
      while ((await header.getAttribute("aria-expanded")) === "false") await header.click();
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
      const row = quick.widget.locator(".monaco-list-row:first-child", { hasText: path.basename(relative) });
      const deadline = Date.now() + patience;
      for (;;) {
        await quick.open(relative);
        try {
          await row.waitFor({ timeout: 5_000 });
          // By key, as a tooltip may cover the row; in the input, as what takes the focus late closes the list.
          await quick.widget.locator("input").first().press("Enter", { timeout: 2_000 });
          break;
        } catch (error) {
          // An open list does not look for a file that was written a moment ago.
          if (Date.now() > deadline) throw error;
          await page.keyboard.press("Escape");
        }
      }
      // Until then the editor is the one before.
      const tab = page.locator(".editor-group-container.active .tab.active", { hasText: path.basename(relative) });
      await tab.first().waitFor();
      const editor = page.locator(".editor-group-container.active .monaco-editor").first();
      await editor.locator(".view-line").first().waitFor();
      // Away from the breadcrumbs, whose hover covers the first line.
      await page.mouse.move(1, 1);
      await editor.locator(".view-line").first().click();
      return editor;
    },
    async selectText(text) {
      const widget = page.locator(".editor-widget.find-widget.visible");
      const selected = page.locator("#status\\.editor\\.selection").getByText(`(${text.length} selected)`);
      const deadline = Date.now() + patience;
      for (;;) {
        try {
          await page.keyboard.press("ControlOrMeta+f");
          const input = widget.locator("textarea").first();
          await input.fill(text, { timeout: 5_000 });
          await input.press("Enter", { timeout: 5_000 });
          await page.keyboard.press("Escape");
          // A late key can leave the cursor at the match without selecting it.
          await selected.waitFor({ timeout: 3_000 });
          return;
        } catch (error) {
          if (Date.now() > deadline) throw error;
          // A list that closes late gives the focus to what had it before, which then gets the first key.
          const editor = page.locator(".editor-group-container.active .monaco-editor").first();
          // Not a click, which the open Find would take.
          await editor.locator(".native-edit-context, textarea.inputarea").first().focus({ timeout: 5_000 });
        }
      }
    },
    quickInput: () => quick.widget,
    async quickPickItems() {
      await quick.widget.locator(".monaco-list-row").first().waitFor();
      return await quick.widget.locator(".monaco-list-row").allInnerTexts();
    },
    async pick(label) {
      await quick.clickRow(label);
      // Off the list: a row's tooltip would cover those of the next one.
      await page.mouse.move(1, 1);
    },
    changeSettings: (settings) => writeSettings(path.join(server.dataDir, "data"), { ...stillSettings, ...settings }),
    async reload() {
      await page.reload();
      await ready(page, workspace !== "none");
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
    },
  };
  return window;
}

keepEvidence(open);

if (typeof after === "function") after("close the browser", async () => (await chromium.browser)?.close());

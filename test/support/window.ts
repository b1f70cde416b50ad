/** Opens a real VS Code window on a workspace and drives it for the tests in test/ui. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Browser, BrowserContext, Frame, Locator, Page } from "playwright-core";
import { launchBrowser } from "../../scripts/browser.mjs";
import { installBuild, installExtension, startVsCodeServer, type VsCodeServer } from "../../scripts/vscodeServer.mjs";
import { sampleWorkspace, temporaryFolder } from "../../scripts/workspace.mjs";
import { definedFields } from "../../src/base/definedFields";
import { keepEvidence } from "./windowEvidence";

export interface WindowOptions {
  /** A folder; by default a fresh copy of the sample. `none` opens no folder. */
  readonly workspace?: string;
  /** User settings in addition to the defaults of scripts/vscodeServer.mjs. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** `false` opens in Restricted Mode. Default: trusted. */
  readonly trusted?: boolean;
  /** The extension under development in this folder (default), a packaged one, or none. */
  readonly extension?: "development" | { readonly vsix: string } | "none";
  /** Without VS Code's test driver, which hides notification toasts. Default: false. */
  readonly toasts?: boolean;
  /** Additional variables for the extension host. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly size?: { readonly width: number; readonly height: number };
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
  /** The first row whose text has `text`. Waits for it. */
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
  /** Loads the window again, as after *Reload Window*. */
  reload(): Promise<void>;
  /** Another window on the same server and profile, by default on the same folder; closed with the first one. */
  openSecond(workspace?: string): Promise<VsCodeWindow>;
  /** Writes `<name>.png` and returns its path. */
  screenshot(name: string): Promise<string>;
  /** Ends the window, the browser and the server. */
  close(): Promise<void>;
}

const patience = 30_000;
const open = new Set<VsCodeWindow>();

/** Opens VS Code on a workspace and waits until the workbench and its extension host are there. */
export async function openWindow(options: WindowOptions = {}): Promise<VsCodeWindow> {
  const { extension = "development", trusted = true, toasts = false } = options;
  const workspace = options.workspace ?? (await sampleWorkspace());
  const evidence = path.resolve("test-results", process.env["SLUICE_TEST_SUITE"] ?? "window");
  await mkdir(evidence, { recursive: true });
  const extensionsDir = await temporaryFolder();
  if (typeof extension === "object") await installExtension(extension.vsix, extensionsDir);
  if (extension === "development" && toasts) await installBuild(extensionsDir);
  const server = await startVsCodeServer({
    trusted,
    driver: !toasts,
    extensionsDir,
    log: path.join(evidence, "server.log"),
    // Restricted Mode from the start, without the question.
    settings: { ...(trusted ? {} : { "security.workspace.trust.startupPrompt": "never" }), ...options.settings },
    ...(options.environment ? { environment: options.environment } : {}),
  });
  let browser: Browser | undefined;
  try {
    browser = await launchBrowser();
    const context = await browser.newContext({
      viewport: options.size ?? { width: 1280, height: 800 },
      // The clipboard is asked for by VS Code's own copy and paste.
      permissions: ["clipboard-read", "clipboard-write"],
    });
    context.setDefaultTimeout(patience);
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
    await browser?.close();
    await server.stop();
    throw error;
  }
}

/** Shared by all windows of one server and profile. */
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
  open.add(window);
  return window;
}

/** Waits for the parts of the workbench that need the extension host. */
async function ready(page: Page, hasFolder: boolean): Promise<void> {
  await page.locator(".monaco-workbench .part.statusbar").waitFor();
  await page.locator(".monaco-workbench .part.activitybar .action-item").first().waitFor();
  const explorer = ".explorer-folders-view .monaco-list-row, .part.sidebar .pane";
  if (hasFolder) await page.locator(explorer).first().waitFor();
}

function drive(page: Page, host: WindowHost, workspace: string): VsCodeWindow {
  const { context, server, evidence } = host;
  const quickInput = page.locator(".quick-input-widget").filter({ visible: true });
  const activityIcon = (title: string): Locator =>
    page.locator(".part.activitybar").getByRole("tab", { name: title, exact: false });

  /** Opens the palette with this text. A closing pick or an editor that takes the focus closes it again, so it retries. */
  const runQuickInput = async (text: string): Promise<void> => {
    const input = quickInput.locator("input").first();
    const deadline = Date.now() + patience;
    for (;;) {
      try {
        await page.keyboard.press("F1");
        await input.fill(text, { timeout: 2_000 });
        if ((await input.inputValue({ timeout: 500 })) === text) return;
      } catch (error) {
        if (Date.now() > deadline) throw error;
      }
    }
  };

  const window: VsCodeWindow = {
    page,
    server,
    workspace,
    async runCommand(title) {
      const row = quickInput
        .locator(".monaco-list-row")
        .filter({ has: page.getByText(title, { exact: true }) })
        .first();
      const deadline = Date.now() + patience;
      for (;;) {
        await runQuickInput(`>${title}`);
        try {
          // An open palette does not list commands that are registered later.
          await row.click({ timeout: 3_000 });
          // Off the row: its tooltip would cover what opens.
          await page.mouse.move(1, 1);
          return;
        } catch (error) {
          if (Date.now() > deadline) throw error;
          await page.keyboard.press("Escape");
        }
      }
    },
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
      await icon.waitFor();
      if ((await icon.getAttribute("aria-selected")) !== "true") await icon.click();
      await page.locator(".part.sidebar .composite.title").filter({ hasText: title }).waitFor();
      // Away from the icon, so that its tooltip is in no picture.
      await page.mouse.move(640, 400);
    },
    async view(title) {
      const pane = page
        .locator(".pane")
        .filter({ has: page.locator(".pane-header").getByText(title, { exact: true }) });
      const header = pane.locator(".pane-header");
      await header.waitFor();
      if ((await header.getAttribute("aria-expanded")) === "false") await header.click();
      return pane;
    },
    async treeRows(title) {
      return (await window.view(title)).locator(".monaco-list-row");
    },
    async treeRow(title, text) {
      const row = (await window.treeRows(title)).filter({ hasText: text }).first();
      await row.waitFor();
      return row;
    },
    async toast(text) {
      // The class is set when its animation has ended.
      const shown = page.locator(".notifications-toasts .notification-fade-in-done");
      const toast = shown.filter({ hasText: text }).first();
      await toast.waitFor();
      return toast;
    },
    async openFile(relative) {
      await runQuickInput(relative);
      const first = quickInput.locator(".monaco-list-row").first();
      await first.filter({ hasText: path.basename(relative) }).waitFor();
      // By key: a tooltip may cover the row.
      await page.keyboard.press("Enter");
      const editor = page.locator(".editor-group-container.active .monaco-editor").first();
      await editor.locator(".view-line").first().waitFor();
      await editor.locator(".view-line").first().click();
      return editor;
    },
    async selectText(text) {
      await page.keyboard.press("ControlOrMeta+f");
      const widget = page.locator(".editor-widget.find-widget.visible");
      await widget.locator("textarea").first().fill(text);
      await page.keyboard.press("Enter");
      await page.keyboard.press("Escape");
    },
    quickInput: () => quickInput,
    async quickPickItems() {
      await quickInput.locator(".monaco-list-row").first().waitFor();
      return await quickInput.locator(".monaco-list-row").allInnerTexts();
    },
    async pick(label) {
      await quickInput.locator(".monaco-list-row").filter({ hasText: label }).first().click();
    },
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
      await context.browser()?.close();
      await server.stop();
    },
  };
  return window;
}

keepEvidence(open);

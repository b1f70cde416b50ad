/** Opens a fake window with the whole built extension in it, on temporary folders for storage, workspace and home. */
import childProcess from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { cp, mkdir, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type * as vscode from "vscode";
import type { ExtensionInside } from "../../../src/extension";
import { createApi } from "./api";
import { ExtensionMode } from "./enums";
import { FakeWindow, type FolderToOpen } from "./fakeWindow";
import { forkHere, gatewaysEnded } from "./gatewayHere";
import { loadExtension } from "./loadExtension";
import { Person } from "./person";
import { Uri } from "./positions";
import { SharedStorage } from "./storage";
import type { WaitingClock } from "./waitingClock";

export interface OpenOptions {
  /** The storage folder that windows share: that of an earlier window, or of another process. A new one by default. */
  readonly storage?: string;
  /** A folder to open; `false` for none. By default a new one with `files`. */
  readonly folder?: string | false;
  /** A workspace of several folders, or one that is on no disk, in place of `folder`. */
  readonly folders?: readonly FolderToOpen[];
  /** Files of other extensions by the scheme of their addresses. */
  readonly fileSystems?: Readonly<Record<string, vscode.FileSystemProvider>>;
  /** Texts by their paths in the folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** Copies the sample project into the folder. */
  readonly sample?: boolean;
  /** How many times as fast as usual the local gateway makes its tasks: 200 by default. The last opened window of a process decides. */
  readonly speed?: number;
  /** User settings before the start. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly language?: string;
  readonly isTrusted?: boolean;
  /** `production`: what is not used is not loaded, and `inside` is undefined. */
  readonly mode?: "test" | "production";
  /** `process`: the local gateway is a process of its own, as in VS Code; by default it is in this one, which is quicker. */
  readonly gateway?: "process";
  readonly clock?: WaitingClock;
  readonly skipsPauses?: boolean;
  /** Other extensions, such as `vscode.git`. */
  readonly extensions?: readonly vscode.Extension<unknown>[];
}

export interface OpenedWindow {
  readonly window: FakeWindow;
  readonly person: Person;
  /** What the extension shows to tests; `undefined` in the mode `production`. */
  readonly inside: ExtensionInside;
  readonly storage: string;
  /** The first folder that is open on the disk. */
  readonly folder: string;
  /** Ends the extension as VS Code does when a window closes. */
  close(): Promise<void>;
  /** Closes the window and opens it again on the same storage and folder. Tabs with pages of the extension are restored. */
  reload(changes?: Partial<OpenOptions>): Promise<OpenedWindow>;
}

/** The temporary folder of this process, removed at its end. */
let base: string | undefined;

function temporaryBase(): string {
  if (base !== undefined) return base;
  const made = mkdtempSync(path.join(os.tmpdir(), "sluice-journey-"));
  base = made;
  const home = path.join(made, "home");
  mkdirSync(home);
  process.env["HOME"] = home;
  process.env["USERPROFILE"] = home;
  process.on("exit", () => rmSync(made, { recursive: true, force: true }));
  return made;
}

function freshFolder(name: string): string {
  return mkdtempSync(path.join(temporaryBase(), `${name}-`));
}

export async function openWindow(options: OpenOptions = {}): Promise<OpenedWindow> {
  const root = process.cwd();
  const storageFolder = options.storage ?? freshFolder("storage");
  const folders = options.folders ?? (await foldersOf(root, options));
  const storage = new SharedStorage(storageFolder);
  const { settings = {} } = options;
  process.env["SLUICE_TIMES"] = JSON.stringify({ speed: options.speed ?? 200 });
  for (const [id, value] of Object.entries(settings)) {
    if (options.storage === undefined || options.settings?.[id] !== undefined)
      storage.values("settings").write(id, value);
  }
  const window = new FakeWindow({ ...options, root, storage, folders });
  for (const [scheme, provider] of Object.entries(options.fileSystems ?? {}))
    window.fileSystems.register(scheme, provider);
  window.extensions.push(...(options.extensions ?? []));
  const extension = loadExtension(root, {
    vscode: createApi(window),
    ...(options.gateway !== "process" && { "node:child_process": { ...childProcess, fork: forkHere } }),
  });
  const context = createContext(root, window, storage, options.mode ?? "test");
  const inside = await window.during(
    "the extension is activated",
    extension.activate(context, { clock: window.clock }),
  );
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    open.delete(close);
    await window.during("the extension has ended", extension.deactivate());
    for (const registration of context.subscriptions.toReversed()) registration.dispose();
    window.dispose();
    storage.dispose();
  };
  open.add(close);
  return {
    ...{ window, person: new Person(window), storage: storageFolder, close },
    folder: window.folders.find(({ uri }) => uri.scheme === "file")?.uri.fsPath ?? "",
    // In the mode `production` a test that looks inside fails.
    inside: inside!,
    reload: async (changes = {}) => {
      const tabs = window.webviews.panels.map(({ viewType, title = "", savedState }) => ({
        viewType,
        title,
        savedState,
      }));
      await close();
      const { settings: _settings, ...same } = options;
      const again = await openWindow({
        ...same,
        folders,
        storage: storageFolder,
        clock: window.clock,
        ...changes,
      });
      for (const { viewType, title, savedState } of tabs) {
        if (viewType.startsWith("sluice.")) await again.window.webviews.restore(viewType, title, savedState);
      }
      return again;
    },
  };
}

const open = new Set<() => Promise<void>>();

/** Closes what a test has left open: for `afterEach`. */
export async function closeWindows(): Promise<void> {
  for (const close of [...open]) await close();
  await gatewaysEnded();
}

async function foldersOf(root: string, options: OpenOptions): Promise<readonly FolderToOpen[]> {
  if (options.folder === false) return [];
  return [{ at: options.folder ?? (await makeFolder(root, options)) }];
}

async function makeFolder(root: string, { files = {}, sample = false }: OpenOptions): Promise<string> {
  const folder = path.join(freshFolder("workspace"), "project");
  await mkdir(folder);
  if (sample) await cp(path.join(root, "media", "sample"), folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return folder;
}

function createContext(
  root: string,
  window: FakeWindow,
  storage: SharedStorage,
  mode: "test" | "production",
): vscode.ExtensionContext {
  const place = (name: string): Uri => {
    const folder = path.join(storage.folder, name);
    mkdirSync(folder, { recursive: true });
    return Uri.file(folder);
  };
  const extensionUri = Uri.file(root);
  const context: Partial<vscode.ExtensionContext> = {
    ...{ subscriptions: [], extensionUri, extensionPath: root },
    extension: {
      id: "sluice.sluice",
      packageJSON: window.manifest.json,
      extensionUri,
      extensionPath: root,
      isActive: true,
    } as vscode.Extension<unknown>,
    extensionMode: mode === "test" ? ExtensionMode.Test : ExtensionMode.Production,
    globalStorageUri: place("globalStorage"),
    storageUri: place(`workspaceStorage-${window.workspaceName}`),
    logUri: place("logs"),
    globalState: storage.memento("globalState"),
    workspaceState: storage.memento(`workspaceState-${window.workspaceName}`),
    secrets: storage.secrets(),
  };
  return context as vscode.ExtensionContext;
}

/** The page of the project's assets in an editor tab: searches the project when the page asks for it (T17). */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { isAbort } from "../../../base/async/abort";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import { headingText, readPromptPlace } from "../../../domain/lock/lockFile";
import { oversizeOf } from "../../../domain/task/assetGroups";
import { assetsPageContract, type AssetAction, type AssetsPageSnapshot } from "../../contract/assetsPageContract";
import { openFile, openFolderCommand, revealInExplorer, runCommand } from "../../../vscode/interface/runCommand";
import { lastOf, mountProjectedPage, type ProjectedPage } from "../../../vscode/webviewPage";
import { type FoundUses, lookForUses, placedHere } from "../results/lookForUses";
import { type CheckedFile } from "../../lock/lockStates";
import { readBelow } from "../../lock/lockedFiles";
import { findSmallPicture, readAsset } from "../../results/readAsset";
import { lockedStates } from "../results/lockedStates";
import { showPath } from "../results/resultTargets";
import { type FoundAsset, foundAssets } from "./foundAssets";
import type { GallerySection } from "../../contract/pageSections";
import { runTaskAction } from "../tree/runTaskAction";
import type { TaskPagePorts } from "./taskPage";

interface Looked extends FoundUses {
  readonly at: number;
  /** The assets by the URI of the file. */
  assets: ReadonlyMap<string, FoundAsset>;
}

export class AssetsPage implements Disposable {
  readonly #ports: TaskPagePorts;
  readonly #tab: vscode.WebviewPanel;
  readonly #subject: string;
  readonly #registrations = new DisposableStore();
  readonly #page: ProjectedPage<AssetsPageSnapshot>;
  #looking: { readonly stop: AbortController; documents: number } | undefined;
  #looked: Looked | undefined;

  constructor(
    tab: vscode.WebviewPanel,
    subject: string,
    ports: TaskPagePorts,
    open: (section: GallerySection) => void,
  ) {
    this.#subject = subject;
    this.#tab = tab;
    this.#ports = ports;
    this.#page = this.#registrations.add(
      mountProjectedPage(tab, assetsPageContract, {
        ...ports,
        bundle: "assets",
        title: assetsTitle(),
        media: ports.results,
        readsMedia: true,
        handlers: {
          "section-open": ({ section }) => open(section),
          "assets-look": () => void this.#look(),
          "assets-stop": () => this.#looking?.stop.abort(),
          "asset-act": ({ action, file }) => void this.#act(action, file),
          "folder-open": () => void runCommand(openFolderCommand),
          "use-open": ({ file, use }) => void this.#openUse(file, use),
        },
        snapshot: () => this.#snapshot(),
        merge: lastOf,
        onShown: () => {
          if (this.#looked === undefined) void this.#look();
        },
      }),
    );
  }

  dispose(): void {
    this.#looking?.stop.abort();
    this.#registrations.dispose();
  }

  #snapshot(): AssetsPageSnapshot {
    const looked = this.#looked;
    const found =
      looked &&
      foundAssets([...looked.assets.values()], {
        ...looked,
        lookedAt: looked.at,
        locale: vscode.env.language,
        nameOf: (file) => showPath(vscode.Uri.parse(file)),
        urlOf: (path) => this.#tab.webview.asWebviewUri(vscode.Uri.file(path)).toString(),
      });
    return {
      subject: this.#subject,
      ...((vscode.workspace.workspaceFolders ?? []).length === 0 && { noFolder: true }),
      ...(this.#looking && { looking: this.#looking.documents }),
      ...(found && { found }),
    };
  }

  #update(): void {
    this.#page.emit(this.#snapshot());
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    const looking = { stop: new AbortController(), documents: 0 };
    this.#looking = looking;
    this.#update();
    try {
      const { board, clock, readDocuments } = this.#ports;
      await board.loaded();
      const { signal } = looking.stop;
      const listed = await lockedStates(() => true, signal);
      const files = new Set([...this.#placed().keys(), ...listed.keys()]);
      const found = await lookForUses(readDocuments, files, signal, (documents) => {
        looking.documents = documents;
        this.#update();
      });
      const looked: Looked = { ...found, at: clock.now(), assets: new Map() };
      await this.#readFiles(looked, listed);
      this.#looked = looked;
    } catch (failure) {
      if (!isAbort(failure)) void this.#ports.dialogs.showFailure(failure, "read");
    } finally {
      this.#looking = undefined;
      this.#update();
    }
  }

  #placed(): ReturnType<typeof placedHere> {
    return placedHere(this.#ports.board.all.values());
  }

  /** Reads the files that were searched for, if they are on the board or in the lock. */
  async #readFiles(looked: Looked, listed: ReadonlyMap<string, CheckedFile>): Promise<void> {
    const assets = new Map<string, FoundAsset>();
    const placed = this.#placed();
    for (const [file, uses] of looked.uses) {
      const [task, locked] = [placed.get(file), listed.get(file)];
      if (task === undefined && locked === undefined) continue;
      const [now, picture] = await Promise.all([
        readAsset(vscode.Uri.parse(file).fsPath),
        task && findSmallPicture(task),
      ]);
      assets.set(file, { file, task, uses, now, picture, locked });
    }
    looked.assets = assets;
  }

  async #act(action: AssetAction, file: string): Promise<void> {
    const asset = this.#looked?.assets.get(file);
    if (asset === undefined) return;
    const { dialogs, openConvert, openTask } = this.#ports;
    const { id } = asset.task?.intent ?? {};
    const uri = vscode.Uri.parse(file);
    try {
      switch (action) {
        case "open-task":
          if (id !== undefined) openTask(id);
          return;
        case "open-prompt":
          await openPrompt(uri, asset.locked?.entry.prompt ?? "");
          return;
        case "make-real":
          if (id !== undefined) await runTaskAction("make-real", id);
          return;
        case "show":
          await revealInExplorer(uri);
          return;
        case "convert":
          if (id !== undefined) openConvert(id, oversizeOf(asset.now, asset.uses)?.shownWidth);
          return;
      }
    } catch (failure) {
      void dialogs.showFailure(failure, "result", () => void this.#act(action, file));
    }
  }

  async #openUse(file: string, use: number): Promise<void> {
    const place = this.#looked?.assets.get(file)?.uses[use];
    if (place) await openFile(vscode.Uri.parse(place.document), place.line);
  }
}

/** Bytes of a prompt file in which the heading is looked for. */
const maxPromptBytes = 4 * 1024 ** 2;

/** Opens the document of a prompt, at its heading if the document still has it. `place`: the prompt of `file`, as a line of the lock names it. */
async function openPrompt(file: vscode.Uri, place: string): Promise<void> {
  const folder = vscode.workspace.getWorkspaceFolder(file);
  const prompt = readPromptPlace(place);
  if (folder === undefined || prompt === undefined) return;
  const found = await readBelow(folder.uri.fsPath, prompt.file, maxPromptBytes);
  const lines = typeof found === "string" ? [] : found.toString("utf8").split("\n");
  const line = lines.findIndex((text) => /^ {0,3}#/.test(text) && headingText(text) === prompt.heading);
  await openFile(vscode.Uri.joinPath(folder.uri, prompt.file), line === -1 ? undefined : line + 1);
}

/** The title of the page and of its tab. */
function assetsTitle(): string {
  return t("In This Project");
}

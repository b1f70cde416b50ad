/** The page that converts a task's picture, in an editor tab: sends it the result, and writes the converted files into the project (T17). */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { definedFields } from "../../../base/definedFields";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import { type ConvertedFormat, convertedName } from "../../../domain/media/convertedPicture";
import { type ImageSize, imageSizeOf } from "../../../domain/media/imageSize";
import { pictureTypeOf } from "../../../domain/media/pictureTypes";
import { withoutEnding } from "../../../domain/task/taskTypes";
import { timeOfPlacing } from "../../results/placedTasks";
import { acceptedOf } from "../../../domain/task/phase";
import type { Task } from "../../../domain/task/task";
import { joinWords } from "../../../domain/words/joinWords";
import { cutLabel } from "../../../domain/words/label";
import {
  convertPageContract,
  type ConvertPageIntent,
  type ConvertPageSnapshot,
} from "../../contract/convertPageContract";
import { pathOrName, writePicture } from "../../results/reference";
import { markCopy, marksOfTask } from "../../results/taskMarks";
import { askWhereToSave } from "../../../vscode/interface/fileDialogs";
import { revealInExplorer } from "../../../vscode/interface/runCommand";
import { confirmAction, flashStatus, notifyError } from "../../../vscode/interface/show";
import { promptInFiles } from "../../../vscode/ids";
import { askForAlt } from "../results/askForAlt";
import { targetEditor } from "../../../vscode/interface/targetEditor";
import { lastOf, mountProjectedPage, type ProjectedPage } from "../../../vscode/webviewPage";
import { existsAt, hasExactBytes, placeResult } from "../results/placeResults";
import { findWrittenPlace, proposeTarget, showPath } from "../results/resultTargets";
import type { TaskPageOptions } from "./taskPage";

type SaveIntent = Extract<ConvertPageIntent, { type: "picture-save" }>;

/** `size` is that of the first file. */
interface SavedPictures {
  readonly files: readonly [vscode.Uri, ...(readonly vscode.Uri[])];
  readonly size: ImageSize;
  readonly at: number;
}

/** The initial choices of the page. */
interface ConvertProposal {
  /** Pixels. */
  readonly width: number | undefined;
  /** Keeps whether prompt and seed are written into the files. */
  readonly memory: Pick<vscode.Memento, "get" | "update">;
}

export class ConvertPage implements Disposable {
  readonly #id: string;
  readonly #options: TaskPageOptions;
  readonly #tab: vscode.WebviewPanel;
  readonly #registrations = new DisposableStore();
  readonly #page: ProjectedPage<ConvertPageSnapshot>;
  /** The path of the result on this machine; `null` where there is none. */
  #source: string | null | undefined;
  readonly #proposal: ConvertProposal;
  /** The proposed path in the workspace, without its ending. */
  #proposed: string | undefined;
  #isSaving = false;
  #saved: SavedPictures | undefined;

  constructor(tab: vscode.WebviewPanel, id: string, options: TaskPageOptions, proposal: ConvertProposal) {
    this.#id = id;
    this.#proposal = proposal;
    this.#tab = tab;
    this.#options = options;
    this.#page = this.#registrations.add(
      mountProjectedPage(tab, convertPageContract, {
        ...options,
        bundle: "assets",
        title: t("Convert and Save"),
        media: [options.results],
        readsMedia: true,
        handlers: {
          "picture-save": (intent) => void this.#save(intent),
          "result-get": () => void this.#fetch(true),
          "markup-copy": () => void this.#copyMarkup(),
          "saved-show": () => void (this.#saved && revealInExplorer(this.#saved.files[0])),
        },
        snapshot: () => this.#snapshot(),
        merge: lastOf,
        onShown: () => void this.#fetch(),
      }),
    );
  }

  dispose(): void {
    this.#registrations.dispose();
  }

  get #task(): Task | undefined {
    return this.#options.board.all.get(this.#id);
  }

  #snapshot(): ConvertPageSnapshot {
    const url = this.#source && this.#tab.webview.asWebviewUri(vscode.Uri.file(this.#source)).toString();
    return {
      subject: this.#id,
      title: cutLabel(this.#task?.intent.prompt ?? ""),
      picture: url ? { state: "here", url } : { state: this.#source === null ? "none" : "reading" },
      hasPrompt: this.#proposal.memory.get(promptInFiles, true),
      isSaving: this.#isSaving,
      ...definedFields({
        path: this.#proposed,
        width: this.#proposal.width,
        saved: this.#saved && { files: joinWords(this.#saved.files.map(showPath)), at: this.#saved.at },
      }),
    };
  }

  #update(): void {
    this.#page.emit(this.#snapshot());
  }

  /** Fetches the result each time that the page is shown, because its file may have been removed since. */
  async #fetch(anew = false): Promise<void> {
    const { board, saveResult, dialogs } = this.#options;
    if (anew) {
      this.#source = undefined;
      this.#update();
    }
    try {
      await board.loaded();
      const task = this.#task;
      this.#source = task === undefined ? null : await saveResult(this.#id, { anew });
      if (task && this.#source !== null) this.#proposed ??= await this.#propose(task, this.#source);
    } catch (failure) {
      this.#source = null;
      void dialogs.showFailure(failure, "result", () => void this.#fetch(anew));
    }
    this.#update();
  }

  /** Proposes the path of the file as which the result was placed in the project, else a free one in the results folder; without an ending. */
  async #propose(task: Task, source: string): Promise<string | undefined> {
    if ((vscode.workspace.workspaceFolders ?? []).length === 0) return undefined;
    const placement = acceptedOf(task)?.placement;
    const placed = placement?.state === "placed" ? vscode.Uri.parse(placement.file) : undefined;
    const isInside = placed && vscode.workspace.getWorkspaceFolder(placed) !== undefined;
    return withoutEnding(showPath(isInside ? placed : await proposeTarget(this.#options, task.intent, source)));
  }

  async #save(intent: SaveIntent): Promise<void> {
    if (this.#isSaving) return;
    this.#isSaving = true;
    this.#update();
    try {
      await this.#write(intent);
    } catch (failure) {
      void this.#options.dialogs.showFailure(failure, "result");
    } finally {
      this.#isSaving = false;
      this.#update();
    }
  }

  /** Writes nothing when the person declines, or when the path is not in the workspace. */
  async #write({ format, path, pictures: encoded, hasPrompt }: SaveIntent): Promise<void> {
    await this.#proposal.memory.update(promptInFiles, hasPrompt);
    const pictures = await this.#marked(encoded, hasPrompt);
    const [size, ...others] = pictures.map((bytes) => sizeAs(bytes, format));
    if (size === undefined || others.includes(undefined)) throw new Error("These are no pictures of that format.");
    const place = path === undefined ? await this.#askForPlace(format) : findWrittenPlace(path);
    if (place === undefined) {
      if (path !== undefined) void notifyError(t("{0} is no path in the workspace.", path));
      return;
    }
    const all = pictures.map((bytes, index) => {
      const name = convertedName(withoutEnding(place.path), format, index === 0 ? 1 : 2);
      return { bytes, file: place.with({ path: name }) };
    });
    const taken: vscode.Uri[] = [];
    for (const { file, bytes } of all)
      if ((await existsAt(file)) && !(await hasExactBytes(file, bytes))) taken.push(file);
    // The dialog has already asked about replacing the file that was chosen in it.
    const asked = taken.filter((file) => path !== undefined || file.path !== place.path);
    if (asked.length > 0) {
      const question = t("Replace {0}?", joinWords(asked.map(showPath)));
      if (!(await confirmAction(question, t("Replace")))) return;
    }
    const written: vscode.Uri[] = [];
    try {
      for (const { file, bytes } of all) {
        await this.#place(file, bytes, taken.includes(file));
        written.push(file);
      }
    } finally {
      // The copies are stored even if the second write failed: the first file is on the disk, and may have replaced another.
      await this.#keep(written, size);
    }
    flashStatus("check", t("Saved as {0}", joinWords(written.map(showPath))), 5000);
  }

  async #marked(pictures: readonly Uint8Array[], hasPrompt: boolean): Promise<readonly Uint8Array[]> {
    const task = this.#task;
    if (task === undefined || !this.#source) throw new Error("The result is not there any more.");
    const original = await readFile(this.#source);
    const body = await this.#options.board.readBody(this.#id).catch(() => undefined);
    const marks = marksOfTask({ task, body, hasPrompt });
    return pictures.map((bytes) => markCopy(bytes, original, marks));
  }

  async #keep([first, ...more]: readonly vscode.Uri[], size: ImageSize): Promise<void> {
    if (first === undefined) return;
    const { board, clock } = this.#options;
    this.#saved = { files: [first, ...more], size, at: clock.now() };
    for (const file of [first, ...more]) {
      if (vscode.workspace.getWorkspaceFolder(file) === undefined) continue;
      const at = timeOfPlacing(board.all.values(), file.toString(), clock.now());
      const copy = { file: file.toString(), at };
      await board.applyThenWrite({ type: "task-copied", id: this.#id, copy });
    }
  }

  /** Writes a temporary file first, so that the picture is placed like a result: whole or not at all. */
  async #place(file: vscode.Uri, bytes: Uint8Array, replaces: boolean): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), "sluice-picture-"));
    try {
      const source = join(folder, "picture");
      await writeFile(source, bytes, { mode: 0o600 });
      if ((await placeResult(source, file, replaces)) === "occupied")
        throw new Error(`Another file was saved as ${showPath(file)} meanwhile.`);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #askForPlace(format: ConvertedFormat): Promise<vscode.Uri | undefined> {
    const task = this.#task;
    if (task === undefined || !this.#source) return undefined;
    const { path } = await proposeTarget(this.#options, task.intent, this.#source);
    return askWhereToSave(t("Convert and Save"), vscode.Uri.file(convertedName(withoutEnding(path), format, 1)));
  }

  /** Copies the markup, with paths relative to the document in the editor, else to the workspace folder, else with the names of the files alone. */
  async #copyMarkup(): Promise<void> {
    if (this.#saved === undefined) return;
    const { files, size } = this.#saved;
    const folder = vscode.workspace.getWorkspaceFolder(files[0]);
    const document = targetEditor()?.document;
    const isBeside =
      document?.uri.scheme === files[0].scheme && vscode.workspace.getWorkspaceFolder(document.uri) === folder;
    const base = isBeside ? document.uri.path : folder && `${folder.uri.path}/document`;
    const [path, double] = files.map((file) => pathOrName(base, file.path));
    if (path === undefined) return;
    const alt = await askForAlt(this.#options.alt, { file: files[0], prompt: this.#task?.intent.prompt ?? "" });
    if (alt === undefined) return;
    const isJsx = isBeside && document.languageId.endsWith("react");
    await vscode.env.clipboard.writeText(writePicture({ path, double, alt, ...size }, isJsx));
    flashStatus("check", t("Copied."), 5000);
  }
}

export function convertTabTitle(prompt: string): string {
  return t("Convert: {0}", cutLabel(prompt));
}

/** The size of a whole picture of that format; `undefined` for any other bytes, which are not written. */
function sizeAs(bytes: Uint8Array, format: ConvertedFormat): ImageSize | undefined {
  return pictureTypeOf(bytes, "result") === format ? imageSizeOf(bytes, format) : undefined;
}

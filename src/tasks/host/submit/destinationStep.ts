/** Asks where in the project the result goes: a path that is free, and on request a reference to it at the cursor of the document. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { definedFields } from "../../../base/definedFields";
import { withoutEnding } from "../../../domain/task/taskTypes";
import { type ExactFile, splitEnding } from "../../../domain/task/exactFiles";
import type { TaskDestination } from "../../../domain/task/task";
import { destinationProblem, freeNames, nameFromPrompt } from "../../../domain/task/destination";
import { readOwnSetting } from "../../../vscode/settings";
import type { PickChoice } from "../../../vscode/interface/pickSteps";
import type { Step, StepContext } from "./firstSteps";
import { type DraftDestination, promptOf, type TaskDraft } from "./taskDraft";

export const askForDestination: Step = async (context, draft) => {
  const next = draft.prompts.length > 0 ? "review" : "prompt";
  const root = rootOf(draft);
  const isBatch = draft.prompts.length > 1;
  const choices: PickChoice<ChosenPlace>[] = [
    ...ownChoice(draft),
    {
      icon: "check",
      label: t("No Destination"),
      description: t("the result is kept outside of the project"),
      value: undefined,
    },
  ];
  if (root) {
    const path = await freePath(context, root, `${resultsFolder()}/${nameFromPrompt(promptOf(draft))}`);
    const insertAt = isBatch ? undefined : cursorPlace();
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    if (insertAt) {
      choices.push({
        icon: "link",
        label: path,
        description: t("and a reference at the cursor of {0}", vscode.workspace.asRelativePath(insertAt.document)),
        value: { root, path, insertAt },
      });
    }
    choices.push({
      icon: "save",
      label: isBatch ? folder : path,
      description: isBatch
        ? t("a file for each prompt")
        : t("in {0}", vscode.workspace.getWorkspaceFolder(root)?.name ?? root.path),
      value: isBatch ? { root, path, isFolder: true } : { root, path },
    });
  }
  const answer = await context.picker.ask<ChosenPlace>({
    ...context.at("last"),
    placeholder: root
      ? t("Path in the workspace, without the file ending")
      : t("No folder is open: the result is kept outside of a project."),
    choices,
    preselected: choices.find(({ value }) => isPreselected(value, draft.destination)) ?? choices[1] ?? choices[0],
    ...(root ? { typed: (text: string) => typedPath(root, text, draft) } : {}),
  });
  if (answer === "cancelled") return { draft, next: "left" };
  if (answer === "back" || answer.value === "own") return { draft, next };
  return { draft: withDestination(draft, answer.value), next };
};

/** `own`: each variant keeps the destination that its prompt names. */
type ChosenPlace = DraftDestination | "own" | undefined;

function ownChoice({ each = [] }: TaskDraft): readonly PickChoice<ChosenPlace>[] {
  const own = each.flatMap(({ destination }) => destination ?? []);
  const [first] = own;
  if (first === undefined) return [];
  return [{ icon: "go-to-file", label: t("As the Prompts Say"), description: showDestination(first), value: "own" }];
}

function isPreselected(value: ChosenPlace, kept: DraftDestination | undefined): boolean {
  return value === "own" || (kept !== undefined && value?.path === kept.path);
}

/** Replaces the destinations of single variants too, because the person has chosen one for all. */
function withDestination(draft: TaskDraft, destination: DraftDestination | undefined): TaskDraft {
  const { destination: _before, ...rest } = draft;
  const each = draft.each?.map(({ destination: _own, ...variant }) => variant);
  return { ...rest, ...definedFields({ each, destination }) };
}

/** Shows a destination, with the name of its folder where there are several. */
export function showDestination({ root, path }: DraftDestination): string {
  return vscode.workspace.asRelativePath(vscode.Uri.joinPath(root, path));
}

function typedPath(
  root: vscode.Uri,
  text: string,
  draft: TaskDraft,
): PickChoice<ChosenPlace> | { readonly label: string; readonly icon: "warning" } {
  const typed = text.replaceAll("\\", "/").replace(/^\.\//, "");
  const isFolder = typed.endsWith("/");
  const path = isFolder ? typed + nameFromPrompt(promptOf(draft)) : typed;
  switch (destinationProblem(path)) {
    case undefined:
      if (isFolder)
        return { icon: "save", label: path, description: t("in a folder, as typed"), value: { root, path, isFolder } };
      // The typed ending is dropped, because the file gets that of the result's type.
      return { icon: "save", label: path, description: t("as typed"), value: { root, path: withoutEnding(path) } };
    case "outside":
      return { icon: "warning", label: t("{0} is outside of the workspace folder.", text) };
    case "empty":
    case "name":
      return { icon: "warning", label: t("{0} is no path of a file.", text) };
  }
}

/**
 * The place of each result, by one rule for all that is submitted: under the chosen name, or in the chosen folder under a name that is made from its
 * prompt. With several prompts, a name that is taken gets the next number; so do exact files but those of the first prompt.
 */
export async function destinationsOf(
  draft: TaskDraft,
  isReserved: StepContext["isReserved"],
): Promise<readonly (TaskDestination | undefined)[]> {
  const { destination, prompts, each } = draft;
  const taken = new Map<string, Set<string>>();
  const read = new Map<string, Promise<ReadonlySet<string>>>();
  const stemsIn: typeof readStems = (folder) => {
    const stems = read.get(folder.toString()) ?? readStems(folder);
    read.set(folder.toString(), stems);
    return stems;
  };
  const places: (TaskDestination | undefined)[] = [];
  for (const [at, prompt] of prompts.entries()) {
    const place = each?.[at]?.destination ?? destination;
    if (place === undefined) {
      places.push(undefined);
      continue;
    }
    const { root, insertAt, exact } = place;
    if (exact) {
      const inRoot = taken.get(root.toString()) ?? new Set();
      const free = at === 0 ? exact : await freeExactFiles({ isReserved }, root, exact, inRoot, stemsIn);
      for (const one of free) inRoot.add(splitEnding(one.file).stem);
      taken.set(root.toString(), inRoot);
      const files = free.map((one) => ({ ...one, file: vscode.Uri.joinPath(root, one.file).toString() }));
      const [first] = files;
      const { document } = place;
      places.push(first && { file: first.file, exact: files, ...definedFields({ document: document?.toString() }) });
      continue;
    }
    const folder = place.path.slice(0, place.path.lastIndexOf("/") + 1);
    let path = place.isFolder ? folder + nameFromPrompt(prompt) : place.path;
    if (prompts.length > 1) {
      const inRoot = taken.get(root.toString()) ?? new Set();
      path = await freePath({ isReserved }, root, path, inRoot, stemsIn);
      taken.set(root.toString(), inRoot.add(path));
    }
    const file = vscode.Uri.joinPath(root, path).toString();
    places.push({ file, ...definedFields({ document: insertAt?.document.toString() }) });
  }
  return places;
}

/** The workspace folder of the prompt's document, else of the active document, which may get a reference, else the first one. */
export function rootOf({ source = vscode.window.activeTextEditor?.document.uri }: TaskDraft): vscode.Uri | undefined {
  const own = source && vscode.workspace.getWorkspaceFolder(source)?.uri;
  return own ?? vscode.workspace.workspaceFolders?.[0]?.uri;
}

/** The workspace folder with that URI; `undefined` where it is not open in this window. */
export function openFolder(root: string): vscode.Uri | undefined {
  return vscode.workspace.workspaceFolders?.find(({ uri }) => uri.toString() === root)?.uri;
}

/** The folder for results in the project, from the settings. */
export function resultsFolder(): string {
  const value = readOwnSetting("sluice", "results.folder");
  const folder =
    typeof value === "string"
      ? value
          .trim()
          .replaceAll("\\", "/")
          .replace(/(?<!\/)\/+$/, "")
      : "";
  return destinationProblem(folder) === undefined ? folder : "assets";
}

/** Finds a path whose name no file has with any ending, and that no task will write. */
export async function freePath(
  context: Pick<StepContext, "isReserved">,
  root: vscode.Uri,
  path: string,
  alsoTaken: ReadonlySet<string> = new Set(),
  stemsIn: typeof readStems = readStems,
): Promise<string> {
  const [free = path] = await freePaths(context, root, [{ stem: path, ending: "" }], alsoTaken, stemsIn);
  return free;
}

/** The files under names that are free as with `freePath`. All of them get the same number, in front of their endings. */
export async function freeExactFiles(
  context: Pick<StepContext, "isReserved">,
  root: vscode.Uri,
  files: readonly ExactFile[],
  alsoTaken: ReadonlySet<string> = new Set(),
  stemsIn: typeof readStems = readStems,
): Promise<readonly ExactFile[]> {
  const split = files.map(({ file }) => splitEnding(file));
  const free = await freePaths(context, root, split, alsoTaken, stemsIn);
  return files.map((one, at) => ({ ...one, file: `${free[at] ?? ""}${split[at]?.ending ?? ""}` }));
}

/** Resolves with the free stems. `ending`: that of the file, empty where it is not known yet. */
async function freePaths(
  { isReserved }: Pick<StepContext, "isReserved">,
  root: vscode.Uri,
  paths: readonly ReturnType<typeof splitEnding>[],
  alsoTaken: ReadonlySet<string>,
  stemsIn: typeof readStems,
): Promise<readonly string[]> {
  const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);
  const stems = new Map<string, ReadonlySet<string>>();
  for (const { stem } of paths) {
    const folder = folderOf(stem);
    stems.set(folder, await stemsIn(vscode.Uri.joinPath(root, folder)));
  }
  // Names in a folder keep an ending that is none of media, such as that of an icon.
  const endings = ["", ...paths.map(({ ending }) => ending)];
  return freeNames(
    paths.map(({ stem }) => stem),
    (wanted) => {
      const folder = folderOf(wanted);
      const isThere = (file: string): boolean =>
        stems.get(folder)?.has(file.slice(folder.length).toLowerCase()) === true ||
        isReserved(vscode.Uri.joinPath(root, file));
      return alsoTaken.has(wanted) || endings.some((ending) => isThere(wanted + ending));
    },
  );
}

/** The names of a folder's files without their endings. */
async function readStems(folder: vscode.Uri): Promise<ReadonlySet<string>> {
  const entries = await vscode.workspace.fs.readDirectory(folder).then(
    (found) => found,
    () => [],
  );
  return new Set(entries.map(([name]) => withoutEnding(name).toLowerCase()));
}

/** The cursor in a Markdown or HTML document of the workspace. A prompt file does not count: inserted text would become part of a prompt. */
function cursorPlace(): DraftDestination["insertAt"] {
  const editor = vscode.window.activeTextEditor;
  const document = editor?.document;
  if (!document || document.isUntitled || !/^(?:markdown|html)$/.test(document.languageId)) return undefined;
  if (document.uri.path.endsWith(".prompts.md") || !vscode.workspace.getWorkspaceFolder(document.uri)) return undefined;
  return { document: document.uri, position: editor.selection.end, text: document.getText() };
}

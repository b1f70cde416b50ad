/** The part that is loaded with the first command about tasks, or the first lens: submitting, results, cancel, export, tasks from elsewhere, connecting to a gateway. */
import * as vscode from "vscode";
import type { TaskApp } from "../taskApp";
import { DisposableStore } from "../../base/disposable";
import { once } from "../../base/async/serialQueue";
import { systemClock } from "../../base/async/systemClock";
import { altActions, describePicture } from "./results/altActions";
import { AssetHover } from "./results/assetHover";
import { registerCancelCommands } from "./cancelCommands";
import type { CheckedFile } from "../lock/lockStates";
import { contextKeys, internalCommands } from "../../vscode/ids";
import { registerExportCommand, registerTaskCommands, type TaskCommandOptions } from "./taskCommands";
import { createReportDocuments, type ReportDocuments } from "../../vscode/interface/reportDocuments";
import { registerResultCommands } from "./results/resultCommands";
import { setContext } from "../../vscode/interface/runCommand";
import { EditedTexts } from "./submit/editedTexts";
import { FormMemory, KeptDrafts } from "./submit/draftMemory";
import { MediaForm } from "./submit/mediaForm";
import { registerPromptHelp } from "./lenses/promptHelp";
import { type LensOptions, PromptLenses } from "./lenses/promptLenses";
import { registerWatchCommand } from "./watchCommands";
import { mountConnection } from "../../gateway/host/mountConnection";
import type { TasksPart } from "./mountTasks";

export interface TaskCommandsPart {
  readonly lenses: PromptLenses;
  readonly assets: AssetHover;
  readonly alt: typeof altActions;
  /** Resolves with the one form of this window. */
  readonly openMediaForm: () => Promise<MediaForm>;
}

/** `redraw` makes VS Code ask for the lenses of prompt files again. */
export async function mountTaskCommands(
  context: vscode.ExtensionContext,
  redraw: () => void,
  part: TasksPart,
): Promise<TaskCommandsPart> {
  const outbox = await part.app.openOutbox();
  const mounted = new DisposableStore();
  context.subscriptions.push(mounted);
  const { app } = part;
  const keptDrafts = new KeptDrafts(context.globalState);
  const editing = new EditedTexts((isEditing) => void setContext(contextKeys.editing, isEditing), keptDrafts);
  const availability = app.availability();
  const openMediaForm = mountSubmitting(context, part, { outbox, editing, keptDrafts, availability }, mounted);
  const reports = mounted.add(createReportDocuments("sluice-report"));
  mountReports(part, reports, mounted);
  mounted.add(mountConnection(context, { ...part, board: app.board, models: app.models }, reports));
  mounted.add(registerPromptHelp(app.models));
  const board = app.board;
  const { models } = app.models;
  const typesOf: LensOptions["typesOf"] = (id) => models.current.list.find((model) => model.id === id)?.taskTypes;
  mounted.add(models.onDidChange(redraw));
  const assets = mounted.add(new AssetHover({ board, now: () => systemClock.now(), lockedAmong }));
  return {
    lenses: mounted.add(new PromptLenses({ board, editing, typesOf, redraw })),
    assets,
    alt: altActions,
    openMediaForm,
  };
}

/** The code that reads the lock is loaded with the first reference that is looked at. */
async function lockedAmong(files: ReadonlySet<string>): Promise<ReadonlyMap<string, CheckedFile>> {
  const { lockedStates } = await import("./results/lockedStates");
  return await lockedStates((file) => files.has(file)).catch(() => new Map());
}

function mountSubmitting(
  { globalState: memory, workspaceState, globalStorageUri, storageUri, extensionUri }: vscode.ExtensionContext,
  { app, services, connections, dialogs, tree }: TasksPart,
  shared: Pick<TaskCommandOptions, "outbox" | "editing" | "keptDrafts" | "availability">,
  mounted: DisposableStore,
): TaskCommandsPart["openMediaForm"] {
  const { board, poller, models } = app;
  const options: TaskCommandOptions = {
    board,
    poller,
    models,
    tree,
    dialogs,
    memory,
    ready: () => connections.ready(),
    check: (id, signal) => app.checkTask(id, signal),
    saveResult: (id, signal) => app.saveResult(id, { signal }),
    awaitsResult: (task) => app.fetcher.awaits(task),
    ...shared,
    settings: services.settings,
    sample: vscode.Uri.joinPath(extensionUri, "media", "sample", "hero.prompts.md"),
    now: () => systemClock.now(),
  };
  mounted.add(registerTaskCommands(options));
  const saveResult = (id: string): Promise<string> => app.saveResult(id);
  return once(async () => {
    // A window without a folder loses its workspace memory when it closes, so the form is kept globally there.
    const isKept = vscode.workspace.workspaceFolders !== undefined;
    const folder = vscode.Uri.joinPath((isKept ? storageUri : undefined) ?? globalStorageUri, "mediaForm");
    const formMemory = new FormMemory(isKept ? workspaceState : memory, folder.fsPath);
    const pause = (): Promise<void> => systemClock.delay(1000);
    return mounted.add(await MediaForm.open({ ...options, saveResult, connections, formMemory, pause }));
  });
}

function mountReports(part: TasksPart, reports: ReportDocuments, mounted: DisposableStore): void {
  const { app, services, dialogs, tree, placer } = part;
  const { board } = app;
  mounted.add(registerExportCommand(part));
  mounted.add(registerWatchCommand(part));
  mounted.add(registerCancelCommands({ ...part, reports }));
  const saveResult: TaskApp["saveResult"] = (id, request) => app.saveResult(id, request);
  const resultsFolder = (): string => services.settings.resultsFolder();
  const now = (): number => systemClock.now();
  const onRestored = (file: string): void => part.missing()?.note(vscode.Uri.parse(file));
  const alt = { connections: part.connections, models: app.models, log: part.log };
  mounted.add(dialogs.register(internalCommands.describePicture, (...args) => describePicture({ alt, board }, args)));
  mounted.add(
    registerResultCommands({ board, tree, dialogs, placer, alt, saveResult, resultsFolder, now, onRestored }),
  );
}

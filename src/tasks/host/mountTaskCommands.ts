/** The part that is loaded with the first command about tasks, or the first lens: submitting, results, cancel, export, tasks from elsewhere, connecting to a gateway. */
import * as vscode from "vscode";
import type { TaskApp } from "../taskApp";
import { DisposableStore } from "../../base/disposable";
import { once } from "../../base/async/once";
import { systemClock } from "../../base/async/systemClock";
import { AssetHover } from "./assets/assetHover";
import { registerCancelCommands } from "./commands/cancelCommands";
import { contextKeys } from "../../vscode/ids";
import { registerExportCommand } from "./commands/exportCommand";
import { createReportDocuments, type ReportDocuments } from "../../vscode/interface/reportDocuments";
import { registerResultCommands } from "./commands/resultCommands";
import { setContext } from "../../vscode/interface/runCommand";
import { EditedTexts } from "./lenses/editedTexts";
import { FormMemory } from "./draft/formMemory";
import { MediaForm } from "./submit/mediaForm";
import { KeptDraft } from "./draft/keptDraft";
import { registerPromptHelp } from "./lenses/promptHelp";
import { type LensPorts, PromptLenses } from "./lenses/promptLenses";
import { submitDraft } from "./submit/submitDraft";
import type { TaskDraft } from "./draft/taskDraft";
import { registerTaskCommands, type TaskCommandPorts } from "./commands/taskCommands";
import { registerWatchCommands } from "./commands/watchCommands";
import { mountConnection } from "../../gateway/host/mountConnection";
import type { TasksPart } from "./mountTasks";

export interface TaskCommandsPart {
  readonly lenses: PromptLenses;
  readonly assets: AssetHover;
  /** Asks what the draft does not say, then submits. */
  readonly submit: (draft: TaskDraft) => Promise<void>;
  /** One for all uses. */
  readonly openMediaForm: () => Promise<MediaForm>;
}

/** `redraw`: has the lenses of prompt files asked for again. */
export async function mountTaskCommands(
  context: vscode.ExtensionContext,
  redraw: () => void,
  part: TasksPart,
): Promise<TaskCommandsPart> {
  const outbox = await part.app.openOutbox();
  const mounted = new DisposableStore();
  context.subscriptions.push(mounted);
  const { app } = part;
  const editing = new EditedTexts((isEditing) => void setContext(contextKeys.editing, isEditing));
  const availability = app.availability();
  const { submit, openMediaForm } = mountSubmitting(context, part, { outbox, editing, availability }, mounted);
  const reports = mounted.add(createReportDocuments("sluice-report"));
  mountReports(part, reports, mounted);
  mounted.add(mountConnection(context, { ...part, board: app.board, models: app.models }, reports));
  mounted.add(registerPromptHelp(app.models));
  const board = app.board.all;
  const { models } = app.models;
  const typesOf: LensPorts["typesOf"] = (id) => models.current.list.find((model) => model.id === id)?.taskTypes;
  mounted.add(models.onDidChange(redraw));
  const assets = mounted.add(new AssetHover({ board, now: () => systemClock.now() }));
  return { lenses: mounted.add(new PromptLenses({ board, editing, typesOf, redraw })), assets, submit, openMediaForm };
}

function mountSubmitting(
  { globalState: memory, workspaceState, globalStorageUri, storageUri, extensionUri }: vscode.ExtensionContext,
  { app, services, connections, dialogs, tree }: TasksPart,
  shared: Pick<TaskCommandPorts, "outbox" | "editing" | "availability">,
  mounted: DisposableStore,
): Pick<TaskCommandsPart, "submit" | "openMediaForm"> {
  const { board, poller, models } = app;
  const ports: TaskCommandPorts = {
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
    keptDraft: new KeptDraft(memory),
    referenceLimit: () => services.settings.referenceLimit(),
    sample: vscode.Uri.joinPath(extensionUri, "media", "sample", "hero.prompts.md"),
    now: () => systemClock.now(),
  };
  mounted.add(registerTaskCommands(ports));
  const saveResult = (id: string): Promise<string> => app.saveResult(id);
  const openMediaForm = once(async () => {
    // The memory of a window without a folder is gone with it.
    const isKept = vscode.workspace.workspaceFolders !== undefined;
    const folder = vscode.Uri.joinPath((isKept ? storageUri : undefined) ?? globalStorageUri, "mediaForm");
    const formMemory = new FormMemory(isKept ? workspaceState : memory, folder.fsPath);
    const pause = (): Promise<void> => systemClock.delay(1000);
    return mounted.add(await MediaForm.open({ ...ports, saveResult, connections, formMemory, pause }));
  });
  return { submit: (draft) => submitDraft(ports, draft), openMediaForm };
}

function mountReports(
  { app, services, dialogs, tree, prompts, placer }: TasksPart,
  reports: ReportDocuments,
  mounted: DisposableStore,
): void {
  const { board } = app;
  const clock = systemClock;
  const now = (): number => clock.now();
  mounted.add(registerExportCommand({ board, dialogs, clock }));
  mounted.add(registerWatchCommands({ board, connections: app.poller.connections, clock, dialogs }));
  const cancel: TaskApp["cancel"] = (id, reason) => app.cancel(id, reason);
  mounted.add(registerCancelCommands({ board, prompts, tree, dialogs, reports, cancel, now }));
  const saveResult: TaskApp["saveResult"] = (id, request) => app.saveResult(id, request);
  const resultsFolder = (): string => services.settings.resultsFolder();
  mounted.add(registerResultCommands({ board, tree, dialogs, placer, saveResult, resultsFolder, now }));
}

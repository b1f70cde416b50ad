/** The part that is loaded with the first command about tasks, or the first lens: submitting, results, cancel, money, tasks from elsewhere, connecting to a gateway. */
import * as vscode from "vscode";
import type { App } from "../app";
import { DisposableStore } from "../base/disposable";
import { systemClock } from "../base/systemClock";
import type { SyncedTask } from "../tasks/syncedTasks";
import { registerCancelCommands } from "../vscode/cancelCommands";
import type { FirstUse } from "../vscode/firstUse";
import { contextKeys } from "../vscode/ids";
import { registerMoneyCommands } from "../vscode/moneyCommands";
import { createReportDocuments, type ReportDocuments } from "../vscode/reportDocuments";
import { registerResultCommands } from "../vscode/resultCommands";
import { setContext } from "../vscode/runCommand";
import { EditedTexts } from "../vscode/submit/editedTexts";
import { KeptDraft } from "../vscode/submit/keptDraft";
import { PromptLenses } from "../vscode/submit/promptLenses";
import { submitDraft } from "../vscode/submitCommands";
import type { TaskDraft } from "../vscode/submit/taskDraft";
import { registerTaskCommands, type TaskCommandPorts } from "../vscode/taskCommands";
import { registerWatchCommands } from "../vscode/watchCommands";
import { mountConnection } from "./mountConnection";
import type { TasksPart } from "./mountTasks";

export interface ToolsPart {
  readonly lenses: PromptLenses;
  /** Asks what the draft does not say, then submits. */
  readonly submit: (draft: TaskDraft) => Promise<void>;
}

export function mountTools(context: vscode.ExtensionContext, firstUse: FirstUse, part: TasksPart): ToolsPart {
  const mounted = new DisposableStore();
  context.subscriptions.push(mounted);
  const { app } = part;
  const editing = new EditedTexts((isEditing) => void setContext(contextKeys.editing, isEditing));
  const availability = app.availability();
  const submit = mountSubmitting(context, part, { editing, availability }, mounted);
  const reports = mounted.add(createReportDocuments("sluice-report"));
  mountReports(part, reports, mounted);
  mounted.add(mountConnection(context, part, availability, reports));
  const redraw = (): void => firstUse.changeLenses();
  return { lenses: mounted.add(new PromptLenses({ board: app.board, editing, redraw })), submit };
}

function mountSubmitting(
  { globalState: memory, extensionUri }: vscode.ExtensionContext,
  { app, access, connections, dialogs, tree }: TasksPart,
  shared: Pick<TaskCommandPorts, "editing" | "availability">,
  mounted: DisposableStore,
): ToolsPart["submit"] {
  const { board, outbox, poller, models } = app;
  const ports: TaskCommandPorts = {
    board,
    outbox,
    poller,
    models,
    tree,
    dialogs,
    memory,
    ready: () => connections.ready(),
    saveResult: (id, signal) => app.saveResult(id, { signal }),
    ...shared,
    keptDraft: new KeptDraft(memory),
    referenceLimit: () => access.settings.referenceLimit(),
    sample: vscode.Uri.joinPath(extensionUri, "media", "sample", "hero.prompts.md"),
    now: () => systemClock.now(),
  };
  mounted.add(registerTaskCommands(ports));
  return (draft) => submitDraft(ports, draft);
}

function mountReports(
  { app, access, dialogs, tree, prompts, placer, synced }: TasksPart,
  reports: ReportDocuments,
  mounted: DisposableStore,
): void {
  const { board } = app;
  const clock = systemClock;
  const now = (): number => clock.now();
  mounted.add(registerMoneyCommands({ board, dialogs, reports, clock, loadEvents: (id) => app.loadEvents(id) }));
  const fromElsewhere = (origin: string): readonly SyncedTask[] => synced.fromElsewhere(origin);
  mounted.add(registerWatchCommands({ board, connections: app.poller.connections, clock, dialogs, fromElsewhere }));
  const cancel: App["cancel"] = (id, reason) => app.cancel(id, reason);
  mounted.add(registerCancelCommands({ board, prompts, tree, dialogs, reports, cancel, now }));
  const saveResult: App["saveResult"] = (id, request) => app.saveResult(id, request);
  const resultsFolder = (): string => access.settings.resultsFolder();
  mounted.add(registerResultCommands({ board, tree, dialogs, placer, saveResult, resultsFolder, now }));
}

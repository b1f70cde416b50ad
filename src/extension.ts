/** The entry of the extension: what package.json promises is registered, everything else is loaded with its first use. */
import * as vscode from "vscode";
import type { App } from "./app/app";
import { once } from "./base/async/once";
import type { ReadonlyStore } from "./base/store";
import type { ChatSession } from "./chat/session";
import type { ChatSessions } from "./chat/sessions/chatSessions";
import type { AgentsPart } from "./compose/mountAgents";
import type { ChatPart } from "./compose/mountChat";
import type { PagesPart } from "./compose/mountPages";
import type { StoragePaths, TasksPart } from "./compose/mountTasks";
import type { TaskCommandsPart } from "./compose/mountTaskCommands";
import { isSettled } from "./tasks/polling/settledMark";
import type { TaskDraft } from "./vscode/tasks/submit/draft/taskDraft";
import type { McpDefinitions } from "./vscode/agents/registerAgents";
import { LazyContributions } from "./vscode/activation/lazyContributions";

let closing: (() => Promise<void>) | undefined;

/** What the tests see of the running extension. */
export interface ExtensionInside extends Pick<TasksPart, "connections" | "keys" | "tree" | "loadChosenTools"> {
  readonly app: App & { readonly session: ReadonlyStore<ChatSession>; readonly chats: ChatSessions };
  readonly loadChat: () => Promise<ChatPart>;
  /** The folder of the task database. */
  readonly storage: string;
}

export async function activate(context: vscode.ExtensionContext): Promise<ExtensionInside | undefined> {
  const folder = context.globalStorageUri;
  const file = (name: string): string => vscode.Uri.joinPath(folder, name).fsPath;
  const storage: StoragePaths = {
    tasks: file("tasks.db"),
    results: file("results"),
    chats: file("chats"),
    rules: file("approvals"),
    chatIndex: file("chats.db"),
    prompts: file("prompts"),
    localGateway: file("localGateway"),
  };
  const tasks = once(async (): Promise<TasksPart> => {
    const { mountTasks } = await import("./compose/mountTasks");
    const part = await mountTasks(context, contributions, storage);
    closing = () => part.app.close();
    return part;
  });
  const taskCommands = once(async (): Promise<TaskCommandsPart> => {
    const [{ mountTaskCommands }, part] = await Promise.all([import("./compose/mountTaskCommands"), tasks()]);
    return mountTaskCommands(context, contributions, part);
  });
  const chat = once(async (): Promise<ChatPart> => {
    const [{ mountChat }, part] = await Promise.all([import("./compose/mountChat"), tasks()]);
    const submit = async (draft: TaskDraft): Promise<void> => (await taskCommands()).submit(draft);
    contributions.announceModels();
    return mountChat(context, part, storage, submit);
  });
  const pages = once(async (): Promise<PagesPart> => {
    const [{ mountPages }, part] = await Promise.all([import("./compose/mountPages"), tasks()]);
    return mountPages(context, part, storage, async () => (await taskCommands()).openMediaForm());
  });
  const models = once(async () => {
    const [{ mountModels }, part] = await Promise.all([import("./compose/mountModels"), tasks()]);
    return mountModels(context, part, file("modelAnswers"));
  });
  const agents = once(async (): Promise<AgentsPart> => {
    const [{ mountAgents }, part] = await Promise.all([import("./compose/mountAgents"), tasks()]);
    return mountAgents(part);
  });
  const mcp = once(async (): Promise<McpDefinitions> => {
    const [{ mountMcp }, part, shared] = await Promise.all([import("./compose/mountMcp"), tasks(), agents()]);
    return mountMcp(context, part, shared);
  });
  const parts = { tasks, taskCommands, chat, models, pages, agents, mcp };
  const contributions = new LazyContributions(parts, context);
  const links = vscode.window.registerUriHandler({ handleUri: async (uri) => (await tasks()).openLink(uri) });
  context.subscriptions.push(contributions, links);
  // Only the tests see inside.
  if (context.extensionMode === vscode.ExtensionMode.Test) {
    await chat();
    await taskCommands();
    return showInside(await tasks(), chat, folder.fsPath);
  }
  // Tasks that run, or whose outcome is unknown, continue after a reload. When that fails, the first use tries again
  // and says why.
  if (!isSettled(storage.tasks)) tasks().catch(() => undefined);
  return undefined;
}

async function showInside(
  { app, connections, keys, tree, loadChosenTools }: TasksPart,
  loadChat: () => Promise<ChatPart>,
  storage: string,
): Promise<ExtensionInside> {
  const chats = await app.openChats();
  const shown = { ...app, session: chats.shown, chats };
  return { app: shown, connections, keys, tree, loadChosenTools, loadChat, storage };
}

export async function deactivate(): Promise<void> {
  await closing?.();
}

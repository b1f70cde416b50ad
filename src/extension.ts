/** The entry of the extension: what package.json promises is registered, everything else is loaded with its first use. */
import * as vscode from "vscode";
import type { AgentsPart } from "./agents/host/mountAgents";
import type { McpDefinitions } from "./agents/host/registerAgents";
import { once } from "./base/async/serialQueue";
import type { MonotonicClock } from "./base/clock";
import type { ReadonlyStore } from "./base/store";
import type { ChatApp } from "./chat/chatApp";
import type { ChatPart } from "./chat/host/mountChat";
import type { ChatSession } from "./chat/session/session";
import type { ChatSessions } from "./chat/storage/chatSessions";
import { LazyContributions } from "./lazyContributions";
import type { PagesPart } from "./tasks/host/mountPages";
import type { TaskCommandsPart } from "./tasks/host/mountTaskCommands";
import type { TasksPart } from "./tasks/host/mountTasks";
import { isIdle } from "./tasks/polling/idleMark";
import type { TaskApp } from "./tasks/taskApp";
import { looksForMissing, undecidedChats } from "./vscode/ids";
import { storagePaths } from "./vscode/storagePaths";

/** The functions that close the loaded parts. */
const closing: { chat?: () => Promise<void>; tasks?: (users: Promise<void> | undefined) => Promise<void> } = {};

/** The parts of the running extension that the tests can reach. */
export interface ExtensionInside extends Pick<TasksPart, "connections" | "keys" | "tree"> {
  readonly app: TaskApp & ChatApp & { readonly session: ReadonlyStore<ChatSession>; readonly chats: ChatSessions };
  readonly loadChat: () => Promise<ChatPart>;
  /** The folder of the task database. */
  readonly storage: string;
}

/** VS Code calls it with the context alone; a test of the whole extension has a clock that it moves. */
export async function activate(
  context: vscode.ExtensionContext,
  { clock }: { readonly clock?: MonotonicClock } = {},
): Promise<ExtensionInside | undefined> {
  if (clock) {
    const { runOnClock } = await import("./base/async/systemClock");
    runOnClock(clock);
  }
  const storage = storagePaths(context.globalStorageUri);
  const tasks = once(async (): Promise<TasksPart> => {
    const { mountTasks } = await import("./tasks/host/mountTasks");
    const part = await mountTasks(context, contributions, storage);
    closing.tasks = (users) => part.app.close(users);
    return part;
  });
  const taskCommands = once(async (): Promise<TaskCommandsPart> => {
    const [{ mountTaskCommands }, part] = await Promise.all([import("./tasks/host/mountTaskCommands"), tasks()]);
    return mountTaskCommands(context, () => contributions.changeLenses(), part);
  });
  const mediaForm: TaskCommandsPart["openMediaForm"] = async () => (await taskCommands()).openMediaForm();
  const chatIndex = once(async () => {
    const [{ openChatIndex }, { log }] = await Promise.all([import("./chat/host/openChatIndex"), tasks()]);
    const index = openChatIndex(context.extensionUri, storage, log);
    context.subscriptions.push(index);
    return index;
  });
  const chat = once(async (): Promise<ChatPart> => {
    const [{ mountChat }, part, index] = await Promise.all([import("./chat/host/mountChat"), tasks(), chatIndex()]);
    contributions.announceModels();
    const mounted = await mountChat(context, part, storage, index, mediaForm);
    closing.chat = () => mounted.app.close();
    return mounted;
  });
  const pages = once(async (): Promise<PagesPart> => {
    const [{ mountPages }, part] = await Promise.all([import("./tasks/host/mountPages"), tasks()]);
    return mountPages(context, part, storage, mediaForm, async (since) => (await chatIndex()).usage(since));
  });
  const models = once(async () => {
    const [{ mountModels }, part] = await Promise.all([import("./agents/host/mountModels"), tasks()]);
    return mountModels(context, part, storage.modelAnswers);
  });
  const agents = once(async (): Promise<AgentsPart> => {
    const [{ mountAgents }, part] = await Promise.all([import("./agents/host/mountAgents"), tasks()]);
    return mountAgents(part);
  });
  const mcp = once(async (): Promise<McpDefinitions> => {
    const [{ mountMcp }, part, shared] = await Promise.all([import("./agents/host/mountMcp"), tasks(), agents()]);
    return mountMcp(context, part, shared);
  });
  const parts = { tasks, taskCommands, chat, models, pages, agents, mcp };
  const contributions = new LazyContributions(parts, context);
  const links = vscode.window.registerUriHandler({ handleUri: async (uri) => (await tasks()).openLink(uri) });
  context.subscriptions.push(contributions, links);
  // Only the tests get the parts.
  if (context.extensionMode === vscode.ExtensionMode.Test) {
    await taskCommands();
    const part = await tasks();
    const { app } = await chat();
    const chats = await app.openChats();
    const shown = { ...app, ...part.app, session: chats.shown, chats };
    return {
      ...part,
      app: shown,
      loadChat: chat,
      storage: context.globalStorageUri.fsPath,
    };
  }
  // Tasks that run or have an unknown outcome continue after a reload, and so do the hints at missing pictures. When loading them fails, the first
  // use tries again and shows the reason.
  const looksAgain = context.workspaceState.get(looksForMissing) !== undefined;
  if (looksAgain || !isIdle(storage.tasks)) tasks().catch(() => undefined);
  // Undecided changes are marked in their files even before the chat is shown.
  if (context.workspaceState.get(undecidedChats) !== undefined) chat().catch(() => undefined);
  return undefined;
}

/** Closes chat and tasks together, because VS Code waits only a few seconds. The task store closes last: a chat's tools write to it. */
export async function deactivate(): Promise<void> {
  await closing.tasks?.(closing.chat?.());
}

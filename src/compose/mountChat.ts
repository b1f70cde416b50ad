/** The part that is loaded with the chat's first use: its session with the tools, its page and its commands. */
import type * as vscode from "vscode";
import { systemClock } from "../base/systemClock";
import { DisposableStore } from "../base/disposable";
import { createCodeProposals } from "../vscode/applyCode";
import { registerChatCommands } from "../vscode/chatCommands";
import { createChatHandlers } from "../vscode/chatHandlers";
import { ChatPanel } from "../vscode/chatPanel";
import { createPanelStatus } from "../vscode/panelStatus";
import { createProposalDocuments } from "../vscode/proposalDocuments";
import type { TasksPart } from "./mountTasks";

export interface ChatPart {
  readonly panel: ChatPanel;
}

export async function mountChat(
  { extensionUri, subscriptions }: vscode.ExtensionContext,
  { app, connections, dialogs, log, translations }: TasksPart,
): Promise<ChatPart> {
  const session = await app.openChat();
  const mounted = new DisposableStore();
  subscriptions.push(mounted);
  const proposals = mounted.add(createProposalDocuments("sluice-proposal"));
  const code = mounted.add(createCodeProposals(dialogs));
  const panelStatus = mounted.add(createPanelStatus(connections, app.models, session));
  const refreshConnection = (): void => void connections.refresh();
  const showFiles = (query: string, paths: readonly string[]): void => panel.showFiles(query, paths);
  const panel: ChatPanel = mounted.add(
    new ChatPanel({
      extensionUri,
      session,
      status: panelStatus.status,
      clock: systemClock,
      log,
      handlers: createChatHandlers({ session, connections, dialogs, proposals, code, showFiles, refreshConnection }),
      translations,
    }),
  );
  mounted.add(registerChatCommands({ session, models: app.models, panel, dialogs, startChat: () => app.startChat() }));
  return { panel };
}

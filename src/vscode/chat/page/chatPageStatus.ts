/** The state around the transcript as one store: gateway, model, workspace trust and suggested prompts. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Clock } from "../../../base/clock";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import { definedFields } from "../../../base/definedFields";
import { revealHidden } from "../../../base/text/revealHidden";
import { type ReadonlyStore, Store } from "../../../base/store";
import { changesFill, type ContextFill, fillOf } from "../../../chat/contextFill";
import type { GrantRules } from "../../../chat/guard/grantRules";
import type { ChangeLedgers } from "../../../chat/ledger/changeLedgers";
import type { ChatSession } from "../../../chat/session";
import type { ShownChat } from "../../../chat/sessions/shownChat";
import { homeMark } from "../../../domain/task/sameHome";
import { assumedContextSize } from "../../../domain/chat/tokenCount";
import type { ModelCatalog } from "../../../models/modelCatalog";
import type { Connection, Connections, Model } from "../../../domain/ports";
import type { ChatPageStatus, RecentChat } from "../../../protocol/chatPageContract";
import { listAnswerChanges } from "../changes/answerChangeList";
import { chatNoticeOf } from "./chatNotices";
import { findSuggestedFiles, listSuggestions, type SuggestedFiles } from "./suggestions";
import { describeConnectionProblem } from "../../gateway/connectionState";
import { describeModel, whyEmpty } from "../../models/chooseModel";
import { toolRoots } from "../../workspace/toolRoots";
import { describeVirtualFolders } from "../../workspace/virtualFolders";

export interface ChatPageStatusStore extends Disposable {
  readonly status: ReadonlyStore<ChatPageStatus>;
  /** Posts the status again, by which the page learns that a prompt was not taken. */
  readonly repeat: () => void;
}

export function createChatPageStatus(
  connections: Connections,
  models: ModelCatalog,
  chat: Pick<ShownChat, "session" | "stored" | "onDidChange">,
  recent: ReadonlyStore<readonly RecentChat[]>,
  ledgers: ChangeLedgers,
  rules: Pick<GrantRules, "profileOf" | "onDidChange">,
  clock: Clock,
): ChatPageStatusStore {
  const store = new DisposableStore();
  let suggested: SuggestedFiles | undefined;
  const { session } = chat;
  let fill = fillOf(session.current.chat);
  const { list: changes } = store.add(listAnswerChanges(ledgers, chat, clock));
  const readNotice = (): ChatPageStatus["chatNotice"] => chatNoticeOf(chat.stored) ?? virtualNotice();
  const read = (): ChatPageStatus => {
    const [connection, model] = [connections.current.current, models.models.current.chat];
    return {
      connection: connection.state,
      ...gatewayOf(connections),
      ...statusOfModel(model, fill),
      ...describeLocal(connection, model),
      trusted: vscode.workspace.isTrusted,
      suggestions: listSuggestions(suggested, connection.state !== "ready" || connection.local),
      recent: recent.current,
      ...(changes.current.length === 0 ? {} : { changes: changes.current }),
      ...describeState(connections, models),
      ...definedFields({ chatNotice: readNotice() }),
      ...(rules.profileOf(session.current.chat.id) === undefined ? {} : { commandsAllowed: true as const }),
    };
  };
  const status = new Store(read());
  const update = (): void => status.set(read());
  for (const { onDidChange } of [connections.current, models.models, recent, changes, rules])
    store.add(onDidChange(update));
  store.add(onWorkspaceChange(update));
  const refill = (): void => {
    fill = fillOf(session.current.chat);
    update();
  };
  const listen = (to: ChatSession): Disposable =>
    to.onDidEmit(({ type }) => {
      if (changesFill(type)) refill();
    });
  let listening = listen(session.current);
  store.add({ dispose: () => listening.dispose() });
  store.add(
    session.onDidChange(({ now }) => {
      listening.dispose();
      listening = listen(now);
      refill();
      // Only an empty chat shows suggestions, and finding them searches the workspace twice.
      if (now.chat.entries.length === 0) suggest();
    }),
  );
  store.add(
    chat.onDidChange(() => {
      if (readNotice()?.text !== status.current.chatNotice?.text) update();
    }),
  );
  let finding = 0;
  const suggest = (): void => {
    finding += 1;
    const own = finding;
    void findSuggestedFiles().then((found) => {
      // Those of Restricted Mode may be found after the newer ones.
      if (own !== finding) return;
      suggested = found;
      update();
    });
  };
  store.add(onWorkspaceChange(suggest));
  suggest();
  return { status, repeat: update, dispose: () => store.dispose() };
}

function onWorkspaceChange(update: () => void): Disposable {
  const { onDidGrantWorkspaceTrust, onDidChangeWorkspaceFolders } = vscode.workspace;
  return vscode.Disposable.from(onDidGrantWorkspaceTrust(update), onDidChangeWorkspaceFolders(update));
}

/** Restricted Mode has a notice of its own. */
function virtualNotice(): ChatPageStatus["chatNotice"] {
  const text = vscode.workspace.isTrusted ? describeVirtualFolders(vscode.workspace.workspaceFolders) : undefined;
  return text === undefined ? undefined : { text: revealHidden(text), canTakeOver: false };
}

/** `fill`: of the context, by the last answer. */
function statusOfModel(
  model: Model | undefined,
  fill: ContextFill | undefined,
): Pick<ChatPageStatus, "model" | "modelFacts" | "toolsRefused" | "imagesRefused" | "context"> {
  const isKnown = model?.contextSize !== undefined;
  const context = fill && {
    ...fill,
    size: model?.contextSize ?? assumedContextSize(fill.used),
    ...(isKnown ? {} : { isAssumed: true as const }),
  };
  const modelFacts = model && describeModel(model);
  const imagesRefused = model?.images === false ? (true as const) : undefined;
  return {
    model: revealHidden(model?.id ?? ""),
    ...definedFields({ modelFacts, toolsRefused: model?.toolsRefused, imagesRefused, context }),
  };
}

function describeLocal(
  connection: Connection,
  model: Model | undefined,
): Pick<ChatPageStatus, "local" | "demonstrator"> {
  const isLocal = connection.state === "ready" && connection.local;
  return { ...(isLocal ? { local: true } : {}), demonstrator: isLocal && model?.note !== undefined };
}

/** Why no prompt can be sent, and why tools have no files. */
function describeState(
  connections: Connections,
  models: ModelCatalog,
): Pick<ChatPageStatus, "problem" | "noModel" | "noFolder" | "noFiles"> {
  const problem = describeConnectionProblem({ connections, models });
  const { chat, isRead } = models.models.current;
  const isWithoutModel = connections.current.current.state === "ready" && isRead && !problem && !chat;
  const hasFolder = (vscode.workspace.workspaceFolders ?? []).length > 0;
  const hasFiles = toolRoots().length > 0;
  return definedFields({
    problem,
    noModel: isWithoutModel ? revealHidden(whyEmpty(models)) : undefined,
    noFolder: hasFolder ? undefined : (true as const),
    noFiles: hasFiles ? undefined : (true as const),
  });
}

function gatewayOf(connections: Connections): Pick<ChatPageStatus, "gateway" | "home" | "local"> {
  const { current } = connections.current;
  const gateway = gatewayName(connections);
  if (current.state !== "ready") return { gateway };
  return { gateway, home: homeMark(current.home), ...(current.local ? { local: true } : {}) };
}

function gatewayName(connections: Connections): string {
  const connection = connections.current.current;
  switch (connection.state) {
    case "starting":
    case "failed":
      return "";
    case "signed-out":
      return new URL(connection.origin).host;
    case "ready":
      return connection.local ? t("Local gateway") : new URL(connection.home.origin).host;
  }
}

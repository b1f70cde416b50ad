/** The state around the transcript as one store: gateway, model, workspace trust and suggested prompts. */
import { isDeepStrictEqual } from "node:util";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Clock } from "../../../base/clock";
import type { Event } from "../../../base/event";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import { definedFields } from "../../../base/definedFields";
import { revealHidden } from "../../../base/text/revealHidden";
import { type ReadonlyStore, Store } from "../../../base/store";
import { changesFill, type ContextFill, fillOf } from "../../request/contextFill";
import type { GrantRules } from "../../approval/grantRules";
import type { ChangeLedgers } from "../../undo/changeLedgers";
import type { ChatSession } from "../../session/session";
import type { ShownChat } from "../../storage/shownChat";
import type { PriceList, Price } from "../../../domain/prices/priceList";
import { priceOfSpent } from "../../../domain/prices/tokenDays";
import { homeMark } from "../../../domain/task/sameHome";
import { type SessionEvent } from "../../../domain/chat/chat";
import { choiceOf } from "../../../domain/chat/choices";
import { assumedContextSize } from "../../../domain/chat/tokenCount";
import type { BackgroundProcess } from "../../../domain/tools/backgroundProcess";
import type { BackgroundProcesses } from "../../../tools/command/backgroundProcesses";
import type { ModelCatalog } from "../../../gateway/modelCatalog";
import type { Connection, Connections, Model } from "../../../domain/ports";
import type { ChatPageStatus, RecentChat } from "../../contract/chatPageContract";
import { listAnswerChanges } from "../changes/answerChangeList";
import { chatNoticeOf } from "./chatNotices";
import { findSuggestedFiles, listSuggestions, type SuggestedFiles } from "./suggestions";
import { describeConnectionProblem } from "../../../gateway/host/connectionState";
import { describeModel, whyEmpty } from "../../../gateway/host/connect/pickModel";
import { toolRoots } from "../../../tools/host/workspaceFiles";
import { describeVirtualFolders } from "../../../domain/words/virtualFolders";

export interface ChatPageStatusStore extends Disposable {
  readonly status: ReadonlyStore<ChatPageStatus>;
}

export interface ChatPageStatusPorts {
  readonly connections: Connections;
  readonly models: ModelCatalog;
  readonly chat: Pick<ShownChat, "session" | "stored" | "onDidChange">;
  readonly recent: ReadonlyStore<readonly RecentChat[]>;
  readonly ledgers: ChangeLedgers;
  readonly rules: Pick<GrantRules, "profileOf" | "onDidChange">;
  readonly background: Pick<BackgroundProcesses, "running" | "onDidChange">;
  readonly clock: Clock;
  /** The person's price list. */
  readonly prices: { readonly read: () => PriceList; readonly onDidChange: Event<void> };
}

/** After these the next prompt may go to another model. */
const choosing: ReadonlySet<SessionEvent["type"]> = new Set(["answer-started", "model-set", "effort-set"]);

/** Those of the shown chat first. */
function processesOf(running: readonly BackgroundProcess[], shown: string): ChatPageStatus["processes"] {
  const listed = running.toSorted((one, two) => Number(one.chat !== shown) - Number(two.chat !== shown));
  if (listed.length === 0) return undefined;
  return listed.map(({ id, line, lastLine, port, heldPort, made, chat }) => ({
    id,
    line,
    lastLine,
    ...definedFields({ port, heldPort, made, otherChat: chat === shown ? undefined : chat }),
  }));
}

export function createChatPageStatus(ports: ChatPageStatusPorts): ChatPageStatusStore {
  const { connections, models, chat, recent, ledgers, rules, background, clock, prices } = ports;
  const store = new DisposableStore();
  let suggested: SuggestedFiles | undefined;
  const { session } = chat;
  let fill = fillOf(session.current.chat);
  const { list: changes } = store.add(listAnswerChanges(ledgers, chat, clock));
  const readNotice = (): ChatPageStatus["chatNotice"] => chatNoticeOf(chat.stored) ?? virtualNotice();
  const read = (): ChatPageStatus => {
    const connection = connections.current.current;
    const choice = choiceOf(session.current.chat);
    const model = models.modelOf(choice);
    return {
      connection: connection.state,
      ...gatewayOf(connections),
      ...statusOfModel(model, fill, priceOfSpent(prices.read(), session.current.chat.spent ?? [])),
      ...describeLocal(connection, model),
      trusted: vscode.workspace.isTrusted,
      suggestions: listSuggestions(suggested, connection.state !== "ready" || connection.local),
      recent: recent.current,
      ...(changes.current.length === 0 ? {} : { changes: changes.current }),
      ...describeState(connections, models),
      ...(prices.read().entries.length === 0 ? {} : { prices: prices.read() }),
      ...definedFields({
        chatNotice: readNotice(),
        processes: processesOf(background.running, session.current.chat.id),
        effort: choice.effort,
      }),
      ...(rules.profileOf(session.current.chat.id) === undefined ? {} : { commandsAllowed: true as const }),
    };
  };
  const status = new Store(read());
  const update = (): void => {
    const now = read();
    if (!isDeepStrictEqual(now, status.current)) status.set(now);
  };
  for (const { onDidChange } of [connections.current, models.models, recent, changes, rules, background, prices])
    store.add(onDidChange(update));
  store.add(onWorkspaceChange(update));
  const refill = (): void => {
    fill = fillOf(session.current.chat);
    update();
  };
  const listen = (to: ChatSession): Disposable =>
    to.onDidEmit(({ type }) => {
      if (changesFill(type)) refill();
      else if (choosing.has(type)) update();
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
  return { status, dispose: () => store.dispose() };
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

/** `fill`: of the context, by the last answer. `price`: of all answers. */
function statusOfModel(
  model: Model | undefined,
  fill: ContextFill | undefined,
  price: Price | undefined,
): Pick<ChatPageStatus, "model" | "modelFacts" | "toolsRefused" | "imagesRefused" | "context"> {
  const isKnown = model?.contextSize !== undefined;
  const context = fill && {
    ...fill,
    size: model?.contextSize ?? assumedContextSize(fill.used),
    ...(isKnown ? {} : { isAssumed: true as const }),
    ...definedFields({ price }),
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

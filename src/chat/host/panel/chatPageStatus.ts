/** The state around the transcript as one store: gateway, model, workspace trust, suggested prompts and more. */
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
import type { ChangeLedgers, ChangeLedger } from "../../undo/changeLedger";
import type { ChatSession } from "../../session/session";
import type { ShownChat } from "../../storage/shownChat";
import {
  capCurrency,
  type Price,
  type PriceList,
  tokenPricesOf,
  uncountedCurrencies,
} from "../../../domain/prices/priceList";
import { describeUncounted } from "../../../domain/words/describePrice";
import { homeMark } from "../../../domain/task/sameHome";
import { pricesOfChat, type SessionEvent } from "../../../domain/chat/chat";
import { choiceOf } from "../../../domain/chat/choices";
import { assumedContextSize } from "../../../domain/chat/tokenCount";
import type { BackgroundProcess } from "../../../domain/tools/backgroundProcess";
import type { BackgroundProcesses } from "../../../tools/command/backgroundProcesses";
import type { Balances } from "../../../gateway/balances";
import type { ModelCatalog } from "../../../gateway/modelCatalog";
import type { Connection, Connections, Model } from "../../../domain/ports";
import type {
  ChatPageStatus,
  RecentChat,
  ChatNotice,
  Suggestion,
  AnswerChanges,
} from "../../contract/chatPageContract";
import { describeConnectionProblem } from "../../../gateway/host/connectionState";
import { describeAbilities, whyEmpty } from "../../../gateway/host/connect/pickModel";
import { toolRoots } from "../../../tools/host/workspaceFiles";
import { describeVirtualFolders } from "../../../domain/words/virtualFolders";
import type { ChatSessions } from "../../storage/chatSessions";
import type { StoredSession } from "../../storage/storedSession";
import { type AppError, isDiskFull } from "../../../domain/errors/appError";
import { quoteForeign } from "../../../domain/words/quoteForeign";
import { notifyWarning } from "../../../vscode/interface/show";
import { shownLine } from "../../../vscode/interface/shownText";
import { referenceTo } from "../context/fileReferences";
import type { EditsChoices } from "../editsChoice";
import { Coalescer } from "../../../base/async/serialQueue";

export interface ChatPageStatusStore extends Disposable {
  readonly status: ReadonlyStore<ChatPageStatus>;
}

export interface ChatPageStatusOptions {
  readonly connections: Connections;
  readonly models: ModelCatalog;
  readonly chat: Pick<ShownChat, "session" | "stored" | "onDidChange">;
  readonly recent: ReadonlyStore<readonly RecentChat[]>;
  readonly ledgers: ChangeLedgers;
  readonly rules: Pick<GrantRules, "profileOf" | "onDidChange">;
  readonly edits: EditsChoices["current"];
  /** How many files have something to keep or undo. */
  readonly undecided: ReadonlyStore<number>;
  readonly background: Pick<BackgroundProcesses, "running" | "onDidChange">;
  readonly clock: Clock;
  /** The balance at the gateway. It is shown next to the gateway's name, and read again after each answer. */
  readonly balances: Pick<Balances, "current" | "refresh">;
  /** The person's price list. The event is of all settings. */
  readonly prices: { readonly read: () => PriceList; readonly onDidChange: Event<void> };
  /** The person's cap of money for a chat; 0 for none. */
  readonly moneyCap: () => number;
}

/** After one of these events the next prompt may use another model. */
const choosing: ReadonlySet<SessionEvent["type"]> = new Set(["answer-started", "model-set", "effort-set"]);

/** Lists the processes of the shown chat first. */
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

export function createChatPageStatus(options: ChatPageStatusOptions): ChatPageStatusStore {
  const { connections, models, chat, recent, ledgers, rules, edits, undecided, background, clock, prices, balances } =
    options;
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
    const spent = pricesOfChat(prices.read(), session.current.chat);
    return {
      connection: connection.state,
      ...gatewayOf(connections),
      ...(balances.current.current.length === 0 ? {} : { balance: balances.current.current }),
      ...statusOfModel(model, fill, spent),
      ...describeLocal(connection, model),
      trusted: vscode.workspace.isTrusted,
      suggestions: listSuggestions(suggested, connection.state !== "ready" || connection.local),
      recent: recent.current,
      ...(changes.current.length === 0 ? {} : { changes: changes.current }),
      ...describeState(connections, models),
      ...(prices.read().entries.length === 0 ? {} : { prices: prices.read() }),
      ...definedFields({
        chatNotice: readNotice(),
        uncounted: describeCapGap(options.moneyCap(), prices.read(), spent, model),
        processes: processesOf(background.running, session.current.chat.id),
        effort: choice.effort,
        edits: edits.current,
        undecided: undecided.current > 0 ? undecided.current : undefined,
      }),
      ...(rules.profileOf(session.current.chat.id) === undefined ? {} : { commandsAllowed: true as const }),
    };
  };
  const status = new Store(read());
  const update = (): void => {
    const now = read();
    if (!isDeepStrictEqual(now, status.current)) status.set(now);
  };
  for (const { onDidChange } of [
    connections.current,
    models.models,
    recent,
    changes,
    rules,
    edits,
    undecided,
    background,
    prices,
    balances.current,
  ])
    store.add(onDidChange(update));
  store.add(onWorkspaceChange(update));
  const refill = (): void => {
    fill = fillOf(session.current.chat);
    update();
  };
  const listen = (to: ChatSession): Disposable =>
    to.onDidEmit(({ type }) => {
      if (type === "answer-ended") balances.refresh();
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
      // Suggestions are shown only in an empty chat, and finding them searches the workspace twice.
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
      // An older search, for example from Restricted Mode, may end after the newer one.
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

/** The notice about virtual folders. Restricted Mode has a notice of its own. */
function virtualNotice(): ChatPageStatus["chatNotice"] {
  const text = vscode.workspace.isTrusted ? describeVirtualFolders(vscode.workspace.workspaceFolders) : undefined;
  return text === undefined ? undefined : { text: revealHidden(text), canTakeOver: false };
}

/** `fill`: how full the context was with the last answer. `prices`: the cost of all answers. */
function statusOfModel(
  model: Model | undefined,
  fill: ContextFill | undefined,
  prices: readonly Price[],
): Pick<ChatPageStatus, "model" | "modelFacts" | "toolsRefused" | "imagesRefused" | "context"> {
  const isKnown = model?.contextSize !== undefined;
  const context = fill && {
    ...fill,
    size: model?.contextSize ?? assumedContextSize(fill.used),
    ...(isKnown ? {} : { isAssumed: true as const }),
    ...(prices.length === 0 ? {} : { prices }),
  };
  const modelFacts = model && describeAbilities(model);
  const imagesRefused = model?.images === false ? (true as const) : undefined;
  return {
    model: revealHidden(model?.id ?? ""),
    ...definedFields({ modelFacts, toolsRefused: model?.toolsRefused, imagesRefused, context }),
  };
}

/**
 * Names the costs that the cap of money leaves out: those of the answers, and those of the next one by the gateway's list. It is said before a turn,
 * because no request stops at such a cap.
 */
function describeCapGap(
  cap: number,
  own: PriceList,
  spent: readonly Price[],
  model: Model | undefined,
): string | undefined {
  if (cap <= 0) return undefined;
  const listed = model?.prices && tokenPricesOf(model.prices, model.id) ? [model.prices] : [];
  const known = [...spent, ...listed];
  const currencies = uncountedCurrencies(own, known);
  if (currencies.length === 0) return undefined;
  const most = { amount: cap, currency: capCurrency(own, known) };
  return revealHidden(describeUncounted(most, currencies, vscode.env.language));
}

function describeLocal(connection: Connection, model: Model | undefined): Pick<ChatPageStatus, "local" | "demoModel"> {
  const isLocal = connection.state === "ready" && connection.local;
  return { ...(isLocal ? { local: true } : {}), demoModel: isLocal && model?.note !== undefined };
}

/** Describes why no prompt can be sent, and why tools have no files. */
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

/** `undefined` for a chat that this window writes without errors. */
function chatNoticeOf({ access, writeError }: Pick<StoredSession, "access" | "writeError">): ChatNotice | undefined {
  const { current } = access;
  if (current.state === "newer") {
    const text = t("Read only: a newer version of Sluice has written this chat.");
    return { text, canTakeOver: false };
  }
  if (current.state === "following") {
    return current.isWriterGone
      ? { text: t("Its window was closed."), canTakeOver: true }
      : { text: t("Another window writes this chat. It is shown here as it arrives."), canTakeOver: false };
  }
  return writeError.current && { text: describeUnstored(writeError.current), canTakeOver: false };
}

/** Notifies once of each kind of disk error. The notice in the view stays as long as the error lasts. */
export function tellUnstored(chats: Pick<ChatSessions, "open" | "onDidChange">): Disposable {
  const told = new Set<string | undefined>();
  return chats.onDidChange(() => {
    for (const { writeError } of chats.open.values()) {
      const { current } = writeError;
      if (!current || told.has(current.code)) continue;
      told.add(current.code);
      void notifyWarning(describeUnstored(current));
    }
  });
}

function describeUnstored(error: AppError): string {
  return isDiskFull(error)
    ? t(
        "The disk of this machine is full, so this chat is not stored now. It goes on, and is stored once there is space.",
      )
    : t(
        "This chat is not being stored: {0}. It goes on, and is stored as soon as that is possible.",
        quoteForeign(error.message),
      );
}

/** The parts of the suggestions that depend on the workspace. */
interface SuggestedFiles {
  readonly hasTools: boolean;
  /** The file that a suggestion offers to explain. */
  readonly file?: string;
  /** The name of a file that does not exist yet. */
  readonly overview: string;
}

/** `files` is `undefined` until the search has ended. `isFree`: a task costs nothing. Tasks that cost something are not suggested. */
function listSuggestions(files: SuggestedFiles | undefined, isFree: boolean): readonly Suggestion[] {
  if (files === undefined) return [];
  const { hasTools, file, overview } = files;
  const open: Suggestion = { kind: "ask", text: t("What can you do here?") };
  if (!hasTools) {
    if (!isFree) return [open, { kind: "read", text: t("Show me what Markdown looks like") }];
    const draw: Suggestion = { kind: "make", text: t("Draw a lighthouse") };
    return [open, draw, { kind: "ask", text: t("How do I connect my own gateway?") }];
  }
  return [
    file === undefined ? open : { kind: "read", text: t("Explain {0}", file) },
    { kind: "edit", text: t("Write an overview into {0}", overview) },
    isFree
      ? { kind: "make", text: t("Make a picture of a lighthouse") }
      : { kind: "read", text: t("Find “{0}” in the workspace", "TODO") },
  ];
}

async function findSuggestedFiles(): Promise<SuggestedFiles> {
  const [root] = toolRoots();
  if (root === undefined) return { hasTools: false, overview: "" };
  const excluded = "**/{node_modules,dist,out,build,target,test,.*}/**";
  const code = await findShortest("**/*.{ts,tsx,js,jsx,py,go,rs,java,cs,rb,php,c,cpp}", excluded);
  const text = code ? undefined : await findShortest("**/*.md", excluded);
  const shown = vscode.window.activeTextEditor?.document.uri;
  // The shown file may be in no folder of the workspace, so `referenceTo` may give nothing.
  const [name = ""] = [shown, code ?? text].flatMap((uri) => (uri && referenceTo(uri)?.path) ?? []);
  // A suggestion is sent as the person's prompt: a file name with hidden characters or line breaks is not suggested.
  const isPlain = name !== "" && name === shownLine(name);
  return { hasTools: true, ...(isPlain ? { file: name } : {}), overview: await freeName(root) };
}

/** The overview's name in the first folder, with the first number that is free. */
async function freeName(root: ReturnType<typeof toolRoots>[number]): Promise<string> {
  for (let number = 1; number < 10; number += 1) {
    const name = number === 1 ? "OVERVIEW.md" : `OVERVIEW-${number}.md`;
    const place = vscode.Uri.joinPath(vscode.Uri.file(root.path), name);
    const isThere = await vscode.workspace.fs.stat(place).then(
      () => true,
      () => false,
    );
    if (!isThere) return referenceTo(place)?.path ?? name;
  }
  return "OVERVIEW.md";
}

/** The shortest path, or the first by name among several. VS Code finds files in any order, and this choice is the same at each start. */
async function findShortest(include: string, exclude: string): Promise<vscode.Uri | undefined> {
  // Where this host has no search program, the other suggestions remain.
  const found = await vscode.workspace.findFiles(include, exclude, 50).then(
    (files) => files,
    () => [],
  );
  const [first] = found.sort((one, other) => one.path.length - other.path.length || (one.path < other.path ? -1 : 1));
  return first;
}

/** Milliseconds in which changes are gathered. An undo of many files records thousands, and each list is built from all of them. */
const updateDelay = 50;

export interface AnswerChangeList extends Disposable {
  readonly list: ReadonlyStore<readonly AnswerChanges[]>;
}

function listAnswerChanges(
  ledgers: ChangeLedgers,
  chat: Pick<ShownChat, "session" | "stored">,
  clock: Clock,
): AnswerChangeList {
  const store = new DisposableStore();
  const list = new Store<readonly AnswerChanges[]>([]);
  let listening: Disposable | undefined;
  const update = (): void => {
    const ledger = ledgers.of(chat.stored.id);
    const now = changesByAnswer(ledger);
    if (JSON.stringify(now) !== JSON.stringify(list.current)) list.set(now);
  };
  const updates = store.add(new Coalescer<ChangeLedger>({ clock, delay: updateDelay, flush: update }));
  const listen = (): void => {
    listening?.dispose();
    const ledger = ledgers.of(chat.stored.id);
    listening = ledger.onDidChange(() => updates.add([ledger]));
    update();
  };
  store.add(chat.session.onDidChange(listen));
  store.add({ dispose: () => listening?.dispose() });
  listen();
  return { list, dispose: () => store.dispose() };
}

function changesByAnswer(ledger: ChangeLedger): readonly AnswerChanges[] {
  const live = new Set(ledger.live);
  const kept = new Set(
    ledger.changes.flatMap(({ id, cause }) =>
      cause.type === "undo" && ledger.liveIds.has(id) ? (cause.kept ?? []) : [],
    ),
  );
  const answers = new Map<
    string,
    { files: Set<string>; left: Set<string>; state: AnswerChanges["state"]; leavesKept?: true }
  >();
  for (const change of ledger.changes) {
    const { cause, label, isKept } = change;
    if (cause.type === "undo") continue;
    const known = answers.get(cause.answer) ?? { files: new Set<string>(), left: new Set<string>(), state: "undone" };
    known.files.add(label);
    if (live.has(change) || kept.has(change.id)) known.left.add(label);
    if (kept.has(change.id)) known.leavesKept = true;
    if (live.has(change) && known.state !== "made") known.state = isKept ? "kept" : "made";
    answers.set(cause.answer, known);
  }
  return [...answers].map(([answer, { files, left, state, leavesKept }]) => {
    const undone = [...files].filter((file) => !left.has(file));
    const isPart = left.size > 0 && undone.length > 0;
    return { answer, files: [...files], state, ...(isPart ? { undone } : {}), ...definedFields({ leavesKept }) };
  });
}

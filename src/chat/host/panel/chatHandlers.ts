/** Handles the intents of the chat page that act on the editor. */
import { t } from "@vscode/l10n";
import { definedFields } from "../../../base/definedFields";
import type { GrantRules } from "../../approval/grantRules";
import type { ShownChat } from "../../storage/shownChat";
import { isSessionId } from "../../storage/sessionFolder";
import { fileOfAction } from "../../../domain/chat/changedLines";
import { toolCalls } from "../../../domain/chat/chat";
import type { StartedPrompt } from "../../../domain/chat/attachmentSchema";
import { describeFailure } from "../../../domain/words/describeAnswer";
import type { Connections } from "../../../domain/ports";
import type { EditorIntent, ChatPageIntent, ChatPageMessage } from "../../contract/chatPageContract";
import type { Handlers } from "../../../base/pageContract";
import { type AttachmentOptions, createAttachmentHandlers } from "../context/attachmentHandlers";
import { createInstructionHandlers, createPromptHandlers, type PromptOptions } from "../context/promptHandlers";
import { describeUnstarted } from "../context/promptFiles";
import { openWorkspaceFile } from "../context/fileReferences";
import type { ChatChanges } from "../changes/chatChanges";
import type { PlanDocuments, PlanAddress } from "../planDocuments";
import { describeConnectionProblem } from "../../../gateway/host/connectionState";
import type { Dialogs } from "../../../vscode/interface/dialogs";
import { commands, internalCommands } from "../../../vscode/ids";
import { openOutside } from "../../../vscode/interface/openOutside";
import { judgeAddress } from "../../../node/outsideAddress";
import { applyCode, openNewFile } from "../changes/applyCode";
import { keepAll, undoAll } from "../changes/reviewCommands";
import type { Review } from "../changes/review";
import type { EditsChoices } from "../editsChoice";
import type { AskedDiffs } from "../changes/askedDiffs";
import type { ReportDocuments } from "../../../vscode/interface/reportDocuments";
import { manageTrustCommand, openFolderCommand, runCommand, runForTasks } from "../../../vscode/interface/runCommand";
import { notifyWarning, confirmAction } from "../../../vscode/interface/show";
import { describeRefusal } from "../../view/describeRefusal";
import { showRequest } from "../chatFileActions";
import { targetEditor } from "../../../vscode/interface/targetEditor";
import { runTaskAction } from "../../../tasks/host/tree/runTaskAction";
import { revealHidden } from "../../../base/text/revealHidden";
import type { BackgroundProcesses } from "../../../tools/command/backgroundProcesses";
import { findPlanDocument } from "../../../domain/chat/planOfChat";
import type { PersonAnswer } from "../../../domain/tools/tool";
import { whyNotChosen, whyNotHere } from "../../../domain/words/modeWords";
import type { createChatMedia } from "./chatMedia";
import { type CapSettings, goOnOnceRaised } from "./raisedCap";

export interface ChatHandlerOptions extends Omit<AttachmentOptions, "post">, PromptOptions {
  /** The chat that the page shows. */
  readonly chat: ShownChat;
  /** Shows another chat on this page, or in the tab that already has it. */
  readonly showChat: (id: string) => Promise<unknown>;
  readonly rules: Pick<GrantRules, "endProfile">;
  readonly edits: Pick<EditsChoices, "set">;
  readonly connections: Connections;
  readonly dialogs: Dialogs;
  readonly diffs: AskedDiffs;
  readonly reports: ReportDocuments;
  readonly review: Review;
  readonly changes: ChatChanges;
  readonly plans: PlanDocuments;
  readonly media: ReturnType<typeof createChatMedia>;
  readonly submitTask: (text: string) => Promise<void>;
  readonly settings: CapSettings;
  readonly refreshConnection: () => void;
  /** Ends the running command with that id and opens a terminal for it. */
  readonly moveCommand: (id: string) => void;
  readonly background: Pick<BackgroundProcesses, "end" | "running" | "restart">;
  /** Runs a command that opens a list, and moves the cursor back into the composer afterwards. */
  readonly pick: (command: PickCommand) => void;
  /** Does the same with the list of a task's actions. */
  readonly pickAction: (task: string) => void;
  /** Posts to the page of the chat. */
  readonly post: (message: ChatPageMessage) => void;
}

export function createChatHandlers(options: ChatHandlerOptions): Handlers<EditorIntent> {
  const { dialogs, diffs, reports, review } = options;
  const session = options.chat.session;
  return {
    ...createSubmitHandlers(options),
    "turn-continue": () => void session.current.continueTurn(),
    "chat-take-over": () => void options.chat.stored.takeOver(),
    ...createAttachmentHandlers(options),
    ...createInstructionHandlers(options),
    ...createPromptHandlers(options),
    ...createModeHandlers(options),
    ...createStateHandlers(options),
    "turn-regenerate": () => void session.current.regenerate(),
    ...createChangeHandlers(options),
    "queue-send": () => void session.current.sendQueued(),
    "queue-remove": ({ id }) => void session.current.removeQueued(id),
    "queue-reschedule": ({ id, now }) => void session.current.reschedule(id, now),
    "turn-retry": () => void session.current.retry(),
    "chat-summarize": () =>
      void session.current.summarize().then((isAsked) => {
        if (!isAsked) options.post({ type: "composer-hint", text: t("There is nothing to summarize now.") });
      }),
    "summary-switch": ({ summary, undone }) => void session.current.switchSummary(summary, undone),
    "message-pin": ({ entry, pinned }) => void session.current.pin(entry, pinned),
    "turn-stop": () => session.current.stop(),
    "approval-decide": ({ approval, allow, note, scope }) => {
      diffs.closeAfter(session.current, approval);
      session.current.approvals.decide(approval, { allow, ...definedFields({ note, scope }) });
    },
    "approvals-show": () => options.pick(commands.showApprovals),
    "edits-set": ({ review: isReviewed }) =>
      void options.edits
        .set(isReviewed ? "review" : "ask")
        .catch((error: unknown) => dialogs.showFailure(error, "chat")),
    "review-act": ({ act }) => {
      if (act === "list") options.pick(commands.showChanges);
      else
        void (act === "keep" ? keepAll(review) : undoAll(review)).catch((error: unknown) =>
          dialogs.showFailure(error, "chat"),
        );
    },
    "profile-end": () => void options.rules.endProfile(session.current.chat.id),
    "diff-open": ({ approval, call }) => void diffs.open(session.current, approval, call),
    "file-open": ({ answer, call }) => void openCallFile(options, answer, call),
    "command-move": ({ id }) => options.moveCommand(id),
    "process-end": ({ id }) => void options.background.end(id),
    "process-restart": ({ id }) => void restartProcess(options.background, id),
    "error-action": ({ answer, isSecond }) => actOnError(options, answer, isSecond),
    "request-show": ({ answer }) => void showRequest(session.current, reports, answer),
    "task-submit": ({ text }) =>
      void options.submitTask(text).catch((error: unknown) => dialogs.showFailure(error, "new-task")),
    "task-cards-compare": ({ tasks }) => void runForTasks(internalCommands.compareResults, tasks),
    "task-card-action": ({ task, action }) =>
      action === "more" ? options.pickAction(task) : void runTaskAction(action, task),
    ...options.media,
    "chat-open": ({ id }) => {
      if (isSessionId(id)) void options.showChat(id).catch((error: unknown) => dialogs.showFailure(error, "read"));
    },
    "chat-new": () => options.chat.create(),
    "code-insert": ({ text }) => void insertCode(text),
    "code-apply": ({ text, file }) =>
      void applyCode(review, text, file).catch((error: unknown) => dialogs.showFailure(error, "chat")),
    "code-new-file": ({ text, language }) => void openNewFile(text, language),
    "link-open": ({ url }) => void openLink(url, dialogs),
  };
}

/** `submit` and `resend` run the whole turn, whose errors are shown in the chat. A text that begins with `/` may first start a prompt file. */
function createSubmitHandlers(
  options: ChatHandlerOptions,
): Pick<Handlers<EditorIntent>, "prompt-submit" | "prompt-resend"> {
  const { chat: shown, prompts, post } = options;
  const refuse = (text: string): void => post({ type: "composer-hint", text, isRefusal: true });
  /** A text without `/` at its start is sent in the same tick, so that two prompts keep their order. */
  const begin = (text: string, send: (started?: StartedPrompt) => void): void => {
    if (!text.trimStart().startsWith("/")) send();
    else
      void prompts.start(text).then((started) => {
        if (typeof started === "string") refuse(describeUnstarted(started));
        else send(started);
      });
  };
  return {
    "prompt-submit": ({ chat, text, references, now }) =>
      begin(text, (started) => {
        void shown.submit(chat, text, references, definedFields({ isNow: now, started })).then((isTaken) => {
          if (!isTaken) refuse(describeRefusal(shown.stored, chat));
        });
      }),
    "prompt-resend": ({ entry, text, without }) =>
      begin(text, (started) => void shown.resend(entry, text, definedFields({ started, without }))),
  };
}

const stateCommands = {
  "open-folder": openFolderCommand,
  "manage-trust": manageTrustCommand,
  connect: commands.connectGateway,
} as const;

function createStateHandlers({
  pick,
  dialogs,
}: Pick<ChatHandlerOptions, "pick" | "dialogs">): Pick<Handlers<EditorIntent>, "model-choose" | "state-action"> {
  return {
    "model-choose": () => pick(commands.chooseModel),
    "state-action": ({ action }) => {
      if (action === "choose-gateway") pick(commands.chooseGateway);
      else if (action === "change-money-cap") dialogs.act(action);
      else void runCommand(stateCommands[action]);
    },
  };
}

type ChangeIntent = Extract<EditorIntent, { readonly type: `changes-${string}` | "chat-rewind" | "branch-switch" }>;

function createChangeHandlers({ changes, dialogs }: ChatHandlerOptions): Handlers<ChangeIntent> {
  const showFailureOf = (work: Promise<void>): void => {
    work.catch((error: unknown) => dialogs.showFailure(error, "chat"));
  };
  return {
    "changes-show": ({ answer }) => showFailureOf(changes.show(answer)),
    "changes-undo": ({ answer }) => showFailureOf(changes.undoTurn(answer)),
    "changes-redo": ({ answer }) => showFailureOf(changes.redoTurn(answer)),
    "changes-keep": ({ answer }) => showFailureOf(changes.keepTurn(answer)),
    "chat-rewind": ({ entry }) => showFailureOf(changes.rewind(entry)),
    "branch-switch": () => showFailureOf(changes.switchBranch()),
  };
}

function actOnError(
  { chat, connections, models, dialogs, refreshConnection, settings, post }: ChatHandlerOptions,
  answer: string,
  isSecond = false,
): void {
  if (answer !== "") {
    const session = chat.session;
    const entry = session.current.chat.entries.find(({ id }) => id === answer);
    const failure = entry?.type === "answer" ? describeFailure(entry) : undefined;
    const action = isSecond ? failure?.secondAction : failure?.action;
    if (!action) return;
    const { id } = action;
    const isPaused = id === "over-cap" || id === "summarize" || id === "leave-out";
    dialogs.act(id, () => void session.current.retry(isPaused ? id : undefined));
    if (id !== "change-token-cap" && id !== "change-money-cap") return;
    goOnOnceRaised(session.current, answer, settings);
    post({ type: "composer-hint", text: t("Once the cap is higher, this chat goes on.") });
    return;
  }
  const problem = describeConnectionProblem({ connections, models });
  const action = isSecond ? problem?.secondAction : problem?.action;
  if (action) dialogs.act(action.id, refreshConnection);
}

async function openCallFile(
  { chat, workspace, post }: ChatHandlerOptions,
  answer: string,
  call: string,
): Promise<void> {
  const entry = chat.session.current.chat.entries.find(({ id }) => id === answer);
  const block = entry?.type === "answer" ? toolCalls(entry).find((one) => one.call === call) : undefined;
  const file = block && "action" in block.progress ? fileOfAction(block.progress.action) : undefined;
  if (file === undefined) return;
  await openWorkspaceFile(workspace, file).catch(() => {
    post({ type: "composer-hint", text: t("{0} can't be read.", file.path) });
  });
}

async function insertCode(text: string): Promise<void> {
  const editor = targetEditor();
  if (!editor) {
    await openNewFile(text, "");
    return;
  }
  const inserted = await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
  if (!inserted) void notifyWarning(t("The editor did not take the text. It may be read-only."));
}

async function openLink(url: string, dialogs: Dialogs): Promise<void> {
  if (!(await openOutside(judgeAddress(url))))
    await dialogs.showFailure(new Error(t("The link is not one that can be opened.")), "chat");
}

/** *Restart with Network…*: after a question, Sluice restarts a sandboxed server where a browser can reach it. */
async function restartProcess(background: Pick<BackgroundProcesses, "running" | "restart">, id: string): Promise<void> {
  const process = background.running.find((one) => one.id === id);
  const port = process?.heldPort;
  if (!process || port === undefined) return;
  const line = revealHidden(process.line);
  const detail = t(
    "It ends, and starts again in the sandbox with the network of this computer. It can then reach the internet and local services, and a browser reaches it at 127.0.0.1:{0}.",
    port,
  );
  if (!(await confirmAction(t("Restart {0} with the network?", line), t("Restart"), detail))) return;
  const restart = await background.restart(id);
  if (restart === "taken") void notifyWarning(t("Another program serves port {0} already. {1} goes on.", port, line));
  if (restart === "failed") void notifyWarning(t("{0} could not be started again. It has ended.", line));
}

/** A command that opens a list in the window. */
export type PickCommand =
  | typeof internalCommands.chooseMode
  | typeof commands.chooseModel
  | typeof commands.chooseGateway
  | typeof commands.showApprovals
  | typeof commands.showChanges;

type ModeIntent = Extract<ChatPageIntent, { readonly type: `mode-${string}` | "question-answer" | `plan-${string}` }>;

function createModeHandlers({ chat, plans, dialogs, post, pick }: ChatHandlerOptions): Handlers<ModeIntent> {
  const refuse = (text: string): void => post({ type: "change-refused", text });
  const withPlan = (
    answer: string,
    call: string,
    work: (address: PlanAddress, title: string) => Promise<void>,
  ): void => {
    const session = chat.session.current;
    const found = findPlanDocument(session.chat, { answer, call });
    if (found === undefined) return;
    work({ chat: session.chat.id, answer, call }, found.title).catch((error: unknown) =>
      dialogs.showFailure(error, "chat"),
    );
  };
  return {
    "mode-set": ({ chat: meant, mode }) => {
      // The page no longer shows the chat that was meant, and the mode of this one stays.
      if (meant !== chat.stored.id) return;
      void chat.session.current.setMode(mode).then((isSet) => {
        if (!isSet) refuse(whyNotChosen());
      });
    },
    "question-answer": ({ question, choice: at, text }) => {
      const answer: PersonAnswer =
        text !== undefined
          ? { type: "text", text }
          : at !== undefined
            ? { type: "choice", at }
            : { type: "left-to-model" };
      const isTaken = chat.session.current.questions.answer(question, answer);
      // A question that was answered or stopped meanwhile disappears from the page with its event, so nothing is reported for it.
      if (!isTaken && !chat.stored.isWritable) refuse(whyNotHere());
    },
    "plan-edit": ({ chat: meant, edit }) => {
      if (meant !== chat.stored.id) return;
      void chat.session.current.editPlan(edit).then((isEdited) => {
        if (!isEdited) refuse(whyNotHere());
      });
    },
    "plan-open": ({ answer, call }) => withPlan(answer, call, (address, title) => plans.open(address, title)),
    "plan-start": ({ answer, call }) => withPlan(answer, call, (address, title) => plans.start(address, title)),
    "mode-choose": () => pick(internalCommands.chooseMode),
  };
}

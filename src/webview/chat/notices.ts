/** What the page shows around the transcript: the connection's state, Restricted Mode, and the empty chat. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import type { Chat } from "../../domain/chat/chat";
import type { ChatPageStatus, RecentChat, ChatPageToHost } from "../../protocol/chatPageContract";
import { revealName } from "../shared/hiddenCharacters";
import type { IconName } from "../shared/icons";
import { icon } from "../shared/iconView";

/** An empty `answer` is the connection's error. */
const connectionAction = { type: "error-action", answer: "" } as const;

export function notices(status: ChatPageStatus, chat: Chat, send: (intent: ChatPageToHost) => void): TemplateResult {
  const trust = (): TemplateResult =>
    stateButton(t("Manage Trust"), () => send({ type: "state-action", action: "manage-trust" }));
  return html`${connectionNotice(status, send)}${chatNotice(status, chat, send)}${profileNotice(status, send)}${
    status.trusted ? nothing : notice("shield", t("Restricted Mode: chat works, tools don't."), trust())
  }`;
}

/** The profile of the session, while it is on, with what switches it off. */
function profileNotice(
  { commandsAllowed }: ChatPageStatus,
  send: (intent: ChatPageToHost) => void,
): TemplateResult | typeof nothing {
  if (commandsAllowed !== true) return nothing;
  const end = stateButton(t("Ask Again"), () => send({ type: "profile-end" }));
  return notice("shield", t("Commands in this workspace run without a question in this session."), end);
}

function primaryButton(label: string, act: () => void): TemplateResult {
  return html`<button type="button" class="button" @click=${act}>${label}</button>`;
}

/** Beside a primary button that may be above it. */
function stateButton(label: string, act: () => void): TemplateResult {
  return html`<button type="button" class="button secondary" @click=${act}>${label}</button>`;
}

/** After an edited message or a second answer: what was replaced can be brought back until the next message. */
export function branchNotice({ otherBranch, running }: Chat, send: (intent: ChatPageToHost) => void): unknown {
  if (otherBranch === undefined || otherBranch.entries.length === 0 || running) return nothing;
  const { entries, isNewer } = otherBranch;
  const replaced =
    entries[0]?.type === "user"
      ? t("A message and what came after it were replaced.")
      : t("The answer before was replaced.");
  const act = (): void => send({ type: "branch-switch" });
  const label = isNewer ? t("Redo") : t("Undo");
  return notice(
    "discard",
    isNewer ? t("What was replaced is back.") : replaced,
    html`<button type="button" class="button secondary" @click=${act}>${label}</button>`,
  );
}

function connectionNotice(
  status: ChatPageStatus,
  send: (intent: ChatPageToHost) => void,
): TemplateResult | typeof nothing {
  const { problem, connection } = status;
  if (connection === "starting") return notice("loading codicon-modifier-spin", t("The gateway is starting."));
  if (connection === "ready" && !problem) return nothing;
  const isSignedOut = connection === "signed-out";
  const title =
    problem?.title ??
    (isSignedOut ? t("{0} needs an API key.", status.gateway) : t("{0} can't be reached.", status.gateway));
  const label = problem?.action.label ?? (isSignedOut ? t("Set API Key") : t("Try Again"));
  const act = (): void => send(connectionAction);
  const second = problem?.secondAction;
  const check = (): void => send({ ...connectionAction, isSecond: true });
  // Of a gateway that does not answer, the check is the second action, and what a person needs first.
  const buttons = second
    ? html`${primaryButton(second.label, check)}${stateButton(label, act)}`
    : primaryButton(label, act);
  return notice(isSignedOut ? "key" : "error", title, html`<div class="notice-buttons">${buttons}</div>`);
}

/** Who writes the chat, trouble with its file, or a turn that was cut by the end of its window. */
function chatNotice(
  { chatNotice: said }: ChatPageStatus,
  chat: Chat,
  send: (intent: ChatPageToHost) => void,
): TemplateResult | typeof nothing {
  const offer = (label: string, intent: ChatPageToHost): TemplateResult =>
    html`<button type="button" class="button" @click=${() => send(intent)}>${label}</button>`;
  const cut =
    chat.interrupted === true && !chat.running
      ? notice(
          "debug-stop",
          t("VS Code was closed in the middle of this turn. What arrived is kept."),
          offer(t("Continue"), { type: "turn-continue" }),
        )
      : nothing;
  if (said === undefined) return cut;
  if (said.canTakeOver) return notice("warning", said.text, offer(t("Continue Here"), { type: "chat-take-over" }));
  return html`${notice("warning", said.text)}${cut}`;
}

function notice(name: IconName, text: string, action: TemplateResult | typeof nothing = nothing): TemplateResult {
  return html`<div class="notice notice-${name.split(" ", 1)[0] ?? name}">
    ${icon(name)}<span>${revealName(text)}</span>${action}
  </div>`;
}

export function emptyChat(
  status: ChatPageStatus,
  suggest: (text: string) => void,
  send: (intent: ChatPageToHost) => void,
): TemplateResult {
  return html`<div class="empty">
    ${icon("comment-discussion")}
    <p class="empty-title">${describeChat(status)}</p>
    <p class="empty-model">${describeGateway(status)}</p>
    ${emptyButton(status, send)}
    ${
      status.suggestions.length === 0
        ? nothing
        : html`<div class="suggestions" role="group" aria-label=${t("Things to try")}>
            ${status.suggestions
              .slice(0, 3)
              .map(
                (text) => html`<button type="button" class="suggestion" @click=${() => suggest(text)}>${text}</button>`,
              )}
          </div>`
    }
    ${(status.recent ?? []).length === 0 ? nothing : recentChats(status.recent ?? [], (id) => send({ type: "chat-open", id }))}
  </div>`;
}

function describeChat({ noFolder, noFiles, trusted }: ChatPageStatus): string {
  if (noFolder) return t("Chat with a model. No folder is open, so it has no files to read or change.");
  if (!trusted) return t("Chat with a model. In Restricted Mode it gets no tools for the files of this workspace.");
  return noFiles
    ? t("Chat with a model. It gets no tools for the files of this workspace.")
    : t("Chat with a model that works in this workspace. It asks before it changes anything.");
}

/** Who is asked, and what that costs where it is known. */
function describeGateway({ gateway, model, local, demonstrator, noModel }: ChatPageStatus): TemplateResult {
  const lines = [
    revealName(model === "" ? gateway : t("{0} · {1}", gateway, model)),
    ...(local ? [t("Free, and nothing leaves this machine.")] : []),
    ...(demonstrator ? [t("Demonstrator: answers are made up.")] : []),
    ...(noModel === undefined ? [] : [revealName(noModel)]),
  ];
  return html`${lines.map((line, index) => (index === 0 ? line : html`<br />${line}`))}`;
}

/** The one step that is missing; nothing where the chat has all that it needs. */
function emptyButton(
  { noFolder, noModel, local }: ChatPageStatus,
  send: (intent: ChatPageToHost) => void,
): TemplateResult | typeof nothing {
  if (noModel !== undefined) return stateButton(t("Choose Model"), () => send({ type: "model-choose" }));
  if (noFolder) return stateButton(t("Open Folder"), () => send({ type: "state-action", action: "open-folder" }));
  if (local) return stateButton(t("Connect to a Gateway…"), () => send({ type: "state-action", action: "connect" }));
  return nothing;
}

function recentChats(chats: readonly RecentChat[], open: (chat: string) => void): TemplateResult {
  const now = Date.now();
  return html`<ul class="recent" aria-label=${t("Recent chats")}>
    ${chats.map(
      ({ id, title, at }) =>
        html`<li>
          <button type="button" title=${revealName(title)} @click=${() => open(id)}>${revealName(title)}</button
          ><span>${describeAge(now - at)}</span>
        </li>`,
    )}
  </ul>`;
}

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** *5m ago*, in the reader's locale. */
function describeAge(milliseconds: number): string {
  const format = new Intl.RelativeTimeFormat(navigator.language, { numeric: "auto", style: "narrow" });
  const [unit, size] = units.find(([, size]) => milliseconds >= size) ?? (["minute", 60_000] as const);
  return format.format(-Math.max(0, Math.floor(milliseconds / size)), unit);
}

/** What the page shows around the transcript: the connection's state, Restricted Mode, and the empty chat. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import type { Chat } from "../domain/transcript";
import type { PanelStatus, RecentChat, ToHost } from "../protocol/panelMessages";
import { revealName } from "./hiddenCharacters";
import type { IconName } from "./icons";
import { icon } from "./iconView";

/** An empty `answer` is the connection's error. */
const connectionAction: ToHost = { type: "error-action", answer: "" };

export function notices(status: PanelStatus, chat: Chat, send: (intent: ToHost) => void): TemplateResult {
  return html`${connectionNotice(status, send)}${chatNotice(status, chat, send)}${
    status.trusted ? nothing : notice("shield", t("Restricted Mode: chat works, tools don't."))
  }`;
}

/** After an edited message or a second answer: what was replaced can be brought back until the next message. */
export function branchNotice({ otherBranch, running }: Chat, send: (intent: ToHost) => void): unknown {
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

function connectionNotice(status: PanelStatus, send: (intent: ToHost) => void): TemplateResult | typeof nothing {
  const { problem } = status;
  const act = (label: string): TemplateResult =>
    html`<button type="button" class="button" @click=${() => send(connectionAction)}>${label}</button>`;
  switch (status.connection) {
    case "ready":
      return nothing;
    case "starting":
      return notice("loading codicon-modifier-spin", t("The gateway is starting."));
    case "signed-out":
      return notice(
        "key",
        problem?.title ?? t("{0} needs an API key.", status.gateway),
        act(problem?.action.label ?? t("Set API Key")),
      );
    case "failed":
      return notice(
        "error",
        problem?.title ?? t("{0} can't be reached.", status.gateway),
        act(problem?.action.label ?? t("Try Again")),
      );
  }
}

/** Who writes the chat, trouble with its file, or a turn that was cut by the end of its window. */
function chatNotice(
  { chatNotice: said }: PanelStatus,
  chat: Chat,
  send: (intent: ToHost) => void,
): TemplateResult | typeof nothing {
  const offer = (label: string, intent: ToHost): TemplateResult =>
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
  status: PanelStatus,
  suggest: (text: string) => void,
  open: (chat: string) => void,
): TemplateResult {
  const model = status.model === "" ? status.gateway : t("{0} · {1}", status.gateway, status.model);
  return html`<div class="empty">
    ${icon("comment-discussion")}
    <p class="empty-title">
      ${t("Chat with a model that works in this workspace. It asks before it changes anything.")}
    </p>
    <p class="empty-model">
      ${revealName(model)}${status.demonstrator ? html`<br />${t("Demonstrator: answers are made up.")}` : nothing}
    </p>
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
    ${(status.recent ?? []).length === 0 ? nothing : recentChats(status.recent ?? [], open)}
  </div>`;
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

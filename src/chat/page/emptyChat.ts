/** The empty chat: what it can do, the gateway and model, three suggestions, and the last chats. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import type { ChatPageStatus, RecentChat } from "../contract/chatPageContract";
import { textLanguage } from "../../domain/words/plural";
import { revealName } from "../../webview/hiddenCharacters";
import { firstClick, icon } from "../../webview/pageParts";
import { stateButton, trustButton } from "./notices";
import type { SendToHost } from "./shared/controls";

export function emptyChatView(
  status: ChatPageStatus,
  suggest: (text: string) => void,
  send: SendToHost,
): TemplateResult {
  const { connection, problem } = status;
  // A gateway that is starting may become ready.
  const canAsk = (connection === "ready" || connection === "starting") && !problem;
  return html`<div class="empty">
    ${icon("comment-discussion")}
    <p class="empty-title">${describeChat(status)}</p>
    <p class="empty-model">${describeGateway(status)}</p>
    ${status.trusted ? nothing : trustButton(send)} ${emptyButton(status, send)}
    ${
      status.suggestions.length === 0 || !canAsk
        ? nothing
        : html`<div class="suggestions" role="group" aria-label=${t("Things to try")}>
            ${status.suggestions
              .slice(0, 3)
              .map(
                ({ kind, text }) =>
                  html`<button type="button" class="suggestion" @click=${firstClick(() => suggest(text))}>
                    ${icon(suggestionIcons[kind])}<span>${text}</span>
                  </button>`,
              )}
          </div>`
    }
    ${(status.recent ?? []).length === 0 ? nothing : recentChats(status.recent ?? [], (id) => send({ type: "chat-open", id }))}
  </div>`;
}

const suggestionIcons = { ask: "comment-discussion", read: "file", edit: "edit", make: "file-media" } as const;

function describeChat({ noFolder, noFiles, trusted, edits }: ChatPageStatus): string {
  if (noFolder) return t("Chat with a model. No folder is open, so it has no files to read or change.");
  if (!trusted) return t("Chat with a model. In Restricted Mode it gets no tools for the files of this workspace.");
  if (noFiles) return t("Chat with a model. It gets no tools for the files of this workspace.");
  return edits === "review"
    ? t(
        "Chat with a model that works in this workspace. Its edits of files that git tracks land at once, for you to review.",
      )
    : t("Chat with a model that works in this workspace. It asks before it changes anything.");
}

/** Names the gateway and model, and the price where it is known. */
function describeGateway({ gateway, model, local, demoModel, noModel }: ChatPageStatus): TemplateResult {
  const lines = [
    revealName(model === "" ? gateway : t("{0} · {1}", gateway, model)),
    ...(local ? [t("Free, and nothing leaves this machine.")] : []),
    ...(demoModel ? [t("Demo model: works by rules.")] : []),
    ...(noModel === undefined ? [] : [revealName(noModel)]),
  ];
  return html`${lines.map((line, index) => (index === 0 ? line : html`<br />${line}`))}`;
}

/** The button for the missing step, or nothing where the chat has all that it needs. */
function emptyButton({ noFolder, noModel, local }: ChatPageStatus, send: SendToHost): TemplateResult | typeof nothing {
  if (noModel !== undefined) return stateButton(t("Choose Model"), () => send({ type: "model-choose" }));
  if (noFolder) return stateButton(t("Open Folder"), () => send({ type: "state-action", action: "open-folder" }));
  if (local) return stateButton(t("Connect to a Gateway…"), () => send({ type: "state-action", action: "connect" }));
  return nothing;
}

function recentChats(chats: readonly RecentChat[], open: (chat: string) => void): TemplateResult {
  const now = Date.now();
  return html`<ul class="recent" aria-label=${t("Recent chats")}>
    ${chats.map(
      ({ id, title, at, waits }) =>
        html`<li>
          <button type="button" title=${revealName(title)} @click=${() => open(id)}>${revealName(title)}</button
          >${waits ? html`<span class="recent-waits">${t("waits for you")}</span>` : html`<span>${describeAge(now - at)}</span>`}
        </li>`,
    )}
  </ul>`;
}

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** *now*, *5m ago*, in the reader's locale. */
function describeAge(milliseconds: number): string {
  const format = new Intl.RelativeTimeFormat(textLanguage(), { numeric: "auto", style: "narrow" });
  const passed = units.find(([, size]) => milliseconds >= size);
  if (passed === undefined) return format.format(0, "second");
  const [unit, size] = passed;
  return format.format(-Math.floor(milliseconds / size), unit);
}

/** Draws again as the shown ages change: each minute while the page is visible, and when it becomes visible. */
export function followAges(draw: () => void): void {
  const drawShown = (): void => {
    if (document.visibilityState === "visible") draw();
  };
  setInterval(drawShown, 60_000);
  document.addEventListener("visibilitychange", drawShown);
}

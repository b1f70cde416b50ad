/** The notices above the composer about the whole chat: the connection's state, who writes the chat, Restricted Mode. */
import { t } from "@vscode/l10n";
import { html, type TemplateResult, nothing, render } from "lit-html";
import { type Chat, lastAnswer } from "../../domain/chat/chat";
import { describeFailure } from "../../domain/words/describeAnswer";
import type { ErrorDescription } from "../../domain/words/describeError";
import { plural } from "../../domain/words/plural";
import type { ChatPageStatus } from "../contract/chatPageContract";
import type { IconName } from "../../webview/icons";
import { revealName } from "../../webview/hiddenCharacters";
import { icon } from "../../webview/pageParts";
import type { SendToHost } from "./shared/controls";

/** An empty `answer` means the connection's error. */
const connectionAction = { type: "error-action", answer: "" } as const;

/** Lists the notices. If several appear at once, the last one is shown. */
export function listNotices(status: ChatPageStatus, chat: Chat, send: SendToHost): readonly Notice[] {
  return [
    restrictedNotice(status, chat, send),
    branchNotice(chat, send),
    profileNotice(status, send),
    capNotice(status, send),
    cutNotice(chat, send),
    chatNotice(status, send),
    connectionNotice(status, chat, send),
  ].filter((notice) => notice !== undefined);
}

function notice(icon: IconName, text: string, action?: unknown): Notice {
  return { icon, text, action };
}

function primaryButton(label: string, act: () => void): TemplateResult {
  return html`<button type="button" class="button" @click=${act}>${label}</button>`;
}

/** A secondary button, because a primary one may be above it. */
export function stateButton(label: string, act: () => void): TemplateResult {
  return html`<button type="button" class="button secondary" @click=${act}>${label}</button>`;
}

export function trustButton(send: SendToHost): TemplateResult {
  return stateButton(t("Manage Trust"), () => send({ type: "state-action", action: "manage-trust" }));
}

/** The notice of Restricted Mode. An empty chat says the same with the same button. */
function restrictedNotice({ trusted }: ChatPageStatus, { entries }: Chat, send: SendToHost): Notice | undefined {
  if (trusted || entries.length === 0) return undefined;
  return notice("shield", t("No tools in Restricted Mode."), trustButton(send));
}

/** The notice while the profile of the session is on, with the button that switches it off. */
function profileNotice({ commandsAllowed }: ChatPageStatus, send: SendToHost): Notice | undefined {
  if (commandsAllowed !== true) return undefined;
  const end = stateButton(t("Ask Again"), () => send({ type: "profile-end" }));
  return notice("shield", t("Commands run without asking in this chat."), end);
}

/** The notice while the cap of money leaves out costs in another currency, so that no cap is missed silently. */
function capNotice({ uncounted }: ChatPageStatus, send: SendToHost): Notice | undefined {
  if (uncounted === undefined) return undefined;
  const change = (): void => send({ type: "state-action", action: "change-money-cap" });
  return notice("warning", uncounted, stateButton(t("Change Cap"), change));
}

/**
 * The notice after an edited message, a second answer or a rewind. What was replaced can be restored until the next message, after a rewind together
 * with the files.
 */
function branchNotice({ otherBranch, running }: Chat, send: SendToHost): Notice | undefined {
  if (otherBranch === undefined || running) return undefined;
  // A rewind to before the first message can be redone too, although its branch is empty.
  if (otherBranch.entries.length === 0 && otherBranch.rewound === undefined) return undefined;
  const act = stateButton(otherBranch.isNewer ? t("Redo") : t("Undo"), () => send({ type: "branch-switch" }));
  return notice("discard", describeBranch(otherBranch), act);
}

function describeBranch({ entries, isNewer, rewound }: NonNullable<Chat["otherBranch"]>): string {
  if (rewound !== undefined) {
    if (isNewer) return t("The rewind was undone.");
    if (rewound.files === 0) return t("Rewound.");
    return plural(rewound.files, { one: "Rewound. 1 file restored.", other: "Rewound. {0} files restored." });
  }
  if (isNewer) return t("What was replaced is back.");
  return entries[0]?.type === "user" ? t("The message was replaced.") : t("The answer was replaced.");
}

function connectionNotice(
  { problem, connection, gateway }: ChatPageStatus,
  chat: Chat,
  send: SendToHost,
): Notice | undefined {
  if (connection === "starting") return notice("loading codicon-modifier-spin", t("The gateway is starting."));
  if (connection === "ready" && !problem) return undefined;
  const isSignedOut = connection === "signed-out";
  const title =
    problem?.title ?? (isSignedOut ? t("{0} needs an API key.", gateway) : t("{0} can't be reached.", gateway));
  const card = lastCard(chat);
  const isKeyAsked = isSignedOut || problem?.action.id === "set-key";
  if (card?.title === title || (isKeyAsked && card?.action.id === "set-key")) return undefined;
  const label = problem?.action.label ?? (isSignedOut ? t("Set API Key") : t("Try Again"));
  const act = (): void => send(connectionAction);
  const second = problem?.secondAction;
  const check = (): void => send({ ...connectionAction, isSecond: true });
  // If a gateway does not answer, the second action checks it. A person needs that first, so it becomes the primary button.
  const buttons = second
    ? html`${primaryButton(second.label, check)}${stateButton(label, act)}`
    : primaryButton(label, act);
  return notice(isSignedOut ? "key" : "error", title, html`<div class="notice-buttons">${buttons}</div>`);
}

/** The error card at the end of the chat. The notice is left out if the card says the same. */
function lastCard({ entries, running }: Chat): ErrorDescription | undefined {
  const last = entries.at(-1);
  return last?.type === "answer" && !running ? describeFailure(last) : undefined;
}

/** The notice about the window that writes the chat, or about errors with its file. */
function chatNotice({ chatNotice: said }: ChatPageStatus, send: SendToHost): Notice | undefined {
  if (said === undefined) return undefined;
  const takeOver = (): void => send({ type: "chat-take-over" });
  return notice("warning", said.text, said.canTakeOver ? primaryButton(t("Continue Here"), takeOver) : undefined);
}

/** The notice of a turn that ended with its window between two answers. An interrupted answer says so in its own row. */
function cutNotice(chat: Chat, send: SendToHost): Notice | undefined {
  if (chat.interrupted !== true || chat.running || lastAnswer(chat)?.state === "interrupted") return undefined;
  const goOn = primaryButton(t("Continue"), () => send({ type: "turn-continue" }));
  return notice("stop-circle", t("This turn was cut off when VS Code closed. What arrived is kept."), goOn);
}

/** One slim line above the composer. It shows the notice that appeared last; a click shows the others. */
interface Notice {
  readonly icon: IconName;
  readonly text: string;
  /** Buttons. */
  readonly action?: unknown;
}

export class NoticeLine {
  readonly #place: HTMLElement;
  /** The texts of the notices in the order in which they appeared. The last one is shown. */
  #order: readonly string[] = [];
  #notices: readonly Notice[] = [];

  constructor(place: HTMLElement) {
    this.#place = place;
  }

  update(notices: readonly Notice[]): void {
    this.#notices = notices;
    const texts = notices.map(({ text }) => text);
    const known = this.#order.filter((text) => texts.includes(text));
    this.#order = [...known, ...texts.filter((text) => !known.includes(text))];
    this.#render();
  }

  #showNext(): void {
    this.#order = [...this.#order.slice(-1), ...this.#order.slice(0, -1)];
    this.#render();
  }

  #render(): void {
    const text = this.#order.at(-1);
    const shown = this.#notices.find((notice) => notice.text === text);
    const others = this.#order.length - 1;
    const label = plural(others, { one: "Show 1 more notice", other: "Show {0} more notices" });
    const more = html`<button
      type="button"
      class="button quiet"
      title=${label}
      aria-label=${label}
      @click=${() => this.#showNext()}
    >
      +${others}
    </button>`;
    render(
      shown === undefined
        ? nothing
        : html`<div class="notice notice-${shown.icon.split(" ", 1)[0] ?? ""}">
            ${icon(shown.icon)}<span title=${revealName(shown.text)}>${revealName(shown.text)}</span
            >${shown.action ?? nothing}${others > 0 ? more : nothing}
          </div>`,
      this.#place,
    );
  }
}

/** Chats that work while no visible page shows them: the status bar counts them, and a notification reports when one has ended or asks (A13, T11). */
import { t } from "@vscode/l10n";
import type { Event } from "../../base/event";
import { type Disposable, DisposableStore } from "../../base/disposable";
import { titleOf } from "../storage/records";
import type { StoredSession } from "../storage/storedSession";
import { lastAnswer } from "../../domain/chat/chat";
import { describeFailure } from "../../domain/words/describeAnswer";
import { cutLabel } from "../../domain/words/label";
import { plural } from "../../domain/words/plural";
import type { NotificationLevel } from "../../tasks/view/endAnnouncements";
import { internalCommands } from "../../vscode/ids";
import { createStatusItem, notifyInformation, type StatusPart } from "../../vscode/interface/show";

export interface WorkingChatsOptions {
  readonly chats: {
    readonly open: ReadonlyMap<string, Pick<StoredSession, "id" | "session" | "state">>;
    readonly onDidChange: Event<void>;
  };
  /** Whether a visible page shows the chat. */
  readonly isSeen: (id: string) => boolean;
  /** Events that fire when the visible pages have changed. */
  readonly seen: readonly Event<unknown>[];
  readonly show: (id: string) => Promise<unknown>;
  readonly level: () => NotificationLevel;
  readonly mute: () => Promise<void>;
}

type OpenChat = Pick<StoredSession, "id" | "session" | "state">;

export class WorkingChats implements Disposable {
  readonly #options: WorkingChatsOptions;
  readonly #registrations = new DisposableStore();
  readonly #item = this.#registrations.add(
    createStatusItem("sluice.chats", t("Sluice Chats"), internalCommands.showWorkingChat),
  );
  /** The chats with a running turn, and how many questions of each wait. */
  readonly #running = new Map<OpenChat, number>();
  /** The chats of `#running` that no visible page shows. */
  #unseen: readonly OpenChat[] = [];

  constructor(options: WorkingChatsOptions) {
    this.#options = options;
    for (const change of [options.chats.onDidChange, ...options.seen])
      this.#registrations.add(change(() => this.#update()));
    this.#update();
  }

  /** The chat to show: one that waits for the person, otherwise any. `undefined` where no chat works out of view. */
  get first(): string | undefined {
    return (this.#unseen.find(({ session }) => session.waitingCount > 0) ?? this.#unseen[0])?.id;
  }

  get count(): number {
    return this.#unseen.length;
  }

  dispose(): void {
    this.#registrations.dispose();
  }

  #update(): void {
    const { open } = this.#options.chats;
    for (const chat of open.values()) {
      const { isRunning, waitingCount } = chat.session;
      if (!isRunning) continue;
      if (waitingCount > (this.#running.get(chat) ?? 0) && !this.#options.isSeen(chat.id)) this.#tellWaiting(chat);
      this.#running.set(chat, waitingCount);
    }
    for (const chat of this.#running.keys()) {
      if (chat.session.isRunning) continue;
      this.#running.delete(chat);
      if (!this.#options.isSeen(chat.id)) this.#tellEnd(chat);
    }
    this.#unseen = [...this.#running.keys()].filter(({ id }) => !this.#options.isSeen(id));
    this.#draw();
  }

  #draw(): void {
    const working = this.#unseen.length;
    if (working === 0) {
      this.#item.hide();
      return;
    }
    const waiting = this.#unseen.filter(({ session }) => session.waitingCount > 0).length;
    const parts: StatusPart[] = [
      { icon: "comment-discussion", text: String(working) },
      ...(waiting > 0 ? [{ icon: "bell", text: String(waiting) } as const] : []),
    ];
    const sentences = [
      plural(working, { one: "1 chat works in the background.", other: "{0} chats work in the background." }),
      ...(waiting > 0 ? [plural(waiting, { one: "1 waits for you.", other: "{0} wait for you." })] : []),
      t("Show it."),
    ];
    this.#item.show(parts, `${t("Sluice:")} ${sentences.join(" ")}`);
  }

  #tellWaiting(chat: OpenChat): void {
    if (this.#options.level() !== "none") this.#tell(chat, t("The chat “{0}” waits for you.", nameOf(chat)));
  }

  /** Reports the end of a turn. A stopped turn is not reported, because the person has stopped it. */
  #tellEnd(chat: OpenChat): void {
    const level = this.#options.level();
    const last = lastAnswer(chat.session.chat);
    const failure = last?.state === "failed" ? describeFailure(last) : undefined;
    if (failure !== undefined && level !== "none")
      this.#tell(chat, t("The chat “{0}” has come to a halt: {1}", nameOf(chat), failure.title));
    else if (last?.state === "complete" && level === "all")
      this.#tell(chat, t("The chat “{0}” has answered.", nameOf(chat)));
  }

  #tell({ id }: OpenChat, message: string): void {
    const [show, mute] = [t("Show"), t("Don't Notify")];
    void notifyInformation(message, show, mute)
      .then(async (chosen) => {
        if (chosen === show) await this.#options.show(id);
        else if (chosen === mute) await this.#options.mute();
      })
      .catch(() => undefined);
  }
}

function nameOf({ state }: OpenChat): string {
  const title = titleOf(state);
  return title === "" ? t("New Chat") : cutLabel(title, 40);
}

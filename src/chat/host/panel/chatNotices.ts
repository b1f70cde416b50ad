/** The words for what concerns the file of a chat: who writes it, and trouble with the disk. */
import { t } from "@vscode/l10n";
import type { Disposable } from "../../../base/disposable";
import type { ChatSessions } from "../../storage/chatSessions";
import type { StoredSession } from "../../storage/storedSession";
import { type AppError, isDiskFull } from "../../../domain/errors/appError";
import { quoteForeign } from "../../../domain/words/quoteForeign";
import type { ChatNotice } from "../../contract/chatPageContract";
import { notifyWarning } from "../../../vscode/interface/show";

/** `undefined` for a chat that this window writes without trouble. */
export function chatNoticeOf({ access, trouble }: Pick<StoredSession, "access" | "trouble">): ChatNotice | undefined {
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
  return trouble.current && { text: describeUnstored(trouble.current), canTakeOver: false };
}

/** Notifies once of each trouble with the disk; the notice in the view says it as long as it lasts. */
export function tellUnstored(chats: Pick<ChatSessions, "open" | "onDidChange">): Disposable {
  const told = new Set<string | undefined>();
  return chats.onDidChange(() => {
    for (const { trouble } of chats.open.values()) {
      const { current } = trouble;
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

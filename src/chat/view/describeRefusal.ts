/** Says in a sentence below the composer why a prompt was refused. The composer keeps the text. */
import { t } from "@vscode/l10n";
import type { StoredSession } from "../storage/storedSession";

/** `id`: the chat that the page shows by now; `chat`: the chat that it showed when the prompt was sent. */
export function describeRefusal({ id, access }: Pick<StoredSession, "id" | "access">, chat: string): string {
  if (id !== chat) return t("Not sent: another chat is shown since. Press Enter to send your text here.");
  switch (access.current.state) {
    case "newer":
      return t("Not sent: a newer version of Sluice writes this chat. Your text is kept.");
    case "following":
      return t("Not sent: another window writes this chat. Your text is kept; send it once that window is closed.");
    case "writing":
      return t("Not sent: something else began in this chat. Your text is kept.");
  }
}

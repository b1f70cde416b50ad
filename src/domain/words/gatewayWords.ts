/** Where something goes, in a word or two: *Local · free*, or the gateway's host. What another gateway charges is not known here. */
import { t } from "@vscode/l10n";
import { localOrigin } from "../gateway/address";
import type { Connection } from "../ports";
import type { TaskHome } from "../task/task";

export function localWords(): string {
  return t("Local · free");
}

/** Of the gateway that is used; empty while it starts, or where its address is not known. */
export function connectionWords(connection: Connection): string {
  switch (connection.state) {
    case "starting":
    case "failed":
      return "";
    case "signed-out":
      return hostOf(connection.origin);
    case "ready":
      return connection.local ? localWords() : hostOf(connection.home.origin);
  }
}

/** Of the gateway that has a task. */
export function homeWords({ origin }: Pick<TaskHome, "origin">): string {
  return origin === localOrigin ? localWords() : hostOf(origin);
}

function hostOf(origin: string): string {
  return URL.parse(origin)?.host ?? origin;
}

/** The mark on a task of another gateway than the chosen one (T6). */
import { t } from "@vscode/l10n";
import { localOrigin } from "../../domain/gateway/address";
import type { Connection } from "../../domain/ports";
import type { TaskHome } from "../../domain/task/task";

/** The name of the task's gateway; `undefined` where it is the chosen one, or where none is chosen. */
export function elsewhereName({ origin }: TaskHome, connection: Connection): string | undefined {
  const chosen = originOf(connection);
  if (chosen === undefined || chosen === origin) return undefined;
  if (origin === localOrigin) return t("Local · free");
  return URL.canParse(origin) ? new URL(origin).host : origin;
}

function originOf(connection: Connection): string | undefined {
  switch (connection.state) {
    case "starting":
    case "failed":
      return undefined;
    case "signed-out":
      return connection.origin;
    case "ready":
      return connection.home.origin;
  }
}

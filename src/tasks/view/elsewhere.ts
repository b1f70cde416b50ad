/** Where a new task goes, and the mark on a task of another gateway (T6). */
import type { Connection } from "../../domain/ports";
import type { TaskHome } from "../../domain/task/task";
import { originWords } from "../../domain/words/gatewayWords";

/** Of the chosen gateway; empty while it starts, or where its address is not known. */
export function connectionWords(connection: Connection): string {
  const chosen = originOf(connection);
  return chosen === undefined ? "" : originWords(chosen);
}

/** The name of the task's gateway; `undefined` where it is the chosen one, or where none is chosen. */
export function elsewhereName({ origin }: TaskHome, connection: Connection): string | undefined {
  const chosen = originOf(connection);
  return chosen === undefined || chosen === origin ? undefined : originWords(origin);
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

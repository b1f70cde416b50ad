/** Decides for views whether the gateway can be used, by the connection and by the result of its list of models. */
import { describeError, type ErrorDescription } from "../../domain/words/describeError";
import type { AppError } from "../../domain/errors/appError";
import type { Connections } from "../../domain/ports";
import { type Disposable, DisposableStore } from "../../base/disposable";
import type { Event } from "../../base/event";
import { couldNotAsk, type ModelCatalog } from "../modelCatalog";
import { contextKeys } from "../../vscode/ids";
import { setContext } from "../../vscode/interface/runCommand";

interface ConnectionSources {
  readonly connections: Pick<Connections, "current">;
  readonly models: Pick<ModelCatalog, "models">;
}

/** The known error that makes requests to the gateway impossible. */
function errorOf({ connections, models }: ConnectionSources): AppError | undefined {
  const connection = connections.current.current;
  switch (connection.state) {
    case "starting":
      return undefined;
    case "signed-out":
      return { kind: "signed-out", message: "", notSent: true };
    case "failed":
      return connection.error;
    case "ready": {
      const { error } = models.models.current;
      return couldNotAsk(error) ? error : undefined;
    }
  }
}

/** Words the problem, with the actions that help. */
export function describeConnectionProblem(sources: ConnectionSources): ErrorDescription | undefined {
  const error = errorOf(sources);
  return error && describeError(error, sources.connections.current.current.state === "ready" ? "models" : "chat");
}

/** The state that `when` clauses compare. The gateway can be used with `local` and `ready`. */
function stateOf(sources: ConnectionSources): string {
  const connection = sources.connections.current.current;
  if (connection.state !== "ready") return connection.state;
  const error = errorOf(sources);
  if (error) return error.kind === "unauthorized" ? "refused" : "unreachable";
  return connection.local ? "local" : "ready";
}

/** Keeps the context key that selects the welcome texts up to date. `onReady`: called when a gateway other than the local one responds. */
export function showConnectionState(
  connections: ConnectionSources["connections"],
  models: ModelCatalog,
  onReady: () => void,
): Disposable {
  const store = new DisposableStore();
  let shown = "";
  const show = (): void => {
    const state = stateOf({ connections, models });
    if (state !== shown) void setContext(contextKeys.connection, state);
    if (state !== shown && state === "ready") onReady();
    shown = state;
  };
  store.add(connections.current.onDidChange(show));
  store.add(models.models.onDidChange(show));
  return store;
}

/** Sets a context key once the list is not empty, and calls `onFirst`. */
export function showOnceFilled(
  key: typeof contextKeys.hasTasks | typeof contextKeys.hasChats,
  isThere: () => boolean,
  onDidChange: Event<unknown>,
  onFirst: () => void,
): Disposable {
  let isShown = false;
  const look = (): void => {
    if (isShown || !isThere()) return;
    isShown = true;
    void setContext(key, true);
    onFirst();
  };
  look();
  return onDidChange(look);
}

/** From method and path to the one who answers: routes, the key check, and the faults that act before anything else. */
import { serveAsset } from "./assets/assetRoutes";
import { checkKey } from "./auth";
import { completeChat } from "./chat/families/chatCompletions";
import { generateContent, streamGenerateContent } from "./chat/families/generateContent";
import { createMessage } from "./chat/families/messages";
import { getModel, listModels } from "./chat/modelRoutes";
import { clearConduct, getConduct, makePageLink, showConduct } from "./conduct/conductRoutes";
import { HttpError } from "./errors";
import type { Exchange } from "./exchange";
import { sendFailure } from "./familyErrors";
import { familyOf } from "./familyOf";
import { RequestFaults } from "./faults";
import { strikeGateway } from "./gatewayFaults";
import { actFault } from "./httpFaults";
import {
  armFault,
  clearFaults,
  getBalance,
  getClock,
  getLedger,
  getRequests,
  listFaults,
  moveClock,
  putDeposit,
  sayHello,
} from "./localRoutes";
import type { Services } from "./services";
import { cancelTask, createTask, getTask, listTaskEvents, refundTask } from "./tasks/taskRoutes";

type Handler = (exchange: Exchange, services: Services) => void | Promise<void>;

interface Route {
  readonly name: string;
  readonly method: string;
  readonly segments: readonly string[];
  readonly handle: Handler;
  /** Opened by a signed link instead of the key. */
  readonly open: boolean;
}

const routes: readonly Route[] = [
  route("POST /v1/tasks", createTask),
  route("GET /v1/tasks/{task_id}", getTask),
  route("GET /v1/tasks/{task_id}/events", listTaskEvents),
  route("POST /v1/tasks/{task_id}/cancel", cancelTask),
  route("GET /v1/models", listModels),
  route("GET /v1/models/{model}", getModel),
  route("POST /v1/chat/completions", completeChat),
  route("POST /v1/messages", createMessage),
  route("POST /v1/models/{model}:generateContent", generateContent),
  route("POST /v1/models/{model}:streamGenerateContent", streamGenerateContent),
  route("GET /_local/hello", sayHello, { open: true }),
  route("GET /_local/balance", getBalance),
  route("POST /_local/deposit", putDeposit),
  route("POST /_local/tasks/{task_id}/refund", refundTask),
  route("GET /_local/ledger", getLedger),
  route("GET /_local/requests", getRequests),
  route("GET /_local/conduct", getConduct),
  route("DELETE /_local/conduct", clearConduct),
  route("POST /_local/page", makePageLink),
  route("GET /_local/conduct.html", showConduct, { open: true }),
  route("GET /_local/", showConduct, { open: true }),
  route("GET /_local/clock", getClock),
  route("POST /_local/clock", moveClock),
  route("GET /_local/faults", listFaults),
  route("POST /_local/faults", armFault),
  route("DELETE /_local/faults", clearFaults),
  route("GET /_local/assets/{task_id}/{file}", serveAsset, { open: true }),
  route("HEAD /_local/assets/{task_id}/{file}", serveAsset, { open: true }),
];

function route(name: string, handle: Handler, { open = false } = {}): Route {
  const [method = "", path = ""] = name.split(" ");
  return { name, method, segments: path.split("/"), handle, open };
}

/** Answers the request, whatever happens: what is thrown becomes an answer in the service's shape. */
export async function answer(
  exchange: Omit<Exchange, "route" | "params" | "faults" | "watch">,
  services: Services,
): Promise<void> {
  const found = findRoute(exchange.request.method ?? "GET", exchange.url.pathname);
  const faults = new RequestFaults(services.faults, found.name, (names) => {
    services.log.note(exchange.requestId, { faults: names });
  });
  const refused = found.route?.open === true ? undefined : checkKey(exchange, services.key);
  const { name: route, params } = found;
  const watch = services.conduct.watch({ ...exchange, route, params, refused: refused !== undefined });
  const known: Exchange = { ...exchange, route, params, faults, watch };
  if (familyOf(exchange) === "messages") exchange.response.setHeader("request-id", exchange.requestId);
  try {
    const own = exchange.request.headers["x-gateway-fault"];
    if (typeof own === "string" && found.route?.open !== true && refused === undefined) faults.armOwn(own);
    if (strikeGateway(known, services)) return;
    if (await actFault(known)) return;
    if (found.route === undefined) throw found.error;
    if (refused !== undefined) throw refused;
    await found.route.handle(known, services);
  } catch (error) {
    sendError(known, error);
  }
}

function sendError(exchange: Exchange, error: unknown): void {
  const { response } = exchange;
  if (response.destroyed || response.writableEnded) return;
  // In the middle of an answer there is no honest end but a cut.
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const known = error instanceof HttpError ? error : new HttpError(500, "internal_error", describeFailure(error));
  const closing = known.status === 413 ? { connection: "close" } : {};
  sendFailure(exchange, known, closing);
}

function describeFailure(error: unknown): string {
  return `The local gateway failed: ${error instanceof Error ? error.message : String(error)}`;
}

type Found = { readonly name: string; readonly params: Readonly<Record<string, string>> } & (
  { readonly route: Route } | { readonly route: undefined; readonly error: HttpError }
);

function findRoute(method: string, path: string): Found {
  // Two prefixes, the same things: clients of the generate-content family use the one or the other.
  const given = path.replace(/^\/v1beta(?=\/models(?:\/|$))/, "/v1").split("/");
  const allowed: string[] = [];
  for (const candidate of routes) {
    const params = matchPath(candidate.segments, given);
    if (params === undefined) continue;
    if (candidate.method === method) return { name: candidate.name, params, route: candidate };
    allowed.push(candidate.method);
  }
  const name = `${method} ${path}`;
  if (allowed.length === 0) {
    const error = new HttpError(404, "not_found", `There is nothing at ${name}.`);
    return { name, params: {}, route: undefined, error };
  }
  const message = `${path} takes ${allowed.join(" and ")}, not ${method}.`;
  const error = new HttpError(405, "method_not_allowed", message, { headers: { allow: allowed.join(", ") } });
  return { name, params: {}, route: undefined, error };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function matchPath(pattern: readonly string[], given: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, wanted] of pattern.entries()) {
    const part = given[index] ?? "";
    if (!wanted.startsWith("{")) {
      if (wanted !== part) return undefined;
      continue;
    }
    // `{model}:generateContent` takes what ends so.
    const [name = "", suffix = ""] = wanted.slice(1).split("}");
    if (!part.endsWith(suffix)) return undefined;
    params[name] = decode(part.slice(0, part.length - suffix.length));
  }
  return params;
}

/** From method and path to the one who answers: routes, the key check, and the faults that act before anything else. */
import { cutText } from "../../base/cutText";
import { definedFields } from "../../base/definedFields";
import { isAssetLink, serveAsset } from "../tasks/assetRoutes";
import { completeChat } from "../chat/families/chatCompletions/completeChat";
import { generateContent, streamGenerateContent } from "../chat/families/generateContent/generateContent";
import { createMessage } from "../chat/families/messages/createMessage";
import { getModel, listModels } from "../chat/modelRoutes";
import { unwatched } from "../conduct/conduct";
import { clearConduct, getConduct, isPageLink, makePageLink, showConduct } from "../conduct/conductRoutes";
import { HttpError } from "./httpError";
import type { RequestContext } from "./requestContext";
import { sendFailure } from "./familyErrors";
import { familyOf } from "./familyOf";
import { FaultSwitches, RequestFaults } from "../faults/faultSwitches";
import { applyGatewayFault } from "../faults/gatewayFaults";
import { respondWithFault } from "../faults/httpFaults";
import {
  armFault,
  clearFaults,
  getBalance,
  getClock,
  getLedger,
  getRequests,
  listFaults,
  moveClock,
  postDeposit,
  getProof,
} from "./localRoutes";
import type { Services } from "../services";
import { refuseForeignRequest } from "./originCheck";
import { cancelTask, createTask, getTask, listTaskEvents, refundTask } from "../tasks/taskRoutes";

type Handler = (context: RequestContext, services: Services) => void | Promise<void>;

interface Route {
  readonly name: string;
  readonly method: string;
  readonly segments: readonly string[];
  readonly handle: Handler;
  /** Opened by a link instead of the key: whether this one was made here. */
  readonly isOurLink?: (asked: Pick<RequestContext, "url" | "params">, services: Services) => boolean;
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
  route("GET /_local/hello", getProof, () => false),
  route("GET /_local/balance", getBalance),
  route("POST /_local/deposit", postDeposit),
  route("POST /_local/tasks/{task_id}/refund", refundTask),
  route("GET /_local/ledger", getLedger),
  route("GET /_local/requests", getRequests),
  route("GET /_local/conduct", getConduct),
  route("DELETE /_local/conduct", clearConduct),
  route("POST /_local/page", makePageLink),
  route("GET /_local/conduct.html", showConduct, isPageLink),
  route("GET /_local/", showConduct, isPageLink),
  route("GET /_local/clock", getClock),
  route("POST /_local/clock", moveClock),
  route("GET /_local/faults", listFaults),
  route("POST /_local/faults", armFault),
  route("DELETE /_local/faults", clearFaults),
  route("GET /_local/assets/{task_id}/{file}", serveAsset, isAssetLink),
  route("HEAD /_local/assets/{task_id}/{file}", serveAsset, isAssetLink),
];

function route(name: string, handle: Handler, isOurLink?: Route["isOurLink"]): Route {
  const [method = "", path = ""] = name.split(" ");
  return { name, method, segments: path.split("/"), handle, ...definedFields({ isOurLink }) };
}

/** A request before it is known who sent it. */
export interface IncomingRequest extends Pick<RequestContext, "request" | "response" | "url" | "requestId"> {
  /** Writes the request down and gives the signal that aborts when it ends. Not called for strangers: theirs leave nothing. */
  admit(): AbortSignal;
}

/** Answers the request, whatever happens: what is thrown becomes an answer in the service's shape. */
export async function handleRequest(arrival: IncomingRequest, services: Services): Promise<void> {
  const { request, response, url, requestId } = arrival;
  if (familyOf(arrival) === "messages") response.setHeader("request-id", requestId);
  const foreign = refuseForeignRequest(request);
  if (foreign !== undefined) {
    rejectRequest(arrival, foreign, services);
    return;
  }
  const found = findRoute(request.method ?? "GET", url.pathname);
  const { name: route, params } = found;
  const isOurLink = found.route?.isOurLink;
  if (found.route !== undefined && isOurLink?.({ url, params }, services) === false) {
    await handleWithoutKey(arrival, found.route, params, services);
    return;
  }
  const refused = isOurLink === undefined ? services.keys.check(arrival) : undefined;
  if (refused !== undefined && !services.keys.isFormer(arrival)) {
    rejectRequest(arrival, refused, services);
    return;
  }
  const signal = arrival.admit();
  const faults = new RequestFaults(services.faults, route, (names) => services.log.note(requestId, { faults: names }));
  const watch = services.conduct.watch({ ...arrival, route, params, refused: refused !== undefined });
  const context: RequestContext = { ...arrival, signal, route, params, faults, watch };
  try {
    const own = request.headers["x-gateway-fault"];
    if (typeof own === "string" && isOurLink === undefined && refused === undefined) faults.armOwn(own);
    if (applyGatewayFault(context, services)) return;
    if (await respondWithFault(context)) return;
    if (refused !== undefined) throw refused;
    if (found.route === undefined) throw found.error;
    await found.route.handle(context, services);
  } catch (error) {
    sendError(context, error);
  }
}

/** Anybody can send these, as many as they like. */
function rejectRequest(arrival: IncomingRequest, error: HttpError, { log }: Services): void {
  log.countRefused();
  arrival.request.resume();
  sendFailure(arrival, error);
}

/** What opens by a link has its own words for those who come without a good one. No fault acts on them. */
async function handleWithoutKey(
  arrival: IncomingRequest,
  { name, handle }: Route,
  params: RequestContext["params"],
  services: Services,
): Promise<void> {
  const faults = new RequestFaults(new FaultSwitches(), name, () => undefined);
  const context = { ...arrival, signal: services.closing, route: name, params, faults, watch: unwatched };
  try {
    await handle(context, services);
  } catch (error) {
    sendError(context, error);
  }
  if (arrival.response.statusCode >= 400) services.log.countRefused();
}

function sendError(context: RequestContext, error: unknown): void {
  const { response } = context;
  if (response.destroyed || response.writableEnded) return;
  // In the middle of an answer there is no honest end but a cut.
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const known = error instanceof HttpError ? error : new HttpError(500, "internal_error", describeFailure(error));
  const closing = known.status === 413 ? { connection: "close" } : {};
  sendFailure(context, known, closing);
}

function describeFailure(error: unknown): string {
  return `The local gateway failed: ${error instanceof Error ? error.message : String(error)}`;
}

/** Of a path that is no route: it is kept with what is found of the request. */
const longestName = 200;

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
  const name = cutText(`${method} ${path}`, longestName);
  if (allowed.length === 0) {
    const error = new HttpError(404, "not_found", `There is nothing at ${name}.`);
    return { name, params: {}, route: undefined, error };
  }
  const message = `${path.slice(0, longestName)} takes ${allowed.join(" and ")}, not ${method}.`;
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

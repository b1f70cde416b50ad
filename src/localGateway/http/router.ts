/** Checks origin and key of a request, lets a fault respond in place of the handler, and calls the handler of its route. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { randomUUID } from "node:crypto";
import { unwatched, type RequestContext } from "./requestContext";
import { mainAccount } from "../state/stateDatabase";
import { sendFailure, familyOf } from "./familyErrors";
import { HttpError } from "./httpError";
import type { HttpServices } from "./httpServices";
import { foreignnessOf, type OpenConnections } from "../../base/limitedServer";
import { noFaults } from "./requestFaults";
import { findRoute, type Route } from "./routeTable";
import { definedFields } from "../../base/definedFields";
import { shownPath } from "./requestLog";

/** One error for all requests, because each new one would make a stack trace. */
const ended = new DOMException("The request has ended.", "AbortError");

/** A request before its origin and key are checked. */
interface IncomingRequest extends Pick<RequestContext, "request" | "response" | "url" | "requestId"> {
  /** Logs the request and returns the signal that aborts when it ends. It is not called without the key: such requests are only counted. */
  admit(): AbortSignal;
}

/** Never rejects: an error becomes a response in the shape of the family. */
async function handleRequest<S extends HttpServices>(
  arrival: IncomingRequest,
  services: S,
  routes: readonly Route<S>[],
): Promise<void> {
  const { request, response, url, requestId } = arrival;
  if (familyOf(arrival) === "messages") response.setHeader("request-id", requestId);
  const foreign = refuseForeignRequest(request);
  if (foreign !== undefined) {
    rejectRequest(arrival, foreign, services);
    return;
  }
  const found = findRoute(routes, request.method ?? "GET", url.pathname);
  const { name: route, params } = found;
  const isOurLink = found.route?.isOurLink;
  if (found.route !== undefined && isOurLink?.({ url, params }, services) === false) {
    await handleInvalidLink(arrival, found.route, params, services);
    return;
  }
  const owner = isOurLink === undefined ? services.keys.check(arrival) : mainAccount;
  const [account, refused] = typeof owner === "number" ? [owner] : [mainAccount, owner];
  if (refused !== undefined && !services.keys.isFormer(arrival)) {
    rejectRequest(arrival, refused, services);
    return;
  }
  const signal = arrival.admit();
  const { bodyTurns, injectedFaults, log } = services;
  const faults = injectedFaults?.faultsOf(route, (names) => log.note(requestId, { faults: names })) ?? noFaults;
  const key = services.keys.keyOf(account);
  const watch = services.clientReport.watch({ ...arrival, route, params, key, refused: refused !== undefined });
  const context: RequestContext = { ...arrival, signal, route, params, account, faults, watch, bodyTurns };
  try {
    const own = request.headers["x-gateway-fault"];
    const mayArm = typeof own === "string" && isOurLink === undefined && refused === undefined;
    if (await injectedFaults?.respond(context, services, mayArm ? own : undefined)) return;
    if (refused !== undefined) throw refused;
    if (found.route === undefined) throw found.error;
    await found.route.handle(context, services);
  } catch (error) {
    sendError(context, error);
  }
}

/** Refuses a request without the key. It is only counted, not logged, because anybody can send such requests. */
function rejectRequest(arrival: IncomingRequest, error: HttpError, { log }: HttpServices): void {
  log.countRefused();
  arrival.request.resume();
  sendFailure(arrival, error);
}

/** Lets routes for links respond to an invalid link themselves. Faults don't act on these requests. */
async function handleInvalidLink<S extends HttpServices>(
  arrival: IncomingRequest,
  { name, handle }: Route<S>,
  params: RequestContext["params"],
  services: S,
): Promise<void> {
  const { closing: signal, bodyTurns } = services;
  const own = { signal, route: name, params, account: mainAccount, faults: noFaults, watch: unwatched, bodyTurns };
  const context = { ...arrival, ...own };
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
  // The status was sent already, so only a cut connection shows the client that the body is incomplete.
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

/** The error response for requests to another host name and from pages of other sites, even with the right key. */
function refuseForeignRequest(request: IncomingMessage): HttpError | undefined {
  switch (foreignnessOf(request)) {
    case "host":
      return new HttpError(403, "forbidden_host", "This gateway answers to 127.0.0.1 and localhost only.");
    case "origin":
      return new HttpError(403, "forbidden_origin", "This gateway answers to no page of another site.");
    case undefined:
      return undefined;
  }
}

/**
 * Receives each request from the server: gives it an id, logs it once it is admitted, and aborts its work when the client disconnects or
 * the gateway closes.
 */
export class RequestIntake<S extends HttpServices> {
  readonly #services: S;
  readonly #routes: readonly Route<S>[];
  readonly #connections: OpenConnections;
  /** Admitted requests without a complete response. */
  readonly #running = new Set<AbortController>();

  constructor(services: S, routes: readonly Route<S>[], connections: OpenConnections) {
    this.#services = services;
    this.#routes = routes;
    this.#connections = connections;
    services.closing.addEventListener("abort", () => {
      for (const controller of this.#running) controller.abort();
    });
  }

  async accept(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestId = `req_${randomUUID()}`;
    response.setHeader("x-request-id", requestId);
    for (const [name, value] of Object.entries(this.#services.moreHeaders?.(requestId) ?? {}))
      response.setHeader(name, value);
    const url = readUrl(request);
    // Node emits these errors when a client disconnects; without a listener they would end the process.
    request.on("error", () => undefined);
    response.on("error", () => undefined);
    const admit = (): AbortSignal => this.#admit(request, response, url, requestId);
    await handleRequest({ request, response, url, requestId, admit }, this.#services, this.#routes);
  }

  #admit(request: IncomingMessage, response: ServerResponse, url: URL, requestId: string): AbortSignal {
    const { log, clock } = this.#services;
    const startedAt = performance.now();
    // AbortSignal.any with the gateway's own signal would keep a reference to each request until the gateway ends.
    const controller = new AbortController();
    this.#running.add(controller);
    this.#connections.markKnown(request.socket);
    log.add({ at: clock.now(), method: request.method ?? "", path: shownPath(url), requestId });
    response.on("close", () => {
      this.#running.delete(controller);
      controller.abort(ended);
      const status = response.headersSent ? response.statusCode : undefined;
      const aborted = response.writableFinished ? undefined : true;
      log.note(requestId, { ms: Math.round(performance.now() - startedAt), ...definedFields({ status, aborted }) });
    });
    return controller.signal;
  }
}

/** Reads path and query only. A request line with a whole URL, or without any, gives a path that has no route. */
function readUrl(request: IncomingMessage): URL {
  const path = request.url ?? "/";
  const base = "http://127.0.0.1";
  return URL.canParse(base + path) ? new URL(base + path) : new URL(base);
}

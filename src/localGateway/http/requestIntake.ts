/** Takes each request from the server: gives it an id, logs it once it is admitted, and aborts its work when the client or the gateway ends it. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { definedFields } from "../../base/definedFields";
import type { HttpServices } from "./httpServices";
import type { OpenConnections } from "../../base/limitedServer";
import { shownPath } from "./requestLog";
import type { Route } from "./routeTable";
import { handleRequest } from "./router";

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
    const url = readUrl(request);
    // Node raises these for a client that hangs up; without a listener they would end the process.
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
      controller.abort();
      const status = response.headersSent ? response.statusCode : undefined;
      const aborted = response.writableFinished ? undefined : true;
      log.note(requestId, { ms: Math.round(performance.now() - startedAt), ...definedFields({ status, aborted }) });
    });
    return controller.signal;
  }
}

/** Path and query only: a request line with a whole URL, or with none at all, leads to a path that is no route. */
function readUrl(request: IncomingMessage): URL {
  const path = request.url ?? "/";
  const base = "http://127.0.0.1";
  return URL.canParse(base + path) ? new URL(base + path) : new URL(base);
}

/** From where a request may come at all: this machine's own names, and no page but the gateway's. */
import type { IncomingMessage } from "node:http";
import { HttpError } from "./httpError";

/** Why it is refused whatever else it holds, the right key among it. */
export function refuseForeignRequest({ headers, socket }: IncomingMessage): HttpError | undefined {
  const names = [`127.0.0.1:${socket.localPort}`, `localhost:${socket.localPort}`];
  // A page whose name was pointed at this machine must not reach the gateway with the browser's help.
  if (!names.includes(headers.host ?? "")) {
    return new HttpError(403, "forbidden_host", "This gateway answers to 127.0.0.1 and localhost only.");
  }
  // A browser says which page a request comes from; programs say nothing.
  const { origin, "sec-fetch-site": site = "none" } = headers;
  const isOwn = origin === undefined || names.some((name) => origin === `http://${name}`);
  if (isOwn && (site === "none" || site === "same-origin")) return undefined;
  return new HttpError(403, "forbidden_origin", "This gateway answers to no page of another site.");
}

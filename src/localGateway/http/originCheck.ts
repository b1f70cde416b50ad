/** Refuses requests for another host name and from pages of other sites. */
import type { IncomingMessage } from "node:http";
import { HttpError } from "./httpError";

/** The error response, also for a request with the right key. */
export function refuseForeignRequest({ headers, socket }: IncomingMessage): HttpError | undefined {
  const names = [`127.0.0.1:${socket.localPort}`, `localhost:${socket.localPort}`];
  // DNS rebinding: a foreign name that resolves to this machine must not reach the gateway.
  if (!names.includes(headers.host ?? "")) {
    return new HttpError(403, "forbidden_host", "This gateway answers to 127.0.0.1 and localhost only.");
  }
  // Only browsers send Origin and Sec-Fetch-Site.
  const { origin, "sec-fetch-site": site = "none" } = headers;
  const isOwn = origin === undefined || names.some((name) => origin === `http://${name}`);
  if (isOwn && (site === "none" || site === "same-origin")) return undefined;
  return new HttpError(403, "forbidden_origin", "This gateway answers to no page of another site.");
}

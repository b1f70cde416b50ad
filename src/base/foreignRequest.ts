/** Whether a request to a server on this machine was meant for another host, or comes from a page of another site. */
import type { IncomingMessage } from "node:http";

/** `undefined` for a request of a program, or of a page that this server itself has served. */
export function foreignnessOf({ headers, socket }: IncomingMessage): "host" | "origin" | undefined {
  const names = [`127.0.0.1:${socket.localPort}`, `localhost:${socket.localPort}`];
  // DNS rebinding: a foreign name that resolves to this machine must not reach the server.
  if (!names.includes(headers.host ?? "")) return "host";
  // Only browsers send Origin and Sec-Fetch-Site.
  const { origin, "sec-fetch-site": site = "none" } = headers;
  const isOwn = origin === undefined || names.some((name) => origin === `http://${name}`);
  return isOwn && (site === "none" || site === "same-origin") ? undefined : "origin";
}

/** Forwards a chat request to another program on this machine, and its response byte for byte. */
import { type IncomingMessage, request as httpRequest } from "node:http";
import { pipeline } from "node:stream/promises";
import * as z from "zod/mini";
import { definedFields } from "../../../base/definedFields";
import { HttpError } from "../../http/httpError";
import type { RequestContext } from "../../http/requestContext";
import { findModel } from "../../demo/models";
import type { Relay, RelayedModel } from "./relay";

const named = z.looseObject({ model: z.string() });
/** A program that first loads the model from disk sends nothing for minutes. */
const silentMs = 600_000;

/** False for a model that is not relayed. Relayed answers are not charged. */
export async function relayChat(
  context: RequestContext,
  { relay }: { readonly relay?: Relay },
  body: unknown,
): Promise<boolean> {
  const read = named.safeParse(body);
  if (!read.success || findModel(read.data.model) !== undefined) return false;
  const relayed = relay?.find(read.data.model);
  if (relayed === undefined) return false;
  const answer = await forward(context, relayed, Buffer.from(JSON.stringify(body)));
  const { response, signal } = context;
  const type = answer.headers["content-type"];
  response.socket?.setTimeout(silentMs);
  response.writeHead(answer.statusCode ?? 502, {
    ...definedFields({ "content-type": type }),
    "cache-control": "no-store",
    "x-relayed-to": relayed.backend.name,
  });
  response.flushHeaders();
  await pipeline(answer, response, { signal });
  return true;
}

/** A program that does not respond is a 502 with its name; no other model takes its place. */
async function forward(
  { signal }: RequestContext,
  { model, backend }: RelayedModel,
  body: Buffer,
): Promise<IncomingMessage> {
  const sent = httpRequest({
    host: "127.0.0.1",
    port: backend.port,
    path: "/v1/chat/completions",
    method: "POST",
    headers: { "content-type": "application/json", "content-length": body.length },
    signal,
  });
  sent.end(body);
  try {
    return await new Promise((resolve, reject) => sent.once("response", resolve).once("error", reject));
  } catch (error) {
    if (signal.aborted) throw error;
  }
  const message = `${backend.name} on this machine does not answer any more; '${model.id}' is one of its models.`;
  throw new HttpError(502, "upstream_unreachable", message);
}

/** Serves the files of finished tasks over HTTP, with signed links instead of the key, ETags and single ranges. */
import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { HttpError } from "../http/httpError";
import type { RequestContext } from "../http/requestContext";
import { readResultFile } from "./resultFiles";
import { taskFaultsOf, type TaskServices } from "./taskServices";

export function isAssetLink(
  { params, url }: Pick<RequestContext, "params" | "url">,
  { assets }: TaskServices,
): boolean {
  return assets.isOurs(params["task_id"] ?? "", params["file"] ?? "", url.searchParams);
}

export async function serveAsset(context: RequestContext, services: TaskServices): Promise<void> {
  const { assets, tasks } = services;
  const { params, url, response, request } = context;
  const taskId = params["task_id"] ?? "";
  const file = params["file"] ?? "";
  assets.check(taskId, file, url.searchParams);
  const { task, end } = await tasks.get(taskId);
  if (end?.state !== "succeeded") throw new HttpError(404, "asset_not_found", "This task has no result.");
  const { type, bytes } = await readResultFile(task, file);
  const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
  if (taskFaultsOf(services).sendAsset(context, { type, bytes, etag })) return;
  const headers = { "content-type": type, etag, "accept-ranges": "bytes", "cache-control": "private, max-age=3600" };
  const send = (status: number, body: Buffer, more: Record<string, string> = {}): void => {
    response.writeHead(status, { ...headers, ...more, "content-length": body.length });
    response.end(request.method === "HEAD" ? undefined : body);
  };
  if (request.headers["if-none-match"] === etag) {
    response.writeHead(304, headers).end();
    return;
  }
  const range = readRange(request.headers, bytes.length, etag);
  if (range === "all") send(200, bytes);
  else if (range === "none") send(416, Buffer.alloc(0), { "content-range": `bytes */${bytes.length}` });
  else {
    const contentRange = `bytes ${range.first}-${range.last}/${bytes.length}`;
    send(206, bytes.subarray(range.first, range.last + 1), { "content-range": contentRange });
  }
}

/** Reads one byte range. For several ranges or another unit the whole file is sent, as HTTP allows. */
function readRange(
  { range, "if-range": ifRange }: IncomingHttpHeaders,
  size: number,
  etag: string,
): "all" | "none" | { readonly first: number; readonly last: number } {
  const match = /^bytes=(\d*)-(\d*)$/.exec(range ?? "");
  if (match === null || (ifRange !== undefined && ifRange !== etag)) return "all";
  const [, from = "", to = ""] = match;
  if (from === "" && to === "") return "all";
  const first = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === "" || to === "" ? size - 1 : Math.min(size - 1, Number(to));
  if (from !== "" && to !== "" && Number(to) < Number(from)) return "all";
  return first > last || first >= size ? "none" : { first, last };
}

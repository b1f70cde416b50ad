/** Results as files over HTTP: signed links, ETag, ranges. They are drawn when they are asked for, and the last ones kept. */
import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { BoundedMap } from "../../base/boundedMap";
import { HttpError } from "../http/errors";
import type { Exchange } from "../http/exchange";
import type { Services } from "../services";
import { faultKinds } from "../faults/faultTable";
import { hashText } from "../demo/seeded";
import type { StoredTask } from "./storedTask";
import { sendOddly } from "../faults/assetFaults";
import { paintPicture } from "../demo/paint";
import { encodePng } from "../demo/png";
import { drawVideo } from "../demo/video";

export function isAssetLink({ params, url }: Pick<Exchange, "params" | "url">, { assets }: Services): boolean {
  return assets.isOurs(params["task_id"] ?? "", params["file"] ?? "", url.searchParams);
}

export async function serveAsset(exchange: Exchange, { assets, tasks }: Services): Promise<void> {
  const { params, url, response, request, faults } = exchange;
  const taskId = params["task_id"] ?? "";
  const file = params["file"] ?? "";
  assets.check(taskId, file, url.searchParams);
  const { task, end } = await tasks.get(taskId);
  if (end?.state !== "succeeded") throw new HttpError(404, "asset_not_found", "This task has no result.");
  const { type, bytes } = await drawn(task, file);
  const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
  const form = faults.take(faultKinds.taskAssetForm)?.value;
  if (form !== undefined && sendOddly(form, exchange, { type, bytes })) return;
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

/** One range; several, or another unit, are answered with the whole, as HTTP allows. */
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

interface Drawn {
  readonly type: string;
  readonly bytes: Buffer;
}

/** A video has a megabyte or two. */
const cache = new BoundedMap<string, Promise<Drawn>>(12);

function drawn(task: StoredTask, file: string): Promise<Drawn> {
  const name = `${task.taskId}/${file}`;
  const found = cache.get(name) ?? draw(task, file);
  cache.set(name, found);
  found.catch(() => cache.delete(name));
  return found;
}

async function draw({ type, prompt, seed: asked, inputs }: StoredTask, file: string): Promise<Drawn> {
  // A reference is not looked at, but another one makes another picture of the same words.
  const seed = inputs === undefined ? asked : hashText("reference", asked, inputs);
  const subject = { prompt, seed, stylized: type === "stylized_image" };
  if (file === "image.png" && type !== "video") {
    return { type: "image/png", bytes: await encodePng(await paintPicture(subject, { width: 768, height: 512 })) };
  }
  if (file === "thumbnail.png") {
    return { type: "image/png", bytes: await encodePng(await paintPicture(subject, { width: 240, height: 160 })) };
  }
  if (file === "video.mp4" && type === "video") return { type: "video/mp4", bytes: await drawVideo(subject) };
  throw new HttpError(404, "asset_not_found", `There is no ${file} of this task.`);
}

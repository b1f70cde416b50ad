/** Downloads a task's result from its URL, over redirects; the key is sent to the gateway's own origin only (T8, C2). */
import { definedFields } from "../base/definedFields";
import { AppFailure } from "../domain/errors/appError";
import type { Asset, AssetRange } from "../domain/ports";
import { assetUrlOf, isAtGateway, refuseAssetUrl } from "../domain/gateway/assetUrl";
import type { HttpClient } from "./http/httpClient";
import type { HttpRequest } from "./http/httpRequest";
import type { HttpResponse } from "./http/response";

export interface DownloadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Requests only the bytes from an offset on, if the file is still the same. */
  readonly range?: AssetRange | undefined;
}

const maxRedirects = 5;
const unknownType = "application/octet-stream";

export async function downloadAsset(
  http: HttpClient,
  gateway: URL,
  text: string,
  { signal, range }: DownloadOptions = {},
): Promise<Asset> {
  if (/^data:/i.test(text)) return readDataUrl(text);
  let url = readAssetUrl(text, gateway);
  // The key is not sent after a redirect to another origin, even if a later redirect leads back.
  let withKey = url.origin === gateway.origin;
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const request: HttpRequest = {
      method: "GET",
      url,
      accept: "*/*",
      withKey,
      // Only the gateway itself may be at a private address; any other name, also a public one, could resolve to one and is refused then.
      publicOnly: !isAtGateway(url, gateway),
      signal,
      ...(range !== undefined && {
        headers: { range: `bytes=${range.from}-`, "if-range": range.validator },
        tolerates: 416,
      }),
    };
    const response = await http.send(request);
    if (range !== undefined && isOfOtherFile(response, range)) {
      await response.discard();
      return downloadAsset(http, gateway, text, { signal });
    }
    if (response.status < 300) return readAsset(response, range);
    await response.text();
    const location = isRedirect(response.status) ? response.headers.get("location") : undefined;
    if (location === undefined)
      throw response.toMalformed(`The result's address answered with status ${response.status}.`);
    url = readAssetUrl(location, gateway, url);
    withKey &&= url.origin === gateway.origin;
  }
  throw new AppFailure({ kind: "malformed", message: "The result's address redirects without end." });
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

function readAsset(response: HttpResponse, range: AssetRange | undefined): Asset {
  const { status, headers, contentType, body } = response;
  const coding = headers.get("content-encoding")?.trim().toLowerCase() || "identity";
  const mimeType = readMimeType(contentType);
  // With several codings on top of each other, a few bytes could expand until they fill the disk. No result needs more than one.
  if (coding.includes(",")) throw response.toMalformed("The result is compressed more than once.");
  if (status === 200) {
    // Length and validator are those of the compressed bytes, so they do not fit the file that is written.
    if (coding !== "identity") return { mimeType, offset: 0, body };
    const size = readLength(headers.get("content-length"));
    return { mimeType, offset: 0, body, ...definedFields({ size, validator: readValidator(headers) }) };
  }
  const { first, last = -1, total = last + 1 } = readContentRange(headers);
  if (status !== 206 || range === undefined || first !== range.from || coding !== "identity") {
    throw response.toMalformed(`The result's address answered with status ${status}, which was not asked for.`);
  }
  if (last + 1 !== total) throw response.toMalformed("The result's address sends less than the rest of the file.");
  return { mimeType, offset: first, body, size: total, validator: range.validator };
}

/**
 * Whether the response to a range request belongs to another file than the part that is here. Status 416 says that the file is shorter. Status 206
 * proves nothing, because a server may ignore `If-Range`: parts may be combined only if they have the same validator and the same total (RFC 9110,
 * 15.3.7.3). Without a validator the total decides.
 */
function isOfOtherFile({ status, headers }: HttpResponse, { validator, size }: AssetRange): boolean {
  if (status !== 206) return status === 416;
  const { total } = readContentRange(headers);
  if (total !== undefined && size !== undefined && total !== size) return true;
  const named = readValidator(headers) ?? headers.get("etag");
  return named === undefined ? total === undefined || size === undefined : named !== validator;
}

interface ContentRange {
  readonly first?: number;
  readonly last?: number;
  /** Missing where the server writes `*`. */
  readonly total?: number;
}

function readContentRange(headers: HttpResponse["headers"]): ContentRange {
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(headers.get("content-range")?.trim() ?? "") ?? [];
  if (first === undefined) return {};
  return { first: Number(first), last: Number(last), ...(total === "*" ? {} : { total: Number(total) }) };
}

/** The value for `If-Range`: a strong ETag, else the date of the last change. */
function readValidator(headers: HttpResponse["headers"]): string | undefined {
  const etag = headers.get("etag")?.trim();
  if (etag !== undefined && /^"[\x21\x23-\x7e]*"$/.test(etag)) return etag;
  const modified = headers.get("last-modified")?.trim();
  return etag === undefined && modified !== undefined && !Number.isNaN(Date.parse(modified)) ? modified : undefined;
}

function readLength(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text.trim()) ? Number(text) : undefined;
}

function readAssetUrl(text: string, gateway: URL, from?: URL): URL {
  const url =
    from === undefined ? assetUrlOf(text, gateway) : URL.canParse(text, from.href) ? new URL(text, from) : undefined;
  const problem = url === undefined ? "The result's address is no web address." : refuseAssetUrl(url, gateway, from);
  if (url !== undefined && problem === undefined) return url;
  throw new AppFailure({ kind: "malformed", message: problem ?? "", notSent: true });
}

function readMimeType(contentType: string | undefined): string {
  return contentType?.split(";")[0]?.trim().toLowerCase() || unknownType;
}

function readDataUrl(text: string): Asset {
  const comma = text.indexOf(",");
  const head = text.slice("data:".length, comma);
  const data = text.slice(comma + 1);
  const isBase64 = /;\s*base64\s*$/i.test(head);
  if (comma === -1) throw new AppFailure({ kind: "malformed", message: "The result's data URL is broken." });
  const bytes = isBase64 ? Buffer.from(data, "base64") : Buffer.from(decodePercent(data));
  const mimeType = readMimeType(head === "" ? "text/plain" : head);
  return { mimeType, offset: 0, size: bytes.length, body: once(bytes) };
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

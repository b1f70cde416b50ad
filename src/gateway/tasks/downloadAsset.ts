/** Downloads a task's result from its URL, over redirects; the key is sent to the gateway's own origin only (T8, C2). */
import { GatewayFailure } from "../../domain/errors";
import type { Asset } from "../../domain/ports";
import type { HttpClient } from "../http/httpClient";

const mostRedirects = 5;
const unknownType = "application/octet-stream";

export async function downloadAsset(
  http: HttpClient,
  origin: string,
  text: string,
  signal?: AbortSignal,
): Promise<Asset> {
  if (text.startsWith("data:")) return readDataUrl(text);
  let url = readAssetUrl(text);
  // After a redirect to another origin the key is no longer sent, also if a later redirect leads back.
  let withKey = url.origin === origin;
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const response = await http.send({ method: "GET", url, accept: "*/*", withKey, signal });
    if (response.status < 300) return { mimeType: readMimeType(response.contentType), body: response.body };
    await response.text();
    const location = response.headers.get("location");
    if (location === undefined)
      throw response.toMalformed(`The result's address answered with status ${response.status}.`);
    url = readAssetUrl(location, url);
    withKey &&= url.origin === origin;
  }
  throw new GatewayFailure({ kind: "malformed", message: "The result's address redirects without end." });
}

function readAssetUrl(text: string, base?: URL): URL {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
  if (url?.protocol === "https:" || url?.protocol === "http:") return url;
  throw new GatewayFailure({ kind: "malformed", message: "The result's address is no web address.", notSent: true });
}

function readMimeType(contentType: string | undefined): string {
  return contentType?.split(";")[0]?.trim().toLowerCase() || unknownType;
}

function readDataUrl(text: string): Asset {
  const comma = text.indexOf(",");
  const head = text.slice("data:".length, comma);
  const data = text.slice(comma + 1);
  const isBase64 = /;\s*base64\s*$/i.test(head);
  if (comma === -1) throw new GatewayFailure({ kind: "malformed", message: "The result's data URL is broken." });
  const bytes = isBase64 ? Buffer.from(data, "base64") : Buffer.from(decodePercent(data));
  return { mimeType: readMimeType(head === "" ? "text/plain" : head), body: once(bytes) };
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

/** Quirk Q-K18: result files that are refused, incomplete or of another type. */
import { HttpError } from "../../src/localGateway/http/httpError";
import { cutConnection, type RequestContext } from "../../src/localGateway/http/requestContext";

type AssetForm =
  "forbidden" | "gone" | "wrong-type" | "html" | "truncated" | "no-range" | "other-part" | "other-half" | "redirect";

interface SentAsset {
  readonly type: string;
  readonly bytes: Buffer;
  readonly etag: string;
}

/** Milliseconds: a client has read by then what came before the cut, which takes along what it has not read. */
const readTime = 30;

/** False when the ordinary response is to be sent. */
export function sendAssetFault(form: AssetForm, context: RequestContext, { type, bytes, etag }: SentAsset): boolean {
  const { response, request } = context;
  const send = (contentType: string, body: Buffer): boolean => {
    response.writeHead(200, { "content-type": contentType, "content-length": body.length });
    response.end(request.method === "HEAD" ? undefined : body);
    return true;
  };
  switch (form) {
    case "forbidden":
      throw new HttpError(403, "asset_forbidden", "This result is not for you.");
    case "gone":
      throw new HttpError(410, "asset_gone", "This result was deleted.");
    case "wrong-type":
      return send("application/octet-stream", bytes);
    case "html":
      return send("text/html; charset=utf-8", Buffer.from("<!doctype html><h1>Not here</h1>\n"));
    case "no-range":
      return send(type, bytes);
    case "truncated":
      sendHalf(context, { type, bytes, etag });
      return true;
    case "other-part": {
      const other = otherFile(bytes);
      const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? NaN);
      // Whoever asks for no part gets the right file.
      if (!(from < other.length)) return false;
      const range = `bytes ${from}-${other.length - 1}/${other.length}`;
      response.writeHead(206, { "content-type": type, "content-range": range, "content-length": other.length - from });
      response.end(other.subarray(from));
      return true;
    }
    case "other-half":
      sendHalf(context, { type, bytes: otherFile(bytes), etag: '"other"' });
      return true;
    case "redirect": {
      // The same server under the host name `localhost` is another origin.
      const { port } = new URL(`http://${request.headers.host ?? ""}`);
      const query = context.url.search;
      const location = `http://localhost:${port}${context.url.pathname}${query}`;
      if (request.headers.host?.startsWith("localhost") === true) return send(type, bytes);
      response.writeHead(302, { location, "content-length": 0 }).end();
      return true;
    }
  }
}

/** Of the same type by its first bytes, with another content and length. */
function otherFile(bytes: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, 64), bytes.subarray(64).map((byte) => byte ^ 0xff), Buffer.alloc(7)]);
}

function sendHalf(context: RequestContext, { type, bytes, etag }: SentAsset): void {
  const { response } = context;
  response.writeHead(200, { "content-type": type, "content-length": bytes.length, etag });
  response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => {
    setTimeout(() => cutConnection(context), readTime);
  });
}

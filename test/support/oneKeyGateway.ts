/** A gateway that lists models to a client with its key, and does nothing else. */
import { serve, type TestServer } from "../loopback/gateway/rawServer";

export function serveOneKey(key: string, models: readonly string[]): Promise<TestServer> {
  return serve((response, { url, headers }) => {
    response.setHeader("content-type", "application/json");
    if (headers.authorization !== `Bearer ${key}`) response.writeHead(401).end('{"error":"no"}');
    else if (url.endsWith("/models")) response.end(JSON.stringify({ data: models.map((id) => ({ id })) }));
    else response.writeHead(404).end('{"error":"unknown"}');
  });
}

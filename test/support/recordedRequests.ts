/** A server between the whole client and its gateway that keeps what is sent. */
import { serve, type TestServer } from "../loopback/gateway/rawServer";
import type { AppOverGateway } from "./appOverGateway";

/** Lets the app reach its gateway through the server from now on. */
export async function recordRequests(over: AppOverGateway): Promise<TestServer> {
  const relay = await serve((response, { method, url, headers, body }) => {
    const { host: _host, connection: _connection, "content-length": _length, ...kept } = headers;
    const sent = { method, headers: kept as Record<string, string>, ...(body === "" ? {} : { body }) };
    fetch(over.gateway.url + url, sent)
      .then(async (answer) => {
        const { "content-encoding": _encoding, "content-length": _size, ...given } = Object.fromEntries(answer.headers);
        response.writeHead(answer.status, given).end(Buffer.from(await answer.arrayBuffer()));
      })
      .catch(() => response.destroy());
  });
  over.baseUrl.set(relay.url);
  await over.connections.refresh();
  await over.app.models.load();
  return relay;
}

/** C2 (strangers C4): a gateway that wants further headers gets them with each request, and who else is asked does not. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { readRequestHeaders } from "../../../src/domain/gateway/networkSettings";
import { connectGateway } from "../../../src/gateway/httpGateway";
import { plainEndpoint } from "../../support/plainPorts";

it("C2 (strangers C4): the headers of a gateway are in its requests, beside the key, and not in those for results elsewhere", async () => {
  const seen: IncomingHttpHeaders[] = [];
  const serve = async (): Promise<{ url: string; close: () => void }> => {
    const server = createServer((request, response) => {
      seen.push(request.headers);
      request.resume();
      response.writeHead(200, { "content-type": "application/json" });
      response.end('{"data":[]}');
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const close = (): void => {
      server.closeAllConnections();
      server.close();
    };
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
  };
  const [own, other] = [await serve(), await serve()];
  const entries = [{ gateway: `${own.url}/v1`, headers: { "X-Portkey-Provider": "openai" } }];
  const network = { ...plainEndpoint.network, requestHeaders: (url: URL) => readRequestHeaders(entries, {}, url) };
  const gateway = connectGateway({ ...plainEndpoint, network, baseUrl: own.url, key: "sk-test-key" });
  try {
    await gateway.listModels();
    await gateway.getTask("task-1").catch(() => undefined);
    assert.deepEqual(
      seen.map((headers) => [headers["x-portkey-provider"], headers.authorization]),
      [
        ["openai", "Bearer sk-test-key"],
        ["openai", "Bearer sk-test-key"],
      ],
    );
    await gateway.downloadAsset(`${other.url}/a.png`).catch(() => undefined);
    assert.equal(
      seen.slice(2).some((headers) => headers["x-portkey-provider"] !== undefined),
      false,
    );
  } finally {
    await gateway.close();
    own.close();
    other.close();
  }
});

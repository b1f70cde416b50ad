/** C2 (strangers C4): a gateway that wants further headers gets them with each request, and who else is asked does not. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { readHeaderSecrets, readRequestHeaders } from "../../../src/domain/gateway/networkSettings";
import { AppFailure } from "../../../src/domain/errors/appError";
import { createHttpGateway } from "../../../src/gateway/httpGateway";
import { createFastClock } from "../../support/fastClock";
import { plainEndpoint } from "../../support/plainOptions";

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
  const gateway = createHttpGateway({ ...plainEndpoint, network, baseUrl: own.url, key: "sk-test-key" });
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

it("C2: what a gateway says back of the values of those headers is removed as the key is, and a plain word stays", async () => {
  const secret = "pk-vk-93b1c7d2e5f8";
  const [fromEnvironment, bearer] = ["hvs.CAESIJ8-tenant-7731", "Bearer sk-helicone-5x2ab9cd"];
  const server = createServer((request, response) => {
    request.resume();
    const { url = "", headers } = request;
    const echo = ["x-portkey-virtual-key", "x-tenant", "helicone-auth", "x-portkey-provider"]
      .map((name) => `${name}: ${String(headers[name])}`)
      .join("; ");
    const message = `Refused ${echo}; ${bearer.slice("Bearer ".length)}`;
    if (url.includes("/chat/") && url.includes("/v1/")) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`data: ${JSON.stringify({ error: { message, code: secret } })}\n\ndata: ${message}\n\n`);
    } else {
      response.writeHead(400, { "content-type": "application/json", "x-request-id": secret });
      response.end(JSON.stringify({ error: { message, code: fromEnvironment } }));
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const entries = [
    {
      gateway: baseUrl,
      headers: {
        "x-portkey-virtual-key": secret,
        "x-tenant": "${env:TENANT}",
        "helicone-auth": bearer,
        "x-portkey-provider": "openai-compatible",
      },
    },
  ];
  const environment = { TENANT: fromEnvironment };
  const lines: unknown[] = [];
  const note = (...line: readonly unknown[]): void => void lines.push(line);
  const network = {
    ...plainEndpoint.network,
    requestHeaders: (url: URL) => readRequestHeaders(entries, environment, url),
    headerSecrets: (url: URL) => readHeaderSecrets(entries, environment, url),
  };
  const log = { debug: note, info: note, warn: note, error: note };
  // What failed in the stream is asked again, after pauses.
  const clock = createFastClock(Date.now(), 1000);
  const gateway = createHttpGateway({ ...plainEndpoint, log, network, baseUrl, key: "sk-test-key-1234", clock });
  try {
    const failures: unknown[] = [];
    const failed = (failure: unknown): void =>
      void failures.push(failure instanceof AppFailure ? failure.error : failure);
    await gateway.listModels().catch(failed);
    await gateway.getTask("task-1").catch(failed);
    for await (const event of gateway.streamChat(
      {
        model: "m",
        family: "chat-completions",
        messages: [{ role: "user", parts: [{ type: "text", text: "hi" }] }],
        tools: [],
      },
      new AbortController().signal,
    ))
      failures.push(event);
    const shown = JSON.stringify([failures, lines]);
    assert.match(shown, /openai-compatible/);
    assert.match(shown, /\[key\]/);
    for (const hidden of [secret, fromEnvironment, bearer, bearer.slice("Bearer ".length)])
      assert.ok(!shown.includes(hidden), `${hidden} in ${shown}`);
  } finally {
    await gateway.close();
    server.closeAllConnections();
    server.close();
  }
});

it("C2: the text of a streamed answer has neither the key nor the values of those headers, also where they are split", async () => {
  const [key, secret, bearer] = ["sk-test-key-1234", "pk-vk-93b1c7d2e5f8", "Bearer sk-helicone-5x2ab9cd"];
  const said = `They are ${secret}, ${bearer} and ${key}.`;
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (let at = 0; at < said.length; at += 7) {
      const delta = { content: said.slice(at, at + 7) };
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`);
    }
    response.end('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const entries = [{ gateway: baseUrl, headers: { "x-portkey-virtual-key": secret, "helicone-auth": ` ${bearer} ` } }];
  const network = {
    ...plainEndpoint.network,
    requestHeaders: (url: URL) => readRequestHeaders(entries, {}, url),
    headerSecrets: (url: URL) => readHeaderSecrets(entries, {}, url),
  };
  const gateway = createHttpGateway({ ...plainEndpoint, network, baseUrl, key });
  try {
    let shown = "";
    for await (const event of gateway.streamChat(
      {
        model: "m",
        family: "chat-completions",
        messages: [{ role: "user", parts: [{ type: "text", text: "hi" }] }],
        tools: [],
      },
      new AbortController().signal,
    ))
      if (event.type === "text-delta") shown += event.text;
    assert.equal(shown, "They are [key], [key] and [key].");
  } finally {
    await gateway.close();
    server.closeAllConnections();
    server.close();
  }
});

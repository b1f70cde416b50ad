/** L4: models of other programs on this machine: only of those that answer as they do, by name, byte for byte, and never in place of another. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { RelayPorts } from "../../../src/localGateway/chat/relay";
import { ownPort } from "../../support/ownPort";
import { dataLines, errorCode, type GatewayUnderTest, startForTest } from "./support";

type Answers = Readonly<Record<string, (response: ServerResponse, request: IncomingMessage) => void>>;

const json =
  (body: unknown, status = 200) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
  };
const tag = (name: string): unknown => ({ name, model: name, digest: "abc", details: { family: "llama" } });
const listOf = (owner: string, ...ids: readonly string[]): unknown => ({
  object: "list",
  data: ids.map((id) => ({ id, object: "model", owned_by: owner })),
});

describe("local gateway: relay", () => {
  const servers: Server[] = [];
  let test: GatewayUnderTest | undefined;
  afterEach(async () => {
    await test?.end();
    test = undefined;
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    }
  });

  async function serve(answers: Answers, port = 0): Promise<number> {
    const server = createServer((request, response) => {
      const answer = answers[`${request.method} ${request.url}`];
      if (answer === undefined) response.writeHead(404).end("not here");
      else answer(response, request);
    });
    servers.push(server);
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    assert.ok(typeof address === "object" && address !== null);
    return address.port;
  }

  async function start(ports: Partial<RelayPorts>): Promise<GatewayUnderTest> {
    const nobody = await ownPort();
    test = await startForTest({
      relay: { ollama: nobody, lmStudio: nobody, llamaCpp: nobody, probeMs: 10_000, ...ports },
    });
    return test;
  }

  async function notes(gateway: GatewayUnderTest): Promise<string[][]> {
    const { json: body } = await gateway.ask("GET", "/v1/models");
    const data = body["data"] as { id: string; capabilities: { note: string } }[];
    return data.filter(({ id }) => !id.startsWith("demo-")).map(({ id, capabilities }) => [id, capabilities.note]);
  }

  const chat = { model: "llama3:8b", stream: true, messages: [{ role: "user", content: "hello" }], keep_alive: "5m" };

  it("L4: lists the models with the name of the program, and passes chat on untouched while it streams", async () => {
    let received = "";
    let headers: IncomingMessage["headers"] = {};
    let goOn: () => void = () => undefined;
    const port = await serve({
      "GET /v1/models": json(listOf("organization_owner", "llama3:8b", "demo-chat")),
      "POST /v1/chat/completions": (response, request) => {
        headers = request.headers;
        request.setEncoding("utf8").on("data", (text: string) => (received += text));
        request.on("end", () => {
          response.writeHead(200, { "content-type": "text/event-stream" });
          response.write(': a comment\r\ndata: {"odd" : 1}\r\n\r\n');
          goOn = () => response.end("data: [DONE]\n\n");
        });
      },
    });
    const gateway = await start({ lmStudio: port });
    assert.deepEqual(await notes(gateway), [["llama3:8b", "local: LM Studio"]], "our own name stays ours");
    const { url, key, balance } = gateway.gateway;
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(chat),
    });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    const first = await reader.read();
    assert.equal(first.value, ': a comment\r\ndata: {"odd" : 1}\r\n\r\n', "before the rest was there");
    goOn();
    assert.equal((await reader.read()).value, "data: [DONE]\n\n");
    assert.deepEqual(JSON.parse(received), chat);
    assert.ok(!JSON.stringify(headers).includes(key), "the key stays here");
    assert.deepEqual(gateway.gateway.balance, balance, "nothing was used that is paid for");
  });

  it("L4: takes LM Studio and llama.cpp by what only they answer", async () => {
    const lmStudio = await serve({
      "GET /v1/models": json(listOf("organization_owner", "qwen", "text-embedding-nomic")),
    });
    const llamaCpp = await serve({
      "GET /health": json({ status: "ok" }),
      "GET /v1/models": json(listOf("llamacpp", "gemma.gguf")),
    });
    assert.deepEqual(await notes(await start({ lmStudio, llamaCpp })), [
      ["qwen", "local: LM Studio"],
      ["gemma.gguf", "local: llama.cpp"],
    ]);
  });

  it("A14: the size of a context is what LM Studio has loaded, or could, and what llama.cpp gives a slot", async () => {
    const lmStudio = await serve({
      "GET /v1/models": json(listOf("organization_owner", "qwen", "pixtral", "bge")),
      "GET /api/v0/models": json({
        object: "list",
        data: [
          { id: "qwen", type: "llm", state: "loaded", max_context_length: 131_072, loaded_context_length: 16_384 },
          { id: "pixtral", type: "vlm", state: "not-loaded", max_context_length: 32_768, capabilities: ["tool_use"] },
          { id: "bge", type: "embeddings", state: "not-loaded", max_context_length: 512 },
        ],
      }),
    });
    const llamaCpp = await serve({
      "GET /health": json({ status: "ok" }),
      "GET /v1/models": json(listOf("llamacpp", "gemma.gguf")),
      "GET /props": json({
        default_generation_settings: { id: 0, n_ctx: 4096, params: {} },
        total_slots: 1,
        modalities: { vision: false, audio: false },
      }),
    });
    const { json: body } = await (await start({ lmStudio, llamaCpp })).ask("GET", "/v1/models");
    const data = body["data"] as { id: string; capabilities: Record<string, unknown> }[];
    const facts = data.map(({ id, capabilities: own }) => [id, own["context_size"], own["tools"], own["images"]]);
    assert.deepEqual(
      facts.filter(([id]) => !String(id).startsWith("demo-")),
      [
        ["qwen", 16_384, undefined, false],
        ["pixtral", 32_768, true, true],
        ["gemma.gguf", 4096, undefined, false],
      ],
    );
  });

  it("L4: another service on the port is not taken, nor one that is still starting or never answers", async () => {
    const wrong: Partial<RelayPorts>[] = [
      { ollama: await serve({ "GET /api/tags": json({ models: [{ name: "x" }] }) }) },
      { ollama: await serve({ "GET /api/tags": json([tag("x")]) }) },
      {
        ollama: await serve({
          "GET /api/tags": (response) => response.setHeader("content-type", "text/html").end('{"models":[]}'),
        }),
      },
      { lmStudio: await serve({ "GET /v1/models": json(listOf("somebody", "x")) }) },
      { llamaCpp: await serve({ "GET /health": json({ status: "loading model" }, 503) }) },
      {
        llamaCpp: await serve({
          "GET /health": json({ status: "ok" }),
          "GET /v1/models": json(listOf("somebody", "x")),
        }),
      },
      { ollama: await serve({ "GET /api/tags": () => undefined }), probeMs: 300 },
      {
        ollama: await serve({
          "GET /api/tags": (response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
        }),
      },
    ];
    for (const ports of wrong) {
      const gateway = await start(ports);
      assert.deepEqual(await notes(gateway), [], JSON.stringify(ports));
      const refused = await gateway.ask("POST", "/v1/chat/completions", { ...chat, model: "x" });
      assert.deepEqual([refused.status, errorCode(refused)], [404, "model_not_found"]);
      await gateway.end();
    }
  });

  it("L4: a program that has gone is an error that names it; nobody answers in its place", async () => {
    const tags = { "GET /api/tags": json({ models: [tag("llama3:8b")] }) };
    const gateway = await start({ ollama: await serve(tags, await ownPort()) });
    const server = servers.pop()!;
    server.closeAllConnections();
    server.close();
    await once(server, "close");
    const gone = await gateway.ask("POST", "/v1/chat/completions", chat);
    assert.deepEqual([gone.status, errorCode(gone)], [502, "upstream_unreachable"]);
    assert.match(gone.text, /Ollama.*llama3:8b/);
    assert.deepEqual(await notes(gateway), [], "the list looks again");
    const own = await gateway.ask("POST", "/v1/chat/completions", { ...chat, model: "demo-chat" });
    assert.equal(dataLines(own.text).at(-1), "[DONE]");
  });

  it("L4: the program is left alone when the client hangs up, and nobody is looked for who was not asked for", async () => {
    let left: Promise<unknown> | undefined;
    let asked = 0;
    const port = await serve({
      "GET /api/tags": (response) => {
        asked += 1;
        json({ models: [tag("llama3:8b")] })(response);
      },
      "POST /api/chat": (response) => {
        left = once(response, "close");
        response
          .writeHead(200, { "content-type": "application/x-ndjson" })
          .write('{"message":{"content":"1"},"done":false}\n');
      },
    });
    const gateway = await start({ ollama: port });
    assert.equal(asked, 1, "at the start");
    const giveUp = new AbortController();
    const { url, key } = gateway.gateway;
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(chat),
      signal: giveUp.signal,
    });
    await response.body!.getReader().read();
    giveUp.abort();
    await left;
    assert.equal(asked, 1, "a chat request does not look again");
    const plain = await startForTest();
    assert.deepEqual(await notes(plain), []);
    await plain.end();
    assert.equal(asked, 1);
  });
});

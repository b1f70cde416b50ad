/** Measures what a turn with one `read_file` costs in a real window, against a gateway of this process, for `npm run bench -- turn`. */
import { once } from "node:events";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Frame } from "playwright-core";
import { temporaryFolder } from "../../scripts/workspace.mjs";
import { setKey } from "./setKey";
import { openWindow } from "./window";

export interface TurnTimes {
  /** CPU of the extension host from Enter to the last byte of the request. */
  readonly sent: number;
  /** The time from the write of an answer's first byte until it is painted. */
  readonly painted: number;
  /** CPU of the extension host from the first byte of a call to the last byte of the request with its result. */
  readonly round: number;
}

interface Mark {
  readonly what: "sent" | "received";
  readonly cpu: number;
}

/** Yields the milliseconds of each turn, one after the other in one chat. */
export async function* measureTurns(times: number): AsyncGenerator<TurnTimes> {
  const gateway = await startGateway();
  const window = await openWindow({
    toasts: true,
    extensionsDir: await installMeter(),
    environment: { SLUICE_BENCH_TURN: gateway.url },
    settings: { "sluice.baseUrl": `${gateway.url}/v1`, "sluice.models": [{ id: model }] },
  });
  try {
    await window.showContainer("Sluice");
    const chat = await window.frameWith("textarea");
    const missing = chat.locator(".notice").getByText("No API key is set for this gateway.");
    await missing.waitFor();
    await setKey(window, "sk-Tq7mWz3RkX9vLp2Bn8Yc5Hd1-Gf6Js4Ua0Eo");
    await missing.waitFor({ state: "hidden" });
    const meter = `http://127.0.0.1:${await gateway.meter}`;
    for (let turn = 1; turn <= times; turn += 1) yield await measureTurn(chat, gateway, meter, `Turn ${turn}.`);
  } finally {
    await window.page.context().browser()?.close();
    await window.server.stop();
    gateway.close();
  }
}

async function measureTurn(chat: Frame, gateway: BenchGateway, meter: string, prompt: string): Promise<TurnTimes> {
  const composer = chat.getByRole("textbox", { name: "Prompt" });
  await composer.fill(prompt);
  await fetch(`${meter}/begin`);
  const painted = chat.evaluate<number>(whenPainted(answerTo(prompt)));
  await composer.press("Enter");
  const paintedAt = await painted;
  await chat.locator(".row.answer").last().locator(".footer").waitFor();
  const marks = (await (await fetch(`${meter}/marks`)).json()) as readonly Mark[];
  const [sent = NaN, next = NaN] = marks.filter(({ what }) => what === "sent").map(({ cpu }) => cpu);
  const received = marks.find(({ what }) => what === "received")?.cpu ?? NaN;
  return { sent, round: next - received, painted: paintedAt - gateway.answeredAt() };
}

/** A program for the page: the time when a frame with this text was painted. */
const whenPainted = (text: string): string => `new Promise((resolve) => {
  const observer = new MutationObserver(() => {
    if (!document.querySelector(".rows")?.textContent.includes(${JSON.stringify(text)})) return;
    observer.disconnect();
    // The page draws in the callbacks of a frame: the next task begins when that frame is painted.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(Date.now());
    port2.postMessage(undefined);
  });
  observer.observe(document.body, { subtree: true, childList: true, characterData: true });
})`;

async function installMeter(): Promise<string> {
  const folder = await temporaryFolder();
  const home = path.join(folder, "bench.meter-0.0.1");
  await mkdir(home);
  await copyFile(path.resolve("bench", "turn", "meter.cjs"), path.join(home, "meter.cjs"));
  const manifest = {
    ...{ name: "meter", publisher: "bench", version: "0.0.1", engines: { vscode: "^1.106.0" } },
    ...{ main: "./meter.cjs", activationEvents: ["onStartupFinished"] },
  };
  await writeFile(path.join(home, "package.json"), JSON.stringify(manifest));
  return folder;
}

const model = "bench";
const answerTo = (prompt: string): string => `Read for ${prompt}`;

interface BenchGateway {
  readonly url: string;
  /** The port of the meter, once it has reported it. */
  readonly meter: Promise<string>;
  /** The time when the last sentence was written. */
  answeredAt(): number;
  close(): void;
}

/** Milliseconds before each piece of an answer, like those of a model: what came before is drawn by then. */
const pause = 200;

/** A prompt is answered with a call of `read_file`, its result with a sentence. */
async function startGateway(): Promise<BenchGateway> {
  let answeredAt = NaN;
  let tell: (port: string) => void = () => undefined;
  const meter = new Promise<string>((resolve) => (tell = resolve));
  const server = createServer((request, response) => {
    void readBody(request).then(async (body) => {
      if (request.url === "/meter") {
        tell(body);
        response.end();
      } else if (request.url === "/v1/chat/completions") {
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (const piece of answerOf(JSON.parse(body) as ChatBody)) {
          await delay(pause);
          if (piece.includes(answerTo(""))) answeredAt = Date.now();
          response.write(piece);
        }
        response.end();
      } else if (request.url === "/v1/models") {
        const data = [{ id: model, object: "model", created: 1, owned_by: "bench" }];
        response.setHeader("content-type", "application/json").end(JSON.stringify({ object: "list", data }));
      } else response.writeHead(404).end();
    });
  });
  const url = await listen(server);
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url, meter, answeredAt: () => answeredAt, close };
}

async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request.setEncoding("utf8")) text += String(part);
  return text;
}

interface ChatBody {
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
}

/** A call in one piece of the stream, a sentence in one and its end in another. */
function answerOf({ messages }: ChatBody): readonly string[] {
  const chunk = (delta: object, finish: string | null): string => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    return `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model, choices })}\n\n`;
  };
  const done = "data: [DONE]\n\n";
  const prompt = /Turn \d+\./.exec(JSON.stringify(messages.findLast(({ role }) => role === "user")?.content))?.[0];
  if (prompt === undefined || messages.at(-1)?.role === "tool")
    return [chunk({ role: "assistant", content: answerTo(prompt ?? "") }, null), chunk({}, "stop") + done];
  const call = { name: "read_file", arguments: JSON.stringify({ path: "src/greeting.ts" }) };
  const calls = [{ index: 0, id: `call_${messages.length}`, type: "function", function: call }];
  return [chunk({ role: "assistant", tool_calls: calls }, null) + chunk({}, "tool_calls") + done];
}

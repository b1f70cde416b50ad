/** A gateway behind TLS and a proxy in front of it, on real sockets. Names that end in `.test` exist for this proxy only. */
import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { once } from "node:events";
import path from "node:path";
import type { Duplex } from "node:stream";

/** Made for these tests; valid for gateway.test, localhost and 0.0.0.0. The root is the repository's. */
const tlsFile = (name: string, root = "."): string => path.resolve(root, "test", "fixtures", "tls", name);
export const testsOnlyCa = (root?: string): string => tlsFile("testsOnlyCa.pem", root);
export const identity = (root?: string): { key: Buffer; cert: Buffer } => ({
  key: readFileSync(tlsFile("testsOnlyServer.key.pem", root)),
  cert: readFileSync(tlsFile("testsOnlyServer.pem", root)),
});

interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

export interface TestProxy extends Listening {
  /** Every request that the proxy itself was sent: tunnels by their target, others by their whole URL. */
  readonly asked: { readonly method: string; readonly target: string; readonly headers: IncomingHttpHeaders }[];
  /** What clients sent into the tunnels. */
  readonly relayed: Buffer[];
}

export async function serveTls(answer: RequestListener, root?: string): Promise<Listening> {
  return listen(createTlsServer(identity(root), answer));
}

/** `answer` is the status of CONNECT, or `silent`, or `hang-up`; with a `login` (`name:password`), only for clients that send it. */
export async function serveProxy(
  options: { readonly tls?: boolean; readonly answer?: number | "silent" | "hang-up"; readonly login?: string } = {},
): Promise<TestProxy> {
  const { login } = options;
  const wanted = login === undefined ? undefined : `Basic ${Buffer.from(login).toString("base64")}`;
  const asked: TestProxy["asked"] = [];
  const relayed: Buffer[] = [];
  const onRequest: RequestListener = ({ method = "", url = "", headers }, response) => {
    asked.push({ method, target: url, headers });
    response.writeHead(200, { "content-type": "image/png" }).end("by proxy");
  };
  const server = options.tls === true ? createTlsServer(identity(), onRequest) : createServer(onRequest);
  server.on("connect", ({ url = "", headers }: { url?: string; headers: IncomingHttpHeaders }, client: Duplex) => {
    asked.push({ method: "CONNECT", target: url, headers });
    client.on("error", () => undefined);
    const answer = wanted === undefined || headers["proxy-authorization"] === wanted ? (options.answer ?? 200) : 407;
    if (answer === "silent") return;
    if (answer === "hang-up") return void client.destroy();
    if (answer !== 200) return void client.end(`HTTP/1.1 ${answer} No\r\ncontent-length: 0\r\n\r\n`);
    const target = connect(Number(url.split(":").at(-1)), "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      client.on("data", (piece: Buffer) => relayed.push(piece));
      client.pipe(target).pipe(client);
    });
    const end = (): void => {
      client.destroy();
      target.destroy();
    };
    target.on("error", end).on("close", end);
    client.on("close", end);
  });
  return Object.assign(await listen(server), { asked, relayed });
}

async function listen(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

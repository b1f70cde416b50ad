/** A SOCKS5 proxy on a real socket that does what a test says, and remembers what it was asked. Every name leads to this machine. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface TestSocks {
  readonly port: number;
  /** `name:password` of each client that logged in. */
  readonly logins: string[];
  /** Where each client wanted to go, as it named it. */
  readonly targets: string[];
  /** What clients sent on. */
  readonly relayed: Buffer[];
  close(): Promise<void>;
}

export interface SocksBehaviour {
  /** Asks for a login and takes only this one. */
  readonly login?: string;
  /** The reply to the wish for a connection. */
  readonly reply?: number;
  /** Ends or falls silent after so many messages of the client. */
  readonly stopAfter?: number;
  readonly stop?: "hang-up" | "silent";
  /** Address type, address and port that the proxy reports for its own end of the connection. */
  readonly bound?: readonly number[];
  /** Sends each answer byte by byte. */
  readonly slowly?: boolean;
  /** The first byte of the first answer. */
  readonly version?: number;
}

export async function serveSocks(behaviour: SocksBehaviour = {}, host = "127.0.0.1"): Promise<TestSocks> {
  const sockets = new Set<Socket>();
  const [logins, targets, relayed]: [string[], string[], Buffer[]] = [[], [], []];
  const server = createServer((client) => {
    sockets.add(client);
    client.on("error", () => undefined);
    void speak(client, behaviour, { logins, targets, relayed }).catch(() => client.destroy());
  });
  server.listen(0, host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    logins,
    targets,
    relayed,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

async function speak(
  client: Socket,
  { login, reply = 0, stopAfter, stop, bound = [1, 0, 0, 0, 0, 0, 0], slowly, version = 5 }: SocksBehaviour,
  seen: Pick<TestSocks, "logins" | "targets" | "relayed">,
): Promise<void> {
  let messages = 0;
  const hear = async (length: number): Promise<Buffer> => {
    for (;;) {
      const bytes = client.read(length) as Buffer | null;
      if (bytes !== null) return bytes;
      await (client.readableLength > 0 ? new Promise(setImmediate) : once(client, "readable"));
    }
  };
  const say = async (...bytes: number[]): Promise<void> => {
    messages += 1;
    if (messages === stopAfter) {
      if (stop === "hang-up") client.destroy();
      await once(client, "close");
    }
    for (const piece of slowly === true ? bytes.map((byte) => [byte]) : [bytes]) {
      await new Promise((resolve) => client.write(Buffer.from(piece), resolve));
      await new Promise(setImmediate);
    }
  };

  const [, methods = 0] = await hear(2);
  const offered = [...(await hear(methods))];
  const method = login === undefined ? 0 : 2;
  await say(version, offered.includes(method) ? method : 255);
  if (login !== undefined) {
    const name = (await hear((await hear(2))[1] ?? 0)).toString();
    const said = `${name}:${(await hear((await hear(1))[0] ?? 0)).toString()}`;
    seen.logins.push(said);
    await say(1, said === login ? 0 : 1);
  }
  const [, , , kind] = await hear(4);
  const address = await hear(kind === 1 ? 4 : kind === 4 ? 16 : ((await hear(1))[0] ?? 0));
  const port = (await hear(2)).readUInt16BE();
  seen.targets.push(`${kind === 3 ? address.toString() : address.toString("hex")}:${port}`);
  await say(5, reply, 0, ...bound);
  const target = connect(port, "127.0.0.1");
  const end = (): void => {
    client.destroy();
    target.destroy();
  };
  target.on("error", end).on("close", end);
  client.on("close", end).on("data", (piece: Buffer) => seen.relayed.push(piece));
  client.pipe(target).pipe(client);
}

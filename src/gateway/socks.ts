/** The words that open a way through a SOCKS5 proxy (RFC 1928), with a user name and a password where there are some (RFC 1929). */
import { isIP, type Socket } from "node:net";
import { abortReason } from "../base/abort";
import { bareHost, portOf } from "./proxyChoice";

export interface SocksLogin {
  readonly name: string;
  readonly password: string;
}

const version = 5;
const withoutLogin = 0;
const withLogin = 2;
const addressKinds = { ipv4: 1, name: 3, ipv6: 4 } as const;

const refusals: Readonly<Record<number, string>> = {
  1: "The proxy failed",
  2: "The proxy does not allow this connection",
  3: "The network can't be reached",
  4: "The host can't be reached or is not known",
  5: "Nothing listens at this address",
  6: "The way there is too long",
  7: "The proxy makes no such connections",
  8: "The proxy does not know this kind of address",
};

/** What is sent on `socket` afterwards goes to `target`, whose name the proxy looks up. Rejects with what the proxy said. */
export async function openSocks(
  socket: Socket,
  target: URL,
  login: SocksLogin | undefined,
  signal: AbortSignal,
): Promise<void> {
  const read = (length: number): Promise<Buffer> => readBytes(socket, length, signal);
  const methods = login === undefined ? [withoutLogin] : [withLogin, withoutLogin];
  socket.write(Buffer.from([version, methods.length, ...methods]));
  const [spoken, method] = await read(2);
  if (spoken !== version) throw new Error("The proxy does not speak SOCKS5.");
  if (method === withLogin && login !== undefined) {
    socket.write(Buffer.concat([Buffer.from([1]), measured(login.name), measured(login.password)]));
    const [, refused] = await read(2);
    if (refused !== 0) throw new Error("The user name or the password was refused.");
  } else if (method !== withoutLogin) {
    throw new Error(login === undefined ? "A user name and a password are asked for." : "No way to log in is shared.");
  }
  const port = Number(portOf(target));
  const asked = Buffer.concat([
    Buffer.from([version, 1, 0]),
    writeAddress(target),
    Buffer.from([port >> 8, port & 255]),
  ]);
  socket.write(asked);
  const [, refusal = 1, , kind] = await read(4);
  if (refusal !== 0) throw new Error(`${refusals[refusal] ?? "The connection was refused"} (SOCKS reply ${refusal}).`);
  // Where the proxy itself stands now: of no interest, but it must not be taken for the answer.
  const length = kind === addressKinds.ipv4 ? 4 : kind === addressKinds.ipv6 ? 16 : (await read(1))[0];
  await read((length ?? 0) + 2);
}

function writeAddress({ hostname }: URL): Buffer {
  const host = bareHost(hostname);
  switch (isIP(host)) {
    case 4:
      return Buffer.from([addressKinds.ipv4, ...host.split(".").map(Number)]);
    case 6:
      return Buffer.concat([Buffer.from([addressKinds.ipv6]), writeIpv6(host)]);
    default:
      return Buffer.concat([Buffer.from([addressKinds.name]), measured(host)]);
  }
}

/** In the form that a URL gives it: groups of hexadecimal digits, `::` for a row of zeros. */
function writeIpv6(host: string): Buffer {
  const [before = [], after = []] = host.split("::").map((half) => half.split(":").filter((group) => group !== ""));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  return Buffer.from([...before, ...zeros, ...after].map((group) => group.padStart(4, "0")).join(""), "hex");
}

/** Its length in one byte, then itself. */
function measured(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length > 255) throw new Error("A name or password is too long for a SOCKS proxy.");
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

/** Exactly so many: what follows them stays in the socket. */
function readBytes(socket: Socket, length: number, signal: AbortSignal): Promise<Buffer> {
  let bytes = Buffer.alloc(0);
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const onData = (piece: Buffer): void => {
    bytes = Buffer.concat([bytes, piece]);
    if (bytes.length >= length) resolve(bytes);
  };
  const onEnd = (): void => reject(new Error("The connection was closed."));
  const onAbort = (): void => reject(abortReason(signal));
  socket.on("data", onData).on("error", reject).on("end", onEnd).on("close", onEnd).resume();
  signal.addEventListener("abort", onAbort);
  return promise
    .finally(() => {
      socket.pause().off("data", onData).off("error", reject).off("end", onEnd).off("close", onEnd);
      signal.removeEventListener("abort", onAbort);
    })
    .then((read) => {
      if (read.length > length) socket.unshift(read.subarray(length));
      return read.subarray(0, length);
    });
}

/** Ports of 127.0.0.1 that no other process gets by chance: they are below those that the system gives to whoever names none. */
import { once } from "node:events";
import { createServer } from "node:net";

const lowest = 20_000;
/** Suites run at the same time, so each process has ports of its own. */
const perProcess = 20;
const processes = 600;

let taken = 0;

/** A port on which nothing listens, now and later, unless the test itself starts something there. */
export async function ownPort(): Promise<number> {
  for (let attempt = 0; attempt < perProcess; attempt += 1) {
    const port = lowest + (process.pid % processes) * perProcess + (taken % perProcess);
    taken += 1;
    if (await isFree(port)) return port;
  }
  throw new Error("other programs listen on all ports of this process");
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}

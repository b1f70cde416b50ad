/** One gateway to a state folder: a file says which process, and the port of that process says whether it is really a gateway. */
import { createHmac, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { open, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Identity } from "./identity";

export interface StateLock {
  /** Throws `StateLost` when another process holds the folder now; called before each write. */
  check(): void;
  /** Resolves when `check` has found it so. */
  readonly lost: Promise<unknown>;
  /** Leaves the lock of another process where it is. */
  release(): Promise<void>;
}

/** This process did not answer for a while, and another one took the folder: what is known here is out of date. */
class StateLost extends Error {
  override readonly name = "StateLost";

  constructor() {
    super("Another gateway has taken over this state.");
  }
}

/** Another gateway works on the folder; this is where it is. */
export class StateInUse extends Error {
  override readonly name = "StateInUse";
  readonly url: string;
  readonly key: string;

  constructor(url: string, key: string) {
    super(`This state is in use by the gateway at ${url}.`);
    this.url = url;
    this.key = key;
  }
}

const startingMs = 10_000;
const tries = 20;

/** Takes the folder, also from a process that was killed; rejects with `StateInUse` when its gateway lives. `identity` is read again each time: the other may be just starting. */
export async function lockState(stateDir: string, identity: () => Promise<Identity>): Promise<StateLock> {
  const path = join(stateDir, "lock");
  for (let attempt = 0; attempt < tries; attempt += 1) {
    if (await createLock(path)) return heldLock(path);
    const { port, secret, key } = await identity();
    if ((await isOwnerAlive(path)) && port !== undefined) {
      const url = `http://127.0.0.1:${port}`;
      if (await isGateway(url, secret)) throw new StateInUse(url, key);
    }
    if (!(await isFresh(path)) && (await takeOver(path))) return heldLock(path);
    await new Promise((resolve) => setTimeout(resolve, startingMs / tries));
  }
  throw new Error(`Another process holds ${path} and does not answer.`);
}

function heldLock(path: string): StateLock {
  const { promise: lost, resolve: lose } = Promise.withResolvers<undefined>();
  const isHeld = (): boolean => {
    try {
      return readFileSync(path, "utf8") === ownLine;
    } catch {
      return false;
    }
  };
  return {
    lost,
    check() {
      if (isHeld()) return;
      lose(undefined);
      throw new StateLost();
    },
    async release() {
      if (isHeld()) await rm(path, { force: true });
    },
  };
}

const ownLine = `${process.pid}\n`;

/** Only one at a time removes a dead owner's lock: the next would remove the lock of the first. */
async function takeOver(path: string): Promise<boolean> {
  const guard = `${path}.takeover`;
  if (!(await createLock(guard))) {
    if (!(await isFresh(guard))) await rm(guard, { force: true });
    return false;
  }
  try {
    if (await isFresh(path)) return false;
    await rm(path, { force: true });
    return await createLock(path);
  } finally {
    await rm(guard, { force: true });
  }
}

/** What a gateway answers to a nonce: proof that it knows the secret, without the key on the line. */
export function proofOf(secret: string, nonce: string): string {
  return createHmac("sha256", secret).update(`hello ${nonce}`).digest("base64url");
}

async function createLock(path: string): Promise<boolean> {
  try {
    const file = await open(path, "wx", 0o600);
    await file.writeFile(ownLine);
    await file.close();
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

async function isOwnerAlive(path: string): Promise<boolean> {
  const pid = Number(await readFile(path, "utf8").catch(() => ""));
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Not ours to signal, but there.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** The owner is alive and has not had the time to answer on its port yet. */
async function isFresh(path: string): Promise<boolean> {
  if (!(await isOwnerAlive(path))) return false;
  const made = await stat(path).catch(() => undefined);
  return made !== undefined && Date.now() - made.mtimeMs < startingMs;
}

async function isGateway(url: string, secret: string): Promise<boolean> {
  const nonce = randomBytes(16).toString("base64url");
  try {
    const response = await fetch(`${url}/_local/hello?nonce=${nonce}`, { signal: AbortSignal.timeout(2_000) });
    return (await response.text()) === JSON.stringify({ proof: proofOf(secret, nonce) });
  } catch {
    return false;
  }
}

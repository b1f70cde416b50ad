/** One gateway per state folder: a lock file holds the process id, and a request to its port proves that the process is a gateway. */
import { createHmac, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { open, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isProcessAlive } from "../../base/processAlive";
import { hasSystemCode } from "../../base/systemErrors";
import type { Identity } from "./identity";

export interface StateLock {
  /** Throws `StateLost` when another process holds the lock; called inside each transaction. */
  check(): void;
  /** Resolves when `check` has found the lock lost. */
  readonly lost: Promise<unknown>;
  /** Never removes the lock of another process. */
  release(): Promise<void>;
}

/** Another process has taken the lock while this one was not responding. */
class StateLost extends Error {
  override readonly name = "StateLost";

  constructor() {
    super("Another gateway has taken over this state.");
  }
}

/** Another gateway holds the folder; `url` and `key` reach it. */
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

/** Takes the lock, also from a killed process; rejects with `StateInUse` while its gateway responds. `identity` is read on each attempt, because the other process may just be starting. */
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

/** Serialized by a second lock file: without it a process could remove the lock that another one has just taken over. */
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

/** The response to a nonce: proves knowledge of the secret without sending the key. */
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
    if (hasSystemCode(error, "EEXIST")) return false;
    throw error;
  }
}

async function isOwnerAlive(path: string): Promise<boolean> {
  return isProcessAlive(Number(await readFile(path, "utf8").catch(() => "")));
}

/** The owner is alive and may not listen on its port yet. */
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

/** Locks a state folder for one gateway. A process that finds it locked gets the gateway's address once that has proved its identity. */
import { createHmac, randomBytes } from "node:crypto";
import { join } from "node:path";
import { systemClock } from "../../base/async/systemClock";
import { FileLock } from "../../base/database/fileLock";
import { deriveSecrets, type Identity } from "./identity";

/** Thrown when another gateway holds the folder; `url` and `key` are those of that gateway. */
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

/**
 * Rejects with `StateInUse` while the gateway that holds the lock responds. `identity` is read on each attempt, because the other process
 * may just be starting.
 */
export async function lockState(stateDir: string, identity: () => Promise<Identity>): Promise<FileLock> {
  const path = join(stateDir, "lock.db");
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const lock = FileLock.take(path);
    if (lock !== undefined) return lock;
    const known = await identity();
    const url = `http://127.0.0.1:${known.port}`;
    if (known.port !== undefined && (await isGateway(url, deriveSecrets(known).hello)))
      throw new StateInUse(url, known.key);
    await systemClock.delay(startingMs / tries);
  }
  throw new Error(`Another process holds ${path} and does not answer.`);
}

/** The response to a nonce, which proves knowledge of the secret without sending the key. */
export function proofOf(secret: string, nonce: string): string {
  return createHmac("sha256", secret).update(`hello ${nonce}`).digest("base64url");
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

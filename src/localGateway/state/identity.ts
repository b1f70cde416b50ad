/** The identity of a gateway across restarts: its key, its signing secret and its last port. */
import { hkdfSync, randomBytes } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { parseJson } from "../../base/jsonValue";
import { writeAtomically } from "../../base/privateFile";
import { isMissingFile } from "../../base/systemErrors";

const identitySchema = z.object({
  key: z.string().check(z.minLength(1)),
  secret: z.string().check(z.minLength(1)),
  port: z.optional(z.int()),
});
export type Identity = z.infer<typeof identitySchema>;

/** One secret per purpose, so that a signature for one is invalid for the others. */
export interface Secrets {
  readonly assetLinks: string;
  readonly signatures: string;
  readonly hello: string;
}

export function deriveSecrets({ secret }: Identity): Secrets {
  const derive = (purpose: string): string =>
    Buffer.from(hkdfSync("sha256", secret, "", `sluice local gateway: ${purpose}`, 32)).toString("base64url");
  return { assetLinks: derive("asset links"), signatures: derive("signatures"), hello: derive("hello") };
}

/** Reads the stored identity or creates it. `key` replaces the stored one. */
export async function loadIdentity(stateDir: string, key?: string): Promise<Identity> {
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  const kept = await readKept(stateDir);
  const identity = kept ?? { key: createKey(), secret: randomToken() };
  const wanted = key === undefined ? identity : { ...identity, key };
  if (wanted !== kept) await saveIdentity(stateDir, wanted);
  return wanted;
}

export async function saveIdentity(stateDir: string, identity: Identity): Promise<void> {
  await writeAtomically(stateDir, fileName, `${JSON.stringify(identity)}\n`);
}

const fileName = "gateway.json";
const randomToken = (): string => randomBytes(24).toString("base64url");
export const createKey = (): string => `sk-local-${randomToken()}`;

/** `undefined` also for an empty or torn file, which a crash of the machine may leave: a new key is better than no start. Rejects for another JSON. */
async function readKept(stateDir: string): Promise<Identity | undefined> {
  const text = await readFile(join(stateDir, fileName), "utf8").catch((error: unknown) => {
    if (isMissingFile(error)) return "";
    throw error;
  });
  const value = parseJson(text);
  return value === undefined ? undefined : identitySchema.parse(value);
}

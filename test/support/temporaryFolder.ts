/** A temporary folder for one test. */
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TemporaryFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** `isPlain`: a path that lines for a shell, on Linux, name without quotes. */
export async function createTemporaryFolder({ isPlain = false } = {}): Promise<TemporaryFolder> {
  const parent = isPlain && /[^\w./-]/.test(tmpdir()) ? "/tmp" : tmpdir();
  const path = await realpath(await mkdtemp(join(parent, "sluice-test-")));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

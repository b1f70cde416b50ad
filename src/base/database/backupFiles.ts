/** The copies of a database that lie beside it, one a day: which there are, and which go. */
import { readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** How many days are kept. */
const kept = 2;

/** `2026-11-21`, UTC. */
export function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

export function backupPath(path: string, day: string): string {
  return `${path}.backup-${day}`;
}

/** Newest day first. */
export async function listBackups(path: string): Promise<readonly string[]> {
  const prefix = `${basename(path)}.backup-`;
  const names = await readdir(dirname(path)).catch(() => []);
  return names
    .filter((name) => name.startsWith(prefix) && /^\d{4}-\d{2}-\d{2}$/.test(name.slice(prefix.length)))
    .sort()
    .reverse()
    .map((name) => join(dirname(path), name));
}

/** Keeps the backup of `day` and the one before it. Days that are still to come were written under a wrong clock. */
export async function pruneBackups(path: string, day: string): Promise<void> {
  const all = await listBackups(path);
  const newest = backupPath(path, day);
  const past = all.filter((file) => file <= newest);
  const future = all.filter((file) => file > newest);
  for (const file of [...past, ...future].slice(kept)) await rm(file, { force: true });
}

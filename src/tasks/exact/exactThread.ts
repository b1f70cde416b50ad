/** The program of the thread that makes exact files: reads the result, writes what is made of it into a folder, and ends. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { makeExact } from "./makeExact";
import type { ExactWork } from "./runExact";
import { createWasmCodecs } from "./wasmCodecs";

const { source, folder, targets } = workerData as ExactWork;
const made = await makeExact(await readFile(source), targets, createWasmCodecs());
const paths: (string | undefined)[] = [];
for (const [index, bytes] of made.entries()) {
  const path = join(folder, String(index));
  if (bytes) await writeFile(path, bytes, { flag: "wx", mode: 0o600 });
  paths.push(bytes && path);
}
parentPort?.postMessage(paths);

/** The program of the thread that makes exact files: reads the result, writes what is made of it into a folder, and ends. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { makeExact } from "./makeExact";
import type { ExactWork } from "./runExact";
import { markCopy } from "../results/taskMarks";
import { createWasmCodecs } from "./wasmCodecs";

const { source, folder, targets, marks } = workerData as ExactWork;
const original = await readFile(source);
const made = await makeExact(original, targets, createWasmCodecs());
const paths: (string | undefined)[] = [];
for (const [index, bytes] of made.entries()) {
  const path = join(folder, String(index));
  if (bytes) await writeFile(path, markCopy(bytes, original, marks), { flag: "wx", mode: 0o600 });
  paths.push(bytes && path);
}
parentPort?.postMessage(paths);

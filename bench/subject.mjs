// Builds and runs a bench's subject. This is a program of its own, so that nothing else is in its memory, and prints what it measured as JSON.
import { build } from "esbuild";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** Options for code that runs in Node, with the product's own packages inside. */
export const nodeBundle = {
  bundle: true,
  platform: /** @type {const} */ ("node"),
  target: "node22",
  mainFields: ["module", "main"],
  loader: { ".mp4": /** @type {const} */ ("base64") },
  logLevel: /** @type {const} */ ("error"),
};

/** Gives the work of a suite an empty folder, and removes it afterwards. @template T @param {(folder: string) => Promise<T>} work */
export async function inFolder(work) {
  const folder = await mkdtemp(path.join(tmpdir(), "bench-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Bundles the subject of that suite and resolves with its path. @param {string} suite @param {string} folder */
export async function buildSubject(suite, folder) {
  const outfile = path.join(folder, "subject.mjs");
  await build({
    ...nodeBundle,
    format: "esm",
    entryPoints: [path.join(import.meta.dirname, suite, "subject.mjs")],
    outfile,
    // undici and what it requires are CommonJS.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  return outfile;
}

/** Resolves with what it printed, `undefined` for nothing. Rejects when the program fails. @param {readonly string[]} args of Node @returns {Promise<any>} */
export async function measureSubject(args) {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (part) => (text += part));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${args.join(" ")} ended with exit code ${code}`);
  return text === "" ? undefined : JSON.parse(text);
}

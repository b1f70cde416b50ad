// F9: the agent on recorded runs and edits of real models. Each part is a file of `agent/`; the data is not the project's to pass on: it lies beside the project, or where SLUICE_AGENT_DATA says.
import { access, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { nodeBundle } from "./subject.mjs";

const root = path.join(import.meta.dirname, "..");
const parts = path.join(import.meta.dirname, "agent");

/** @typedef {import("./verdicts.mjs").Verdict} Verdict */
/**
 * What a part gets. `subject` bundles a file of the project, named from its root, and resolves with the module: a part that
 * needs several files of `src` names a file of its own that exports them, since each bundle has classes of its own. `data` is
 * the folder of the recorded data.
 * @typedef {{ readonly subject: (file: string) => Promise<any>, readonly data: string }} AgentBench
 */

/** All parts, one after the other; one that fails has no figures, which does not hold. */
export async function run() {
  const data = process.env["SLUICE_AGENT_DATA"] ?? path.join(root, "..", "shared", "data", "agent");
  await access(path.join(data, "runs.jsonl.gz"));
  const folder = await mkdtemp(path.join(tmpdir(), "bench-agent-"));
  try {
    /** @type {Verdict[]} */
    const verdicts = [];
    const names = (await readdir(parts)).filter((name) => name.endsWith(".part.mjs")).toSorted();
    for (const name of names) {
      console.log(`\n${name.slice(0, -".part.mjs".length)}`);
      /** @type {{ default(bench: AgentBench): Promise<readonly Verdict[]> }} */
      const part = await import(pathToFileURL(path.join(parts, name)).href);
      const measured = await part.default({ subject: (file) => bundled(file, folder), data }).catch((error) => {
        console.error(error);
        return [{ what: name, today: Number.NaN, limit: 0, unit: "" }];
      });
      verdicts.push(...measured);
    }
    return verdicts;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param {string} file @param {string} folder */
async function bundled(file, folder) {
  const outfile = path.join(folder, `${file.replaceAll(/[^a-z0-9]+/giu, "-")}.mjs`);
  await build({
    ...nodeBundle,
    format: "esm",
    entryPoints: [path.join(root, file)],
    outfile,
    // undici and what it requires are CommonJS.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  return import(pathToFileURL(outfile).href);
}

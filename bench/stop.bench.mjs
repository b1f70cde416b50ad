// S5, A1: measures how long Stop takes to end a request, a stream, a search, child processes and a question, in the whole client against the local
// gateway.
import { build } from "esbuild";
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { inFolder, nodeBundle } from "./subject.mjs";

const times = 20;
/** The limit is in milliseconds. The goal is 100. */
const limit = 25;

/** The longest of all times counts, because a person waits for each one. */
export const run = () =>
  inFolder(async (folder) => {
    const outfile = path.join(folder, "subject.cjs");
    const entryPoints = [path.join(import.meta.dirname, "..", "test", "support", "stopTimes.ts")];
    await build({ ...nodeBundle, format: "cjs", loader: { ".mp4": "base64" }, entryPoints, outfile });
    // The threads of the search read its program from dist.
    await promisify(execFile)(process.execPath, ["esbuild.mjs"], { cwd: path.join(import.meta.dirname, "..") });
    /** @type {{ default: typeof import("../test/support/stopTimes") }} */
    const { default: subject } = await import(outfile);
    /** @type {import("./verdicts.mjs").Verdict[]} */
    const verdicts = [];
    console.log(`${"".padEnd(46)}   median   longest   (ms, ${times} times; limit ${limit})`);
    for await (const { what, milliseconds } of subject.measureStops(times)) {
      const sorted = milliseconds.toSorted((one, other) => one - other);
      const median = sorted[times >> 1] ?? NaN;
      const longest = sorted[times - 1] ?? NaN;
      verdicts.push({ what: `${what}: the longest`, today: longest, limit, unit: "ms" });
      console.log(`${what.padEnd(46)}${median.toFixed(1).padStart(9)}${longest.toFixed(1).padStart(10)}`);
    }
    return verdicts;
  });

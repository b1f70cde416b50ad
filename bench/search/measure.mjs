// Runs find_text and find_files as the tools do, and ripgrep over the same repository, in turns. The subject of the bench uses it, and an extension
// host does.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { findFiles, findText } from "../../src/tools/files/findText";
import { ParallelSearch } from "../../src/tools/search/parallelSearch";

/**
 * @typedef {{ readonly cpu: number, readonly wall: number, readonly lines: number }} Cost milliseconds, and how many lines were found
 * @typedef {{ readonly own: Cost, readonly theirs: Cost }} Round
 * @typedef {"text" | "pattern" | "names"} SearchName
 * @typedef {{ readonly repository: string, readonly program: string, readonly ripgrep: string, readonly rounds: number }} Setup `program`: the bundle of the threads; `ripgrep`: empty where there is none
 */

const run = promisify(execFile);
const { signal } = new AbortController();
/** So many rounds bring the files into the cache of the system, and the code of the threads to its speed. */
const firstRounds = 3;

/** The arguments of each search for the tool and for ripgrep. Both find the same lines. */
const searches = {
  text: { tool: findText, input: { text: "needle" }, args: ["-n", "-i", "-F", "needle"] },
  pattern: {
    tool: findText,
    input: { text: "needle\\s+\\w+s\\b", is_pattern: true, match_case: true },
    args: ["-n", "needle\\s+\\w+s\\b"],
  },
  names: { tool: findFiles, input: { name: "needle" }, args: ["--files", "--iglob", "*needle*"] },
};

/** @param {import("../../src/domain/tools/workspace").Workspace} workspace @param {Setup} setup @param {readonly SearchName[]} names @returns {Promise<Partial<Record<SearchName, readonly Round[]>>>} */
export async function measureSearches(workspace, { repository, program, ripgrep, rounds }, names) {
  const threads = new ParallelSearch(program);
  /** @type {Partial<Record<SearchName, readonly Round[]>>} */
  const figures = {};
  for (const name of names) {
    const { tool, input, args } = searches[name];
    const all = [];
    for (let round = 0; round < firstRounds + rounds; round += 1) {
      all.push({
        own: await ownCost(tool(workspace, threads), input),
        theirs: await ripgrepCost(ripgrep, args, repository),
      });
    }
    figures[name] = all.slice(firstRounds);
  }
  return figures;
}

/** The CPU is that of this process with all of its threads. @param {import("../../src/domain/tools/tool").Tool} tool @param {unknown} input @returns {Promise<Cost>} */
async function ownCost(tool, input) {
  const [begun, used] = [performance.now(), process.cpuUsage()];
  const call = await tool.prepare(input, signal);
  const found = String(await call.run(signal));
  const { user, system } = process.cpuUsage(used);
  return { cpu: (user + system) / 1000, wall: performance.now() - begun, lines: found.split("\n").length };
}

/** Returns the cost of ripgrep as the shell reports it of its child. @param {string} ripgrep @param {readonly string[]} args @param {string} cwd @returns {Promise<Cost>} */
async function ripgrepCost(ripgrep, args, cwd) {
  if (ripgrep === "") return { cpu: NaN, wall: NaN, lines: NaN };
  const command = 'TIMEFORMAT="%3R %3U %3S"; time "$0" --no-config --no-messages "$@"';
  // The decimal point is that of the language.
  const env = { ...process.env, LC_ALL: "C" };
  const { stdout, stderr } = await run("bash", ["-c", command, ripgrep, ...args, "."], { cwd, env });
  const [real = NaN, user = NaN, system = NaN] = stderr.trim().split(" ").map(Number);
  return { cpu: (user + system) * 1000, wall: real * 1000, lines: stdout.trim().split("\n").length };
}

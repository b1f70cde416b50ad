// find_text and find_files as the tools run them, beside ripgrep over the same repository: prints the CPU of each round as JSON.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { createDiskWorkspace } from "../../test/support/diskWorkspace";
import { findFiles } from "../../src/tools/findFiles";
import { findText } from "../../src/tools/findText";
import { ParallelSearch } from "../../src/tools/search/parallelSearch";

const run = promisify(execFile);
const [repository = "", program = "", ripgrep = "", rounds = "1"] = process.argv.slice(2);
const workspace = createDiskWorkspace(repository);
const search = new ParallelSearch(program);
const text = findText(workspace, search);
const files = findFiles(workspace, search);
const { signal } = new AbortController();

const searches = [
  { name: "text", tool: text, input: { text: "needle" }, args: ["-n", "-i", "-F", "needle"] },
  {
    name: "pattern",
    tool: text,
    input: { text: "needle\\s+\\w+s\\b", is_pattern: true, match_case: true },
    args: ["-n", "needle\\s+\\w+s\\b"],
  },
  { name: "names", tool: files, input: { name: "needle" }, args: ["--files", "--iglob", "*needle*"] },
];

/** The CPU of this process with all of its threads, in milliseconds. @param {import("../../src/domain/tools/tool").Tool} tool @param {unknown} input */
async function own(tool, input) {
  const before = process.cpuUsage();
  const call = await tool.prepare(input, signal);
  const found = String(await call.run(signal));
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / 1000, lines: found.split("\n").length };
}

/** The shell tells what its child has used. @param {readonly string[]} args */
async function theirs(args) {
  const command = 'TIMEFORMAT="%3U %3S"; time "$0" --no-config --no-messages "$@"';
  const { stdout, stderr } = await run("bash", ["-c", command, ripgrep, ...args, "."], { cwd: repository });
  const [user = NaN, system = NaN] = stderr.trim().split(" ").map(Number);
  return { cpu: (user + system) * 1000, lines: stdout.trim().split("\n").length };
}

const figures = [];
for (const { name, tool, input, args } of searches) {
  const all = { own: /** @type {number[]} */ ([]), theirs: /** @type {number[]} */ ([]) };
  let [ownLines, theirLines] = [0, 0];
  for (let round = -3; round < Number(rounds); round += 1) {
    const mine = await own(tool, input);
    const peer = await theirs(args);
    [ownLines, theirLines] = [mine.lines, peer.lines];
    // The first rounds bring the files into the cache of the system, and the code of the threads to its speed.
    if (round < 0) continue;
    all.own.push(mine.cpu);
    all.theirs.push(peer.cpu);
  }
  figures.push({ name, ...all, lines: ownLines, theirLines });
}
console.log(JSON.stringify(figures));

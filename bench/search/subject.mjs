// find_text as the tool runs it, or ripgrep, over a repository: prints the milliseconds of each round as JSON.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { createDiskWorkspace } from "../../test/support/diskWorkspace";
import { findText } from "../../src/tools/findText";
import { ParallelSearch } from "../../src/tools/search/parallelSearch";

const run = promisify(execFile);
const [repository = "", program = "", ripgrep = "", rounds = "1"] = process.argv.slice(2);
const searches = [
  { name: "a text", input: { text: "needle" }, args: ["-i", "-F", "needle"] },
  {
    name: "a pattern",
    input: { text: "needle\\s+\\w+s\\b", is_pattern: true, match_case: true },
    args: ["needle\\s+\\w+s\\b"],
  },
];
const workspace = createDiskWorkspace(repository);
const tool = findText(workspace, new ParallelSearch(program));
const { signal } = new AbortController();

/** Both give the lines; ours stops at its page of hits, so the repository has fewer. */
/** @param {unknown} input */
const own = async (input) => {
  const call = await tool.prepare(input, signal);
  return String(await call.run(signal)).split("\n").length;
};
/** @param {readonly string[]} args */
const theirs = async (args) => {
  const { stdout } = await run(ripgrep, ["--no-config", "-n", "--no-messages", ...args, "."], { cwd: repository });
  return stdout.trim().split("\n").length;
};

/** @param {() => Promise<number>} work */
const timed = async (work) => {
  const began = performance.now();
  const lines = await work();
  return { ms: performance.now() - began, lines };
};

const figures = [];
for (const { name, input, args } of searches) {
  const figure = {
    name,
    own: /** @type {number[]} */ ([]),
    theirs: /** @type {number[]} */ ([]),
    lines: 0,
    theirLines: 0,
  };
  for (let round = -3; round < Number(rounds); round += 1) {
    const mine = await timed(() => own(input));
    const peer = ripgrep === "" ? undefined : await timed(() => theirs(args));
    // These bring the files into the cache of the system, and the code of the threads to its speed.
    if (round < 0) continue;
    figure.own.push(mine.ms);
    figure.lines = mine.lines;
    if (peer) {
      figure.theirs.push(peer.ms);
      figure.theirLines = peer.lines;
    }
  }
  figures.push(figure);
}
console.log(JSON.stringify(figures));

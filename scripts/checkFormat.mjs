// Runs Prettier over what has changed, and over all files in a full run (`SLUICE_RUNS=1`): all of them take a minute of CPU time.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { leave, projectNode, run } from "./processes.mjs";

/** @param {readonly string[]} args @returns {string[]} lines; none where git can't say it */
function git(...args) {
  try {
    return execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
      .split("\n")
      .filter((line) => line !== "");
  } catch {
    return [];
  }
}

/** @returns {string[] | undefined} what this branch adds to the default one, or the newest commit to the one before, and what is not committed */
function changedFiles() {
  const [head] = git("rev-parse", "HEAD");
  const [common] = git("merge-base", "HEAD", "origin/HEAD");
  const [before] = common === undefined || common === head ? git("rev-parse", "HEAD^") : [common];
  if (before === undefined) return undefined;
  return [...git("diff", "--name-only", "--relative", before), ...git("ls-files", "--others", "--exclude-standard")];
}

const isFull = Number(process.env["SLUICE_RUNS"] ?? 0) >= 1;
const changed = isFull ? undefined : changedFiles();
const files = changed?.filter((file) => existsSync(file)) ?? ["."];
const options = [
  "--check",
  "--log-level=warn",
  "--ignore-unknown",
  "--cache",
  "--cache-location=node_modules/.cache/prettier.json",
];
const prettier = path.join("node_modules", "prettier", "bin", "prettier.cjs");
const { code } = files.length === 0 ? { code: 0 } : await run(projectNode(), [prettier, ...options, ...files]);
await leave(code);

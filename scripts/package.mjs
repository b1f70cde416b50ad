// `npm run package`: builds sluice-<version>.vsix; fails when vsce warns or the file is too large. `--record FILE` keeps the build's metafile;
// `--repository https://github.com/OWNER/NAME` (or SLUICE_REPOSITORY) makes pictures and links of the README absolute, at this version's tag.
import { copyFile, mkdir, readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { leave, run } from "./processes.mjs";
import { onProjectNode, say } from "./setup.mjs";

/** The limit is 3 MB. */
const limit = 3 * 1024 ** 2;

await onProjectNode(import.meta.filename);
const { values: options } = parseArgs({
  options: { out: { type: "string", short: "o" }, record: { type: "string" }, repository: { type: "string" } },
});
const repository = options.repository ?? process.env["SLUICE_REPOSITORY"] ?? "";
if (repository !== "" && !/^https:\/\/[\w.-]+\/[\w.-]+\/[\w.-]+$/.test(repository)) {
  say(`${repository} is not the address of a repository, such as https://github.com/OWNER/NAME.`);
  await leave(1);
}
/** @type {{ name: string, version: string }} */
const { name, version } = JSON.parse(await readFile("package.json", "utf8"));
const file = path.resolve(options.out ?? `${name}-${version}.vsix`);
await rm(file, { force: true });
await mkdir(path.dirname(file), { recursive: true });

// vsce runs `vscode:prepublish`, the production build. Without a repository vsce has nothing to rewrite.
const vsce = path.join("node_modules", "@vscode", "vsce", "vsce");
const flags = [
  "--no-dependencies",
  "--allow-missing-repository",
  "--readme-path",
  "dist/README.md",
  ...(repository === ""
    ? ["--no-rewrite-relative-links"]
    : ["--baseContentUrl", `${repository}/blob/v${version}`, "--baseImagesUrl", `${repository}/raw/v${version}`]),
];
process.env["SLUICE_REPOSITORY"] = repository;
const { code, output } = await run(process.execPath, [vsce, "package", ...flags, "--out", file], { quiet: true });
say(output.trimEnd());
if (code !== 0) await leave(code);
if (/\bWARNING\b/.test(output)) {
  say("vsce warns: see above.");
  await leave(1);
}
const { size } = await stat(file);
if (size >= limit) {
  say(`${file} has ${size} bytes; the limit is ${limit}.`);
  await leave(1);
}
if (options.record !== undefined) await copyFile(path.join("dist", "meta.json"), options.record);
console.log(file);
await leave(0);

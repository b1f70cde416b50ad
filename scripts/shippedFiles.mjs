// What the production build does with its files: scripts are shrunk, licences and README written.
import { transform } from "esbuild";
import { minify } from "terser";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

/** Terser looks at each expression several times, esbuild once: 3 % of the package. @param {string} text */
export async function shrinkScript(text) {
  /** @type {import("terser").CompressOptions} */
  const compress = { passes: 2, ecma: 2022, keep_fargs: false };
  const { code } = await minify(text, { module: true, ecma: 2022, compress });
  return code ?? "";
}

/** @param {string} text */
export async function shrinkStyles(text) {
  return (await transform(text, { loader: "css", minify: true, legalComments: "none" })).code;
}

/** The licences of what the bundles hold, which they ask to be passed on. @param {readonly string[]} inputs */
export async function writeNotices(inputs) {
  const homes = new Set(inputs.flatMap((input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []));
  const notices = [];
  for (const home of [...homes].sort()) {
    const described = JSON.parse(await readFile(path.join(home, "package.json"), "utf8"));
    notices.push(`${described.name} ${described.version}\n\n${(await licenceOf(home, described)).trim()}\n`);
  }
  const rule = "-".repeat(80);
  await writeFile("dist/THIRD-PARTY-NOTICES.txt", notices.join(`\n${rule}\n\n`));
}

/** @param {string} home @param {{ license?: string, author?: { name: string } }} described */
async function licenceOf(home, { license, author }) {
  // It asks for the creator and for its address or its text, which is as long as all others together.
  if (license === "CC-BY-4.0")
    return `By ${author?.name}, used in part. Creative Commons Attribution 4.0 International: https://creativecommons.org/licenses/by/4.0/legalcode`;
  const file = (await readdir(home)).find((entry) => /^licen[cs]e/i.test(entry));
  return file === undefined ? `Licence: ${license}` : await readFile(path.join(home, file), "utf8");
}

export async function writeReadme() {
  const { SLUICE_REPOSITORY: repository = "" } = process.env;
  await writeFile("dist/README.md", shippedReadme(await readFile("README.md", "utf8"), repository !== ""));
}

/**
 * Without the part for developers. VS Code's page of an extension shows no picture by a relative address, so pictures stay only where
 * the package knows its repository and vsce makes their addresses absolute; links into the repository become text otherwise.
 * @param {string} text @param {boolean} hasRepository
 */
export function shippedReadme(text, hasRepository) {
  const used = text.replace(/^## Development\n[\s\S]*?(?=^## |^MIT licensed)/m, "");
  if (hasRepository) return used;
  return used.replaceAll(/^!\[.*\n\n?/gm, "").replaceAll(/\[([^\]]+)\]\((?![a-z]+:|#)[^)]+\)/g, "$1");
}

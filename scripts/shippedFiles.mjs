// Makes what the production build writes in addition to its scripts: the notices of the licences, and the README of the package.
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

/** Returns the licences of what the bundles hold, because these ask to be passed on. @param {readonly string[]} inputs */
export async function writeNotices(inputs) {
  // The part before the colon is the namespace of a plugin.
  const homes = new Set(
    inputs.flatMap((input) => /^(?:[\w-]+:)?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []),
  );
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
  // This licence asks for the creator and for its address or its text, which is as long as all the others together.
  if (license === "CC-BY-4.0")
    return `By ${author?.name}, used in part. Creative Commons Attribution 4.0 International: https://creativecommons.org/licenses/by/4.0/legalcode`;
  // Some packages hold a library that was compiled, with a licence of its own next to it.
  const files = (await readdir(home, { recursive: true })).filter(
    (entry) => /(?:^|[\\/])licen[cs]e[^\\/]*$/i.test(entry) && !entry.includes("node_modules"),
  );
  const own = files.find((file) => path.dirname(file) === ".");
  const ofCodec = files.filter((file) => path.dirname(file) === "codec");
  const texts = [...(own === undefined ? [] : [own]), ...ofCodec].map((file) =>
    readFile(path.join(home, file), "utf8"),
  );
  return texts.length === 0 ? `Licence: ${license}` : (await Promise.all(texts)).join("\n\n");
}

export async function writeReadme() {
  const { SLUICE_REPOSITORY: repository = "" } = process.env;
  const readme = await readFile("README.md", "utf8");
  if (repository !== "") return writeFile("dist/README.md", linkedReadme(readme));
  const names = new Set([...readme.matchAll(/\]\(docs\/([\w-]+)\.md/g)].map(([, name = ""]) => name));
  // The chapter of settings is left out, because VS Code's settings editor shows the same descriptions.
  names.delete("settings");
  const chapters = new Map();
  for (const name of names) chapters.set(name, await readFile(`docs/${name}.md`, "utf8"));
  return writeFile("dist/README.md", wholeReadme(readme, chapters));
}

/** @param {string} markdown */
const withoutPictures = (markdown) =>
  markdown.replaceAll(/^<picture>[\s\S]*?<\/picture>\n\n?/gm, "").replaceAll(/^!\[.*\n\n?/gm, "");

/** @param {string} readme */
const withoutDevelopment = (readme) => readme.replace(/^## Development\n[\s\S]*?(?=^## |^MIT licensed)/m, "");

/**
 * Returns the README for a package with a repository. vsce makes its links and pictures absolute, but not those of `<source>`.
 * @param {string} readme
 */
export function linkedReadme(readme) {
  return withoutDevelopment(readme).replaceAll(/^ *<\/?(?:picture|source)\b[^>]*>\n/gm, "");
}

/**
 * Returns the README for a package without a repository. VS Code's page of an extension shows no picture by a relative address and follows no
 * relative link, so the documents for users are chapters of the README, links to them lead inside it, and other links into the repository
 * become text.
 * @param {string} readme @param {ReadonlyMap<string, string>} chapters the documents by their names
 */
function wholeReadme(readme, chapters) {
  const titles = new Map([...chapters].map(([name, text]) => [name, /^# (.*)$/m.exec(text)?.[1] ?? name]));
  /** @param {string} text */
  const linked = (text) =>
    text.replaceAll(/\[([^\]]+)\]\((?![a-z]+:|#)(?:docs\/)?([^)#]+)(#[^)]*)?\)/g, (_, shown, file, heading = "") => {
      const title = titles.get(file.replace(/\.md$/, ""));
      return title === undefined ? shown : `[${shown}](${heading || `#${title.toLowerCase().replaceAll(" ", "-")}`})`;
    });
  const used = withoutPictures(withoutDevelopment(readme));
  const [body = "", licence = ""] = used.split(/^(?=MIT licensed)/m);
  const parts = [...chapters.values()].map((text) => withoutPictures(text.replaceAll(/^#(?=#* )/gm, "##")));
  return linked([body.trimEnd(), ...parts.map((part) => part.trimEnd()), licence].join("\n\n"));
}

/** What the documents name exists: paths, links with their headings, identifiers; and the folders of `src` that are not described. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { globSync } from "tinyglobby";
import { headingAnchors } from "../../support/headingAnchors.js";

const documents = globSync(["*.md", "docs/**/*.md", "src/**/*.md", "test/**/*.md"], { ignore: "test/fixtures/**" });
const textOf = (file: string): string => readFileSync(file, "utf8");
const withoutBlocks = (markdown: string): string => markdown.replaceAll(/^```[\s\S]*?^```/gm, "");

/** Here, in the sample project, or below the README's own folder. Braces are alternatives, `<family>` and `*` match any name, as in a glob. */
function isThere(named: string, folder: string): boolean {
  const pattern = named.replaceAll(/<\w+>|…/g, "*");
  const places = [pattern, `media/sample/${pattern}`, ...(folder === "." ? [] : [`${folder}/**/${pattern}`])].map(
    (place) => place.replace(/\/$/, ""),
  );
  return places.some((place) =>
    /[*{]/.test(place) ? globSync(place, { onlyFiles: false }).length > 0 : existsSync(place),
  );
}

/** Paths from a top folder on, anywhere in the text; in a README of src also what is in backticks and ends like a file or a folder. */
function pathsIn(file: string, markdown: string): string[] {
  const rooted =
    markdown.match(/(?<![\w./-])(?:src|test|scripts|bench|media|docs|l10n)\/[\w./*{},<>…-]*[a-zA-Z0-9/*}>]/g) ?? [];
  const ofRoom = file.startsWith("src/") ? [...markdown.matchAll(/`([\w./…]+(?:\/|\.ts))`/g)] : [];
  return [...rooted, ...ofRoom.map(([, name = ""]) => name)];
}

const anchorsOf = (file: string): string[] => headingAnchors(textOf(file));

function brokenLinks(file: string): string[] {
  const targets = [
    ...textOf(file).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)|\b(?:src|srcset|href)="(?!https?:|#)([^"]+)"/g),
  ];
  return targets.flatMap(([, markdown, html]) => {
    const target = markdown ?? html ?? "";
    const [place = "", anchor] = target.split("#");
    const found = place === "" ? file : path.join(path.dirname(file), place);
    if (!existsSync(found)) return [target];
    return anchor === undefined || anchorsOf(found).includes(anchor) ? [] : [target];
  });
}

describe("documents", () => {
  it("V5: each path that a document names exists", () => {
    assert.ok(documents.length >= 10);
    const missing = documents.flatMap((file) =>
      pathsIn(file, textOf(file))
        .filter((named) => !isThere(named, path.posix.dirname(file)))
        .map((named) => `${file}: ${named}`),
    );
    assert.deepEqual(missing, []);
    assert.deepEqual(
      pathsIn("a.md", "`src/nowhere.ts` and src/<name>/x.ts, https://a.test/src/b").filter((p) => !isThere(p, ".")),
      ["src/nowhere.ts", "src/<name>/x.ts"],
    );
  });

  it("V5: each relative link and picture leads to a file, and to a heading in it", () => {
    assert.deepEqual(
      documents.flatMap((file) => brokenLinks(file).map((target) => `${file}: ${target}`)),
      [],
    );
  });

  it("V5: the headings of the README and of the documents it names differ, for without a repository they are one text", () => {
    const readme = textOf("README.md");
    const named = [...readme.matchAll(/\]\((docs\/[\w-]+\.md)/g)].map(([, file = ""]) => file);
    const anchors = ["README.md", ...new Set(named)].flatMap(anchorsOf);
    assert.deepEqual(
      anchors.filter((anchor, at) => anchors.indexOf(anchor) !== at),
      [],
    );
  });

  it("V5: each identifier in the documents for contributors is in the code", () => {
    const code = globSync(["{src,test,scripts,bench}/**/*.{ts,mjs,css}", "*.{mjs,json}", ".*.{cjs,json}"])
      .map((file) => `${file}\n${textOf(file)}`)
      .join("\n");
    const words = new Set(code.match(/\w+/g));
    const unknown = documents
      .filter((file) => file === "CONTRIBUTING.md" || /^(?:docs|src)\//.test(file))
      .flatMap((file) =>
        [...withoutBlocks(textOf(file)).matchAll(/`([^`\n]+)`/g)].flatMap(([, quoted = ""]) =>
          (quoted.replaceAll(/\S*<\w+>\S*/g, "").match(/\w*[a-z][A-Z]\w*/g) ?? [])
            .filter((word) => !words.has(word))
            .map((word) => `${file}: ${word}`),
        ),
      );
    assert.deepEqual(unknown, []);
  });

  it("V5, R2: each quirk of the table is named by a test or a recording", () => {
    const quirks = [...textOf("docs/quirks.md").matchAll(/^\|\s*(Q-[A-Z]\d+)\s*\|/gm)].map(([, name = ""]) => name);
    assert.ok(quirks.length >= 80, `${quirks.length} quirks`);
    const named = globSync("test/**/*.ts").flatMap((file) => textOf(file).match(/\bQ-[A-Z]\d+\b/g) ?? []);
    const recorded = globSync("test/fixtures/*/Q-*").map((file) => /Q-[A-Z]\d+/.exec(file)?.[0] ?? "");
    const tested = new Set([...named, ...recorded]);
    assert.deepEqual(
      quirks.filter((quirk) => !tested.has(quirk)),
      [],
    );
    assert.deepEqual(
      [...tested].filter((quirk) => !quirks.includes(quirk)),
      [],
    );
  });

  it("V5: each folder of src is in the table of CONTRIBUTING, and each room in the README of its folder", () => {
    const contributing = textOf("CONTRIBUTING.md");
    const folders = (parent: string): string[] =>
      readdirSync(parent).filter((name) => statSync(path.join(parent, name)).isDirectory());
    const missing = folders("src").flatMap((top) => {
      const own = contributing.includes(`\`${top}/\``) ? [] : [`CONTRIBUTING.md: ${top}/`];
      const rooms = globSync(`src/${top}/**/*.{ts,css}`)
        .map((file) => path.posix.dirname(path.posix.relative(`src/${top}`, file)))
        .filter((room) => room !== ".");
      if (rooms.length === 0) return own;
      const readme = `src/${top}/README.md`;
      const text = existsSync(readme) ? textOf(readme) : "";
      const unnamed = [...new Set(rooms)].filter((room) => !text.includes(`\`${room}/\``));
      return [...own, ...unnamed.map((room) => `${readme}: ${room}/`)];
    });
    assert.deepEqual(missing, []);
  });
});

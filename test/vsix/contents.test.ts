/** What the packaged file holds, once it is installed: documents whose pictures and links work, and the licence of each package. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { globSync } from "tinyglobby";
import * as z from "zod/mini";
import { linkedReadme } from "../../scripts/shippedFiles.mjs";
import { installExtension } from "../../scripts/vscodeServer.mjs";
import { temporaryFolder } from "../../scripts/workspace.mjs";
import { headingAnchors } from "../support/headingAnchors.js";

/** Addresses in Markdown and HTML that are not absolute and no place in the document itself. */
const relative = /\]\((?!https:\/\/|#|mailto:)[^)]*\)|<img\b[^>]*src="(?!https:)[^"]*"/g;

describe("what the VSIX holds", () => {
  const files = new Map<string, string>();
  before(async () => {
    const extensionsDir = await temporaryFolder();
    await installExtension(path.resolve("test-results/package/sluice.vsix"), extensionsDir);
    const home = path.join(
      extensionsDir,
      (await readdir(extensionsDir)).find((name) => name.startsWith("sluice."))!,
    );
    for (const entry of await readdir(home, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = path.join(entry.parentPath, entry.name);
      files.set(path.relative(home, file).replaceAll(path.sep, "/"), file);
    }
  });
  /** The installer writes README.md and LICENSE under its own names. */
  const textOf = async (name: string): Promise<string> => {
    const found = [...files].find(([file]) => file.toLowerCase() === name.toLowerCase());
    return await readFile(found?.[1] ?? assert.fail(`${name} is missing in\n${[...files.keys()].join("\n")}`), "utf8");
  };

  it("V5: holds the product and nothing of its making", async () => {
    const programs = ["extension", "exact", "localGateway", "missing", "search", "sluice-lock-check", "storage"].map(
      (name) => `dist/${name}.mjs`,
    );
    const translations = globSync(["package.nls*.json", "l10n/*.json"]);
    const documents = ["README.md", "LICENSE.txt", "dist/THIRD-PARTY-NOTICES.txt"];
    for (const wanted of ["package.json", ...translations, ...documents, ...programs]) await textOf(wanted);
    const strange = [...files.keys()].filter((file) => /\.map$|(^|\/)(src|test|scripts|node_modules)\//.test(file));
    assert.deepEqual(
      strange.filter((file) => !file.startsWith("media/sample/")),
      [],
    );
  });

  it("V5 (finding 40): no document has a picture or a link that VS Code's page of the extension can't show", async () => {
    for (const name of ["readme.md", "changelog.md"]) {
      const text = await textOf(name);
      assert.deepEqual(text.match(relative) ?? [], [], name);
      assert.ok(text.length > 1000);
    }
    assert.ok(!(await textOf("readme.md")).includes("## Development"));
  });

  it("V5 (finding 40): with a repository the README keeps its pictures and links, which vsce makes absolute", async () => {
    const linked = linkedReadme(await readFile("README.md", "utf8"));
    assert.match(linked, /^!\[|<img /m);
    assert.doesNotMatch(linked, /<picture|<source|## Development/);
    for (const target of ["SECURITY.md", "docs/settings.md"]) assert.ok(linked.includes(`](${target})`), target);
  });

  it("V5: without a repository the documents for users are chapters of the README, and each link in it has its heading", async () => {
    const text = await textOf("readme.md");
    const anchors = headingAnchors(text);
    const headings = new Set(anchors);
    assert.equal(anchors.length, headings.size, "a heading twice");
    for (const [link, anchor = ""] of text.matchAll(/\]\(#([^)]*)\)/g)) assert.ok(headings.has(anchor), link);
    assert.match(text, /`sluice\.baseUrl`[\s\S]*`NODE_EXTRA_CA_CERTS`|`NODE_EXTRA_CA_CERTS`[\s\S]*`sluice\.baseUrl`/);
    assert.doesNotMatch(text, /<picture|<img|^!\[/m);
  });

  it("V5: the licence of each package in the bundles is in the notices", async () => {
    const record = z
      .array(z.object({ inputs: z.record(z.string(), z.unknown()) }))
      .parse(JSON.parse(await readFile(path.resolve("test-results/package/meta.json"), "utf8")));
    const packages = new Set(
      record.flatMap(({ inputs }) =>
        Object.keys(inputs).flatMap((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/[^]*$/.exec(input)?.[1] ?? []),
      ),
    );
    assert.ok(packages.size > 5);
    const notices = (await textOf("dist/THIRD-PARTY-NOTICES.txt")).split(/\n-{80}\n/);
    for (const name of packages) {
      const notice = notices.find((text) => text.trimStart().startsWith(`${name} `));
      assert.match(notice ?? "", /licen[cs]e|permission|copyright/i, name);
    }
  });

  it("V5: the manifest names an entry that is there and no proposed API", async () => {
    const manifest = z
      .looseObject({ main: z.literal("./dist/extension.mjs"), engines: z.object({ vscode: z.string() }) })
      .parse(JSON.parse(await textOf("package.json")));
    assert.ok(!("enabledApiProposals" in manifest));
  });
});

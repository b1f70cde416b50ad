/** What the packaged file holds, read without installing it: documents whose pictures and links work, and the licence of each package. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { configure, Uint8ArrayReader, TextWriter, ZipReader } from "@zip.js/zip.js";
import * as z from "zod/mini";
import { shippedReadme } from "../../scripts/shippedFiles.mjs";

/** Addresses in Markdown and HTML that are not absolute and no place in the document itself. */
const relative = /\]\((?!https:\/\/|#|mailto:)[^)]*\)|<img\b[^>]*src="(?!https:)[^"]*"/g;

describe("what the VSIX holds", () => {
  const files = new Map<string, string>();
  before(async () => {
    configure({ useWebWorkers: false });
    const reader = new ZipReader(
      new Uint8ArrayReader(await readFile(path.resolve("test-results/package/sluice.vsix"))),
    );
    for (const entry of await reader.getEntries())
      if (!entry.directory && /\.(md|txt|json|vsixmanifest)$/i.test(entry.filename))
        files.set(entry.filename.toLowerCase(), await entry.getData(new TextWriter()));
    await reader.close();
  });
  const textOf = (name: string): string => files.get(`extension/${name}`.toLowerCase()) ?? assert.fail(`no ${name}`);

  it("V5 (finding 40): no document has a picture or a link that VS Code's page of the extension can't show", () => {
    for (const name of ["readme.md", "changelog.md"]) {
      const text = textOf(name);
      assert.deepEqual(text.match(relative) ?? [], [], name);
      assert.ok(text.length > 1000);
    }
    assert.ok(!textOf("readme.md").includes("## Development"));
  });

  it("V5 (finding 40): with a repository the README keeps its pictures and links, which vsce makes absolute", async () => {
    const text = await readFile("README.md", "utf8");
    const pictures = (markdown: string): number => (markdown.match(/^!\[/gm) ?? []).length;
    assert.ok(pictures(text) > 0);
    assert.equal(pictures(shippedReadme(text, true)), pictures(text));
    assert.match(shippedReadme(text, true), /\]\(SECURITY\.md\)/);
    assert.equal(pictures(shippedReadme(text, false)), 0);
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
    const notices = textOf("dist/THIRD-PARTY-NOTICES.txt").split(/\n-{80}\n/);
    for (const name of packages) {
      const notice = notices.find((text) => text.trimStart().startsWith(`${name} `));
      assert.match(notice ?? "", /licen[cs]e|permission|copyright/i, name);
    }
  });

  it("V5: the manifest names an entry that is there, no proposed API and nothing of the repository", () => {
    const manifest = z
      .looseObject({ main: z.literal("./dist/extension.mjs"), engines: z.object({ vscode: z.string() }) })
      .parse(JSON.parse(textOf("package.json")));
    for (const key of ["enabledApiProposals", "scripts", "devDependencies", "dependencies"])
      assert.ok(!(key in manifest), key);
  });
});

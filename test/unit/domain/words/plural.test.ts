/** Sentences with a count in the forms of a language, and a language of three forms that is nothing but two files. */
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { config } from "@vscode/l10n";
import { bundleKeys, readLanguages, readWords } from "../../../../scripts/words.mjs";
import { plural } from "../../../../src/domain/words/plural";
import { describeUnreadable } from "../../../../src/domain/words/describeStorage";
import { createTemporaryFolder } from "../../../support/temporaryFolder";

const files = { one: "1 file changed", other: "{0} files changed" };

describe("sentences with a count", () => {
  afterEach(() => config({ contents: {} }));

  it("P6: English has a form for one, and the values that are given", () => {
    assert.deepEqual(
      [0, 1, 2].map((count) => plural(count, files)),
      ["0 files changed", "1 file changed", "2 files changed"],
    );
    assert.equal(plural(1, { other: "All {0} running tasks" }), "All 1 running tasks");
    assert.equal(plural(1200, { other: "{1}: {0} tasks" }, "1,200", "today"), "today: 1,200 tasks");
  });

  it("P6: a language without forms has the one text, and a missing form is shown as it", () => {
    config({ contents: { en: "zh-cn", "{0} files changed": "{0} 个文件" } });
    assert.deepEqual(
      [1, 5].map((count) => plural(count, files)),
      ["1 个文件", "5 个文件"],
    );
    config({ contents: { en: "pl", "{0} files changed": "{0} pliku", "{0} files changed/many": "{0} plików" } });
    assert.deepEqual(
      [1, 2, 5].map((count) => plural(count, files)),
      ["1 pliku", "2 pliku", "5 plików"],
    );
  });

  it("P6: a language with three forms is added by its files alone", async () => {
    const folder = await createTemporaryFolder();
    const root = folder.path;
    try {
      const keys = bundleKeys(readWords(), "pl");
      const contents = { ...Object.fromEntries([...keys].map((key) => [key, `pl ${key}`])), en: "pl" };
      await mkdir(path.join(root, "l10n"));
      await writeFile(path.join(root, "l10n", "bundle.l10n.pl.json"), JSON.stringify(contents));
      const [polish, ...others] = readLanguages(root);
      assert.deepEqual([polish?.language, others], ["pl", []]);
      config({ contents: await readFile(polish?.bundle ?? "", "utf8") });
      const forms = [1, 2, 5, 22, 112].map((count) => describeUnreadable(count).replace(/^pl (\d+) .*\//, "$1 "));
      assert.deepEqual(forms, ["1 one", "2 few", "5 many", "22 few", "112 many"]);
    } finally {
      await folder.remove();
    }
  });
});

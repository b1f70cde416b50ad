/** The translations as the package holds them: under short keys, which the programs of the package look up. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { build } from "esbuild";
import * as z from "zod/mini";
import { wordsForAll } from "../../scripts/buildPlugins.mjs";
import { shortKeys, textKey } from "../../scripts/textKey.mjs";
import { bundlePath } from "../../scripts/words.mjs";

interface Words {
  config(options: { contents: string }): void;
  t(text: string, ...values: readonly (string | number)[]): string;
}

describe("translations in the package", () => {
  const bundle = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(bundlePath, "utf8")));

  it("P6: each text is found under its short key, with its values", async () => {
    const { outputFiles } = await build({
      ...{ stdin: { contents: 'export { config, t } from "@vscode/l10n";', resolveDir: "." }, plugins: [wordsForAll] },
      ...{ bundle: true, write: false, format: "esm", platform: "browser" },
    });
    const program = Buffer.from(outputFiles[0]!.contents).toString("base64");
    const words = (await import(`data:text/javascript;base64,${program}`)) as Words;
    words.config({ contents: JSON.stringify(shortKeys(bundle)) });
    for (const [text, translation] of Object.entries(bundle)) assert.equal(words.t(text), translation);
    assert.equal(words.t("{0} KB", 7), "7 KB");
    assert.equal(words.t("A text that has no translation"), "A text that has no translation");
  });

  it("P6: two texts under one key are refused when the package is made", () => {
    const first = new Map<string, string>();
    const alike = (): readonly [string, string] => {
      for (let number = 0; ; number += 1) {
        const text = `text ${number}`;
        const other = first.get(textKey(text));
        if (other !== undefined) return [other, text];
        first.set(textKey(text), text);
      }
    };
    const [one, other] = alike();
    assert.throws(() => shortKeys({ [one]: "一", [other]: "二" }), /word one differently/);
  });
});

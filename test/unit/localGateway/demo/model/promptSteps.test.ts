/** What the panel suggests in another language has the same tool calls as in English. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as z from "zod/mini";
import { readLanguages } from "../../../../../scripts/words.mjs";
import { readSteps } from "../../../../../src/localGateway/demo/model/promptSteps";

const languages = readLanguages().map(({ language, bundle }) => ({
  language,
  words: z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(bundle, "utf8"))),
}));

describe("prompts of the built-in model", () => {
  for (const [english, value, kind] of [
    ["List the files", "", "list"],
    ["Find “{0}” in the workspace", "TODO", "find"],
    ["Explain {0}", "src/app.ts", "read"],
  ] as const) {
    it(`P6: “${english}” is understood in each language`, () => {
      const steps = readSteps(english.replace("{0}", value), []);
      assert.equal(steps[0]?.kind, kind);
      for (const { language, words } of languages)
        assert.deepEqual(readSteps(words[english]!.replace("{0}", value), []), steps, language);
    });
  }

  it("P6: several Chinese requests in one prompt are several steps", () => {
    assert.deepEqual(readSteps("读取 src/app.ts，然后查找“greet”。列出 src/ 中的文件", []), [
      { kind: "read", paths: ["src/app.ts"] },
      { kind: "find", text: "greet" },
      { kind: "list", path: "src/" },
    ]);
  });
});

/** What the panel suggests in another language has the same tool calls as in English. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as z from "zod/mini";
import { readLanguages } from "../../../../../scripts/words.mjs";
import { writeFreeText } from "../../../../../src/localGateway/demo/model/freeText";
import { createRandom } from "../../../../../src/localGateway/demo/seededRandom";
import { readSteps } from "../../../../../src/localGateway/demo/model/promptSteps";

const languages = readLanguages().map(({ language, bundle }) => ({
  language,
  words: z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(bundle, "utf8"))),
}));

describe("prompts of the built-in model", () => {
  for (const [english, value, kind] of [
    ["Find “{0}” in the workspace", "TODO", "find"],
    ["Explain {0}", "src/app.ts", "read"],
    ["Write an overview into {0}", "OVERVIEW.md", "overview"],
    ["Make a picture of a lighthouse", "", "make"],
  ] as const) {
    it(`P6: “${english}” is understood in each language`, () => {
      const [step, ...others] = readSteps(english.replace("{0}", value), ["submit_task"]);
      assert.equal(step?.kind, kind);
      assert.deepEqual(others, []);
      for (const { language, words } of languages) {
        const [same, ...more] = readSteps(words[english]!.replace("{0}", value), ["submit_task"]);
        // The prompt of a task stays in the person's language.
        const prompt = same?.kind === "make" ? { prompt: same.prompt } : {};
        assert.deepEqual([same, ...more], [{ ...step, ...prompt }], language);
      }
    });
  }

  for (const [english, answer] of [
    ["Draw a lighthouse", /picture|图片/],
    ["How do I connect my own gateway?", /Connect to a Gateway…|连接到网关…/],
    ["What can you do here?", /demo model|演示模型/],
  ] as const)
    it(`P6: “${english}” is answered in each language, without tools`, () => {
      for (const prompt of [english, ...languages.map(({ words }) => words[english]!)]) {
        assert.deepEqual(readSteps(prompt, []), [], prompt);
        assert.match(
          writeFreeText(prompt, { tools: [], random: createRandom(1), images: [], attached: [] }).text,
          answer,
        );
      }
    });

  it("P6: several Chinese requests in one prompt are several steps", () => {
    assert.deepEqual(readSteps("读取 src/app.ts，然后查找“greet”。列出 src/ 中的文件", []), [
      { kind: "read", paths: ["src/app.ts"] },
      { kind: "find", text: "greet" },
      { kind: "list", path: "src/" },
    ]);
  });
});

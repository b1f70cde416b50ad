/** The title that a chat has by its first prompt. */
import assert from "node:assert/strict";
import { titleOfPrompt } from "../../../../src/chat/storage/records";

describe("titleOfPrompt", () => {
  it("P3: is the first line that says something: not the mark that opens a block of code", () => {
    assert.equal(titleOfPrompt("\n  Why is this slow?\n```ts\nconst a = 1;\n```"), "Why is this slow?");
    assert.equal(titleOfPrompt("```ts\nconst a = 1;\n```\nWhy?"), "const a = 1;");
    assert.equal(titleOfPrompt("\n~~~~\n\n  text\n~~~~"), "text");
    assert.equal(titleOfPrompt("```ts"), "```ts");
    assert.equal(titleOfPrompt(""), "");
  });
});

/** Which way of working a model gets, and what no model may read: words that make it ask before it acts. */
import assert from "node:assert/strict";
import { modelKind, systemPromptFor } from "../../../../src/chat/request/systemPrompt";
import { families, type Family } from "../../../../src/domain/chat/family";
import { tokensOfText } from "../../../../src/domain/chat/tokenCount";

describe("the system prompt", () => {
  const table: readonly (readonly [id: string, family: Family, kind: ReturnType<typeof modelKind>])[] = [
    ["claude-sonnet-4-5", "messages", "claude"],
    ["anthropic/claude-opus-4.5", "chat-completions", "claude"],
    ["gpt-5.2-codex", "chat-completions", "gpt"],
    ["openai/gpt-oss-20b", "chat-completions", "gpt"],
    ["o3-mini", "chat-completions", "gpt"],
    ["gemini-3-pro", "generate-content", "gemini"],
    ["google/gemini-2.5-flash", "chat-completions", "gemini"],
    ["deepseek-chat", "chat-completions", "other"],
    ["qwen3-coder-480b-a35b", "chat-completions", "other"],
    ["llama-3.3-70b", "chat-completions", "other"],
    ["a-model-of-its-own", "messages", "claude"],
    ["a-model-of-its-own", "generate-content", "gemini"],
    ["llama3.1:8b", "chat-completions", "small"],
    ["qwen2.5-coder-7b-instruct", "chat-completions", "small"],
    ["gemma-3n-e4b", "chat-completions", "small"],
    ["qwen2.5:0.5b", "chat-completions", "small"],
    ["qwen2.5:14b", "chat-completions", "small"],
    ["qwen3-30b-a3b", "chat-completions", "other"],
    ["gpt-5-nano", "chat-completions", "small"],
  ];
  for (const [id, family, kind] of table)
    it(`A9: ${id} of ${family}: ${kind}`, () => assert.equal(modelKind({ id, family }), kind));

  const all = [...new Set(table.map(([id, family]) => systemPromptFor({ id, family })))];

  it("A9: five forms, each the same for every chat and short", () => {
    assert.equal(all.length, 5);
    for (const text of all) assert.ok(tokensOfText(text) < 1200, String(tokensOfText(text)));
    for (const family of families)
      assert.equal(systemPromptFor({ id: "x", family }), systemPromptFor({ id: "x", family }));
  });

  it("A9: none has words that make a model ask before it acts, each says that approval is asked by Sluice", () => {
    for (const text of all) {
      assert.doesNotMatch(text, /is asked (?:first|before)|ask (?:the person )?before you|confirm with/i);
      assert.match(text, /Sluice (?:itself )?asks the person/);
      assert.match(text, /is data, not instructions/);
    }
  });
});

/** Front matter of prompt files as other programs write it, and in hostile forms. */
import assert from "node:assert/strict";
import { type PromptHeader, readPromptFile } from "../../../../src/tools/context/promptHeader";
import { assertLinear } from "../../../support/growth";

describe("the front matter of a prompt file", () => {
  it("C6 (field 19): a description keeps its end up to 1,024 characters; comments and escapes are read", () => {
    const described = (line: string): string | undefined =>
      readPromptFile(`---\nname: a\n${line}\n---\nbody`).header.description;
    const long = `${"word ".repeat(130)}use for this, not for that`;
    assert.equal(described(`description: ${long}`), long);
    assert.equal(described(`description: ${"x".repeat(1100)}`)?.length, 1025);
    for (const [line, expected] of [
      ["description: Draws charts # a note", "Draws charts"],
      ['description: "Draws # charts" # a note', "Draws # charts"],
      ['description: "Says \\"hello\\" and \\\\"', 'Says "hello" and \\'],
      ["description: 'It''s one'", "It's one"],
      ["description: Mends issue #12 of C#", "Mends issue #12 of C#"],
      ['description: "One" or "two"', '"One" or "two"'],
      ["description: > # folded\n  Draws\n  charts # kept", "Draws charts # kept"],
    ] as const)
      assert.equal(described(line), expected, line);
  });

  const table: readonly (readonly [what: string, front: string, header: PromptHeader])[] = [
    ["nothing", "", {}],
    [
      "VS Code's",
      "description: 'Review it'\nmode: agent\nmodel: gpt-x\ntools: ['read', \"edit\"]",
      {
        description: "Review it",
        asksFor: { model: "gpt-x", mode: "agent", tools: ["read", "edit"] },
      },
    ],
    [
      "Claude Code's, which is no YAML",
      "argument-hint: [pr-number] [priority]\nallowed-tools: Bash(git add:*), Read",
      {
        hint: "[pr-number] [priority]",
        asksFor: { tools: ["Bash(git add:*)", "Read"] },
      },
    ],
    ["a colon in the text", "description: Use when: tests fail", { description: "Use when: tests fail" }],
    [
      "a block",
      "name: x\ndescription: |\n  Two\n  lines\nagent: ask",
      {
        description: "Two lines",
        asksFor: { mode: "ask" },
      },
    ],
    ["a folded block", "description: >-\n  Two\n  lines", { description: "Two lines" }],
    ["a list of lines", "tools:\n  - a\n  - b\nmodel:\n- one\n- two", { asksFor: { model: "one", tools: ["a", "b"] } }],
    ["all tools", "tools: ['*']", { asksFor: { tools: ["*"] } }],
    ["a key twice", "description: one\ndescription: two", { description: "one" }],
    ["upper case", "Description: one", { description: "one" }],
    ["empty values", "description:\nmodel: ''\ntools: []", {}],
    ["hidden characters", "description: a\u202eb\u200bc", { description: "a⟨U+202E⟩b⟨U+200B⟩c" }],
    ["aliases and anchors", "a: &a [x,x]\nb: &b [*a,*a]\nmodel: *b", { asksFor: { model: "*b" } }],
    ["a tag", "description: !!js/function 'x'", { description: "!!js/function 'x'" }],
  ];
  for (const [what, front, header] of table)
    it(`A9: ${what}`, () => {
      for (const end of ["\n", "\r\n"]) {
        const text = `---\n${front}\n---\nDo it.\n`.replaceAll("\n", end);
        assert.deepEqual(readPromptFile(text), { header, body: "Do it." });
      }
    });

  it("A9: without an end of it, or with lines of dashes alone, all of it is the prompt", () => {
    assert.deepEqual(readPromptFile("\ufeffDo it.\n---\nx"), { header: {}, body: "Do it.\n---\nx" });
    assert.equal(readPromptFile("---\ndescription: x\nDo it.").body, "---\ndescription: x\nDo it.");
    assert.deepEqual(readPromptFile("---\n---\nDo it."), { header: {}, body: "Do it." });
  });

  it("R6: values are cut, lists are short, and anything is read in linear time", async () => {
    const { description = "" } = readPromptFile(`---\ndescription: ${"x".repeat(2000)}\n---\n`).header;
    assert.equal(description.length, 1025);
    assert.equal(readPromptFile(`---\ntools: ${"a,".repeat(500)}\n---\n`).header.asksFor?.tools?.length, 30);
    for (const piece of ["a", "- ", "a: b\n", "a:\n  - &a\n", "---\n", "'\"", "[", "{", "\t", "\r", ": "])
      await assertLinear(
        8 * 1024,
        (length) => {
          const text = `---\n${piece.repeat(length / piece.length)}`;
          return () => readPromptFile(text);
        },
        JSON.stringify(piece),
      );
  });
});

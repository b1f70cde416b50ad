/** A14: calls that models write as text, in the forms of their templates; an example, a quotation or an explanation is none. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { findWrittenCalls } from "../../../../src/chat/textCalls/findWrittenCalls";
import { assertLinear } from "../../../support/growth";

const declared = ["read_file", "edit_file", "list_editors"];
const json = '{"name": "read_file", "arguments": {"path": "src/a.ts"}}';
const other = '{"name": "edit_file", "arguments": {"path": "b", "edits": [{"old_text": "}", "new_text": "```"}]}}';
const read = { name: "read_file", input: { path: "src/a.ts" } };
const edit = { name: "edit_file", input: { path: "b", edits: [{ old_text: "}", new_text: "```" }] } };

const found = (text: string): unknown =>
  findWrittenCalls(text, declared)?.calls.map(({ name, input }) => ({ name, input }));

/** Real forms: of Qwen and Hermes, Qwen3-Coder, Llama 3, Mistral, GLM, Kimi, Functionary, Claude's tags, and JSON of the API's own shape. */
const forms: Readonly<Record<string, readonly [text: string, calls: readonly unknown[]]>> = {
  bare: [json, [read]],
  "after words": [`I look at it.\n\n${json}\n`, [read]],
  fence: ["Let me see.\n```json\n" + json + "\n```", [read]],
  "fence without a language": ["```\n" + json + "\n```\n\n", [read]],
  "fence without an end": ["I look.\n```json\n" + json, [read]],
  "after a block of code": ["```ts\nconst a = 1;\n```\n" + json, [read]],
  "fence of several": ["```tool_call\n" + json + "\n" + json + "\n```", [read, read]],
  "several fences": ["```json\n" + json + "\n```\n```json\n" + json + "\n```", [read, read]],
  list: [`[${json}, ${other}]`, [read, edit]],
  "text with fences and braces in it": [other, [edit]],
  tag: [`<tool_call>\n${json}\n</tool_call>`, [read]],
  tags: [`Now.\n<tool_call>\n${json}\n</tool_call>\n<tool_call>\n${other}\n</tool_call>`, [read, edit]],
  "tag that is not closed": [`<tool_call>\n${json}`, [read]],
  "tag of a tool without arguments": [
    '<tool_call>{"name": "list_editors"}</tool_call>',
    [{ name: "list_editors", input: {} }],
  ],
  "tag in a fence": ["```xml\n<tool_call>" + json + "</tool_call>\n```", [read]],
  "function tag with JSON": ['<function=read_file>{"path": "src/a.ts"}</function>', [read]],
  "function tag with parameters": [
    "<tool_call>\n<function=read_file>\n<parameter=path>\nsrc/a.ts\n</parameter>\n</function>\n</tool_call>",
    [read],
  ],
  "lines in a parameter": [
    "<function=edit_file><parameter=path>a</parameter><parameter=new_text>\none\n  two\n</parameter></function>",
    [{ name: "edit_file", input: { path: "a", new_text: "one\n  two" } }],
  ],
  invoke: [
    '<function_calls>\n<invoke name="read_file">\n<parameter name="path">src/a.ts</parameter>\n</invoke>\n</function_calls>',
    [read],
  ],
  "two keys": ["<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>src/a.ts</arg_value>\n</tool_call>", [read]],
  "marked list": [`[TOOL_CALLS][${json}]`, [read]],
  "marked name": ['[TOOL_CALLS]read_file[ARGS]{"path": "src/a.ts"}', [read]],
  "Python tag": ['<|python_tag|>{"name": "read_file", "parameters": {"path": "src/a.ts"}}<|eom_id|>', [read]],
  functools: [`functools[${json}]`, [read]],
  "of the API": [
    '{"id": "1", "type": "function", "function": {"name": "read_file", "arguments": "{\\"path\\": \\"src/a.ts\\"}"}}',
    [read],
  ],
  "list of the API": [`{"tool_calls": [${json}]}`, [read]],
  "action and input": ['{"action": "read_file", "action_input": {"path": "src/a.ts"}}', [read]],
  "text for arguments": ['{"tool": "read_file", "args": "{\\"path\\": \\"src/a.ts\\"}"}', [read]],
};

const none: Readonly<Record<string, string>> = {
  "text after it": `${json}\n\nI will wait for the result.`,
  "fence with text after it": "```json\n" + json + "\n```\nThis is how one calls it.",
  "a tool that is not declared": '{"name": "run_command", "arguments": {"command": "ls"}}',
  "one of two is not declared": `[${json}, {"name": "run_command", "arguments": {}}]`,
  "other data": '{"name": "read_file", "arguments": {"path": "a"}, "description": "an example"}',
  "no arguments": '{"name": "read_file"}',
  "a settings file": '```json\n{"name": "my-package", "version": "1.0.0"}\n```',
  "in a line of text": `The call is ${json}`,
  "code of another language": "```ts\n" + json + "\n```",
  "in a code block that has no end": `The page is:\n\n\`\`\`md\n# Calls\n\n${json}`,
  "in a block of tildes without an end": `~~~\nCalls:\n<tool_call>\n${json}\n</tool_call>`,
  "a block within a longer one without an end": `\`\`\`\`md\n# Calls\n\`\`\`json\n${json}\n\`\`\``,
  "broken JSON": '{"name": "read_file", "arguments": {"path": "src/a.ts"}',
  "cut tag": "<function=read_file>\n<parameter=path>\nsrc/a",
  "arguments that are none": '{"name": "read_file", "arguments": ["src/a.ts"]}',
  "plain words": "Done: the file is read.",
  nothing: "",
};

describe("calls written as text", () => {
  for (const [what, [text, calls]] of Object.entries(forms)) {
    it(`A14: ${what} is taken as calls`, () => {
      assert.deepEqual(found(text), calls);
      const { from, calls: taken } = findWrittenCalls(text, declared)!;
      assert.equal(text.slice(0, from) + taken.map(({ written }) => written).join(""), text);
      assert.equal(text.slice(0, from), text.slice(0, from).trimEnd());
    });
  }

  for (const [what, text] of Object.entries(none)) {
    it(`A14: ${what} is not taken as a call`, () => assert.equal(found(text), undefined));
  }

  it("A14: nothing is taken where no tool is declared, and never one that is not", () => {
    const name = fc.constantFrom(...declared, "run_command", "constructor", "__proto__");
    const input = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true, maxKeys: 3 });
    fc.assert(
      fc.property(name, input, fc.string(), (called, given, before) => {
        const written = JSON.stringify(given);
        const text = `${before}\n{"name":${JSON.stringify(called)},"arguments":${written}}`;
        assert.equal(findWrittenCalls(text, []), undefined);
        const calls = findWrittenCalls(text, declared)?.calls ?? [];
        assert.ok(calls.every((call) => declared.includes(call.name)));
        // -0 is written as 0.
        if (declared.includes(called)) assert.deepEqual(calls.at(-1)?.input, JSON.parse(written));
        else assert.deepEqual(calls, []);
      }),
    );
  });

  it("R6, A14: a long answer of brackets is read in linear time", async () => {
    for (const piece of [
      "{\n",
      "[\n",
      "<tool_call>\n",
      "```json\n",
      "<function=read_file>\n<parameter=a>\n",
      '{"a":\n',
    ])
      await assertLinear(
        2_000,
        (count) => {
          const text = `${piece.repeat(count)}}`;
          return () => assert.equal(found(text), undefined);
        },
        piece,
      );
  });
});

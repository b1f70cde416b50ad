/** A14: calls that models write as text, in the forms of their templates; an example, a quotation or an explanation is none. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { endsWithCallTokens, endsWithToolTag, findWrittenCalls } from "../../../../src/chat/session/findWrittenCalls";
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
  // gpustack/llama-box#17
  "list that is not closed": [`<tool_call>[${json}`, [read]],
  "list of two that is not closed": [`<tool_call>[${json}, ${other}`, [read, edit]],
  // vllm-project/vllm#39243
  LFM2: ['I look.\n<|tool_call_start|>[read_file(path="src/a.ts")]<|tool_call_end|>', [read]],
  "LFM2 with two": [
    '<|tool_call_start|>[read_file(path="src/a.ts"), list_editors()]<|tool_call_end|>',
    [read, { name: "list_editors", input: {} }],
  ],
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

/** Templates whose tokens a server did not read, in the forms of public reports, with their neighbours. */
const tokenForms: Readonly<Record<string, readonly [text: string, calls: readonly unknown[]]>> = {
  Kimi: [
    'I read it.\n<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path": "src/a.ts"}<|tool_call_end|><|tool_calls_section_end|>',
    [read],
  ],
  "Kimi in the line of a sentence, twice": [
    'I read it. <|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path": "src/a.ts"}<|tool_call_end|><|tool_call_begin|>functions.list_editors:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>',
    [read, { name: "list_editors", input: {} }],
  ],
  DSML: [
    'Let me look.\n\n<｜DSML｜function_calls>\n<｜DSML｜invoke name="read_file">\n<｜DSML｜parameter name="path" string="true">src/a.ts</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    [read],
  ],
  "DSML with a value that is no text": [
    '<|DSML|tool_calls><|DSML|invoke name="read_file"><|DSML|parameter name="first_line" string="false">3</|DSML|parameter></|DSML|invoke></|DSML|tool_calls>',
    [{ name: "read_file", input: { first_line: 3 } }],
  ],
  DeepSeek: [
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"path": "src/a.ts"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    [read],
  ],
  "DeepSeek with the kind of call and a fence": [
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json\n{"path": "src/a.ts"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>',
    [read],
  ],
  MiniMax: [
    'I look.\n<minimax:tool_call>\n<invoke name="read_file">\n<parameter name="path">src/a.ts</parameter>\n</invoke>\n</minimax:tool_call>',
    [read],
  ],
  "another name space": [
    "<seed:tool_call><function=read_file><parameter=path>src/a.ts</parameter></function></seed:tool_call>",
    [read],
  ],
  "Grok's tag": [
    '<xai:function_call name="read_file"><parameter name="path">src/a.ts</parameter></xai:function_call>',
    [read],
  ],
  harmony: [
    '<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path": "src/a.ts"}<|call|>',
    [read],
  ],
  "harmony with its start": [
    'I look.<|end|><|start|>assistant<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path": "src/a.ts"}<|call|>',
    [read],
  ],
  "harmony with the tool before the channel": [
    '<|start|>assistant to=functions.read_file<|channel|>commentary json<|message|>{"path": "src/a.ts"}',
    [read],
  ],
  "Gemma 3": ['```tool_code\nread_file(path="src/a.ts")\n```', [read]],
  "Gemma 3 that prints": ['```tool_code\nprint(default_api.read_file(path="src/a.ts"))\n```', [read]],
  "Gemma 4": ['<|tool_call>call:read_file{path:<|"|>src/a.ts<|"|>}<tool_call|>', [read]],
  FunctionGemma: [
    "<start_function_call>call:read_file{path:<escape>src/a.ts<escape>,first_line:3,whole:true}<end_function_call>",
    [{ name: "read_file", input: { path: "src/a.ts", first_line: 3, whole: true } }],
  ],
  pythonic: ["[read_file(path='src/a.ts'), list_editors()]", [read, { name: "list_editors", input: {} }]],
  "pythonic between tokens": ['<|python_start|>[read_file(path="src/a.ts")]<|python_end|><|eot|>', [read]],
  "pythonic with values of every kind": [
    `[edit_file(path="a\\n\\u00e9", edits=[{"old_text": "}", 'new_text': """x\ny"""}], all=True, none=None, count=-1.5)]`,
    [
      {
        name: "edit_file",
        input: {
          path: "a\né",
          edits: [{ old_text: "}", new_text: "x\ny" }],
          all: true,
          none: null,
          count: -1.5,
        },
      },
    ],
  ],
  "Cline's tags": ["I look.\n\n<read_file>\n<path>src/a.ts</path>\n</read_file>", [read]],
  "the tokens of Command": [
    '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "read_file", "parameters": {"path": "src/a.ts"}}]<|END_ACTION|>',
    [read],
  ],
  "a function tag that only the call closes": [
    "<tool_call>\n<function=read_file>\n<parameter=path>\nsrc/a.ts\n</parameter>\n</tool_call>",
    [read],
  ],
  "a name with its name space": [
    '<tool_call>{"name": "functions.read_file", "arguments": {"path": "src/a.ts"}}</tool_call>',
    [read],
  ],
  "a name of another agent": ['<tool_call>{"name": "Read", "arguments": {"path": "src/a.ts"}}</tool_call>', [read]],
  "arguments that were encoded twice": [
    `<tool_call>{"name": "read_file", "arguments": ${JSON.stringify(JSON.stringify('{"path": "src/a.ts"}'))}}</tool_call>`,
    [read],
  ],
};

/** Calls in tokens of templates that can't be read, or of tools that are not there. */
const unread: Readonly<Record<string, string>> = {
  "an unknown tool": '<|tool_call_begin|>functions.launch:0<|tool_call_argument_begin|>{"a": 1}<|tool_call_end|>',
  "broken arguments": '<tool_call>{"name": "read_file", "arguments": {"path": }}</tool_call>',
  "an unknown token": "<｜tool▁uses▁begin｜>read_file → src/a.ts<｜tool▁uses▁end｜>",
  "a tag without its end":
    '<minimax:tool_call>\n<invoke name="read_file">\n<parameter name="path">src/a.ts</parameter>',
  // cline/cline#11473
  "a call that breaks off in itself":
    '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="read_file">\n<｜DSML｜parameter name="path" string="false">["a",<｜DSML｜tool_calls>\n<｜DSML｜invoke name="read_file">\n<｜DSML｜parameter name="path" string="false">["Ema',
  // anomalyco/opencode#16735, Kilo-Org/kilocode#10364
  "tags whose brackets are escaped":
    '&lt;function_calls&gt;\n&lt;invoke name="read_file"&gt;\n&lt;parameter name="path"&gt;src/a.ts&lt;/parameter&gt;\n&lt;/invoke&gt;\n&lt;/function_calls&gt;',
  "a value without its end": "<tool_call>\n<function=read_file>\n<parameter=path>src/a.ts",
};

const explained: Readonly<Record<string, string>> = {
  "a sentence behind it": "The model writes <|tool_call_begin|> and <|tool_call_end|> around a call.",
  "marked as code": "The token is `<|tool_call_begin|>`",
  "in a code block": "```\n# Kimi\n<|tool_call_begin|>f<|tool_call_end|>\n```",
  HTML: "<ul>\n<li>one</li>\n</ul>",
  "a list": "- [a](b)\n- [c](d)",
  "the name of a parameter": "It writes <function=NAME> and then <parameter=KEY> in front of each value",
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
  "a parameter without its end": "<tool_call>\n<function=read_file>\n<parameter=path>\nsrc/a\n</tool_call>",
  "a call of Python in a sentence": 'Now call read_file(path="src/a.ts")',
  "code of Python": '```python\nread_file(path="src/a.ts")\n```',
  "a list of Python": "[1, 2, 3]",
  "a tag that is no tool": "<div><path>src/a.ts</path></div>",
  "a tag of a tool with text in it": "<read_file>the file src/a.ts</read_file>",
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

  for (const [what, [text, calls]] of Object.entries(tokenForms)) {
    it(`A14 (field 8): ${what} is taken as calls`, () => {
      assert.deepEqual(found(text), calls);
      const { from, calls: taken } = findWrittenCalls(text, declared)!;
      assert.equal(text.slice(0, from) + taken.map(({ written }) => written).join(""), text);
      // As a server leaves it that puts a line end behind.
      assert.deepEqual(found(`${text}\n`), calls);
      assert.ok(what.startsWith("Cline") || /pythonic(?! between)|^Gemma 3/.test(what) || endsWithCallTokens(text));
    });
  }

  for (const [what, text] of Object.entries(unread)) {
    it(`A14 (field 8): ${what} is no call and is known for one`, () => {
      assert.equal(found(text), undefined);
      assert.ok(endsWithCallTokens(`I look.\n\n${text}`));
    });
  }

  it("A14 (cline/cline#5683): the tag of a declared tool at the end is known for a call, whatever is in it; in code, of another name or in a sentence it is none", () => {
    const text = "I write it.\n<read_file> notes.txt You are an expert</read_file>";
    assert.equal(found(text), undefined);
    assert.ok(endsWithToolTag(text, declared));
    for (const other of [
      "<div>text</div>",
      "```xml\n<!-- a -->\n<read_file>a</read_file>",
      "The tag is `<read_file>a</read_file>`",
      "<read_file>a</read_file> is how.",
    ]) {
      assert.ok(!endsWithToolTag(other, declared), other);
    }
  });

  for (const [what, text] of Object.entries(explained)) {
    it(`A14 (field 8): tokens with ${what} are only spoken of`, () => assert.ok(!endsWithCallTokens(text)));
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
      "<|tool_call_begin|>",
      "<read_file><path>",
      "[read_file(a=[",
      '[read_file(a="',
      "<|tool_call>call:a{b:",
      "<|channel|>commentary to=read_file ",
      '<|DSML|invoke name="read_file">',
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

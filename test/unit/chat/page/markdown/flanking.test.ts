/** Emphasis beside Chinese, Japanese and Korean signs; everything else stays as CommonMark has it. */
import assert from "node:assert/strict";
import { lexer, type Token, type Tokens } from "marked";
import { lex, lexInline } from "../../../../../src/chat/page/markdown/lexer";
import { readMarkdown } from "../../../../../src/chat/page/markdown/stream";
import { assertLinear } from "../../../../support/growth";

/** Only the marks that are left over, and `<b>`, `<i>`, `<s>` and `<c>` for what is marked. */
const shown = (text: string): string => {
  const tags = { strong: "b", emphasis: "i", strike: "s", code: "c" } as const;
  const write = (inline: object): string => {
    const one = inline as { type: string; text?: string; children?: readonly object[] };
    const inner = one.text ?? (one.children ?? []).map(write).join("");
    const tag = (tags as Readonly<Record<string, string>>)[one.type];
    return tag === undefined ? inner : `<${tag}>${inner}</${tag}>`;
  };
  const blocks = readMarkdown(text) as readonly object[];
  const writeBlock = (block: object): string => {
    const {
      type,
      children = [],
      items = [],
    } = block as {
      type?: string;
      children?: readonly object[];
      items?: readonly object[];
    };
    if (items.length > 0) return items.map(writeBlock).join("\n");
    return children.map(type === undefined ? writeBlock : write).join("");
  };
  return blocks.map(writeBlock).join("\n");
};

const cases: readonly (readonly [string, string])[] = [
  ["**注意：**请先保存文件。", "<b>注意：</b>请先保存文件。"],
  ["这是**“重点”**内容。", "这是<b>“重点”</b>内容。"],
  ["**测试。**后文", "<b>测试。</b>后文"],
  ["前文**（测试）**后文", "前文<b>（测试）</b>后文"],
  ["他说**「重要」**的事", "他说<b>「重要」</b>的事"],
  ["~~删除（旧）~~后面", "<s>删除（旧）</s>后面"],
  ["*斜体（x）*后面", "<i>斜体（x）</i>后面"],
  ["- **原因：**缺少依赖\n- **修复：**运行安装", "<b>原因：</b>缺少依赖\n<b>修复：</b>运行安装"],
  ["**テスト。**次の文", "<b>テスト。</b>次の文"],
  ["**`code`：**说明", "<b><c>code</c>：</b>说明"],
  ["使用**`npm test`**运行", "使用<b><c>npm test</c></b>运行"],
  ["***重要：***请看", "<i><b>重要：</b></i>请看"],
  ["**한국어(괄호)**는", "<b>한국어(괄호)</b>는"],
  ["**A（甲）**和**B（乙）**。", "<b>A（甲）</b>和<b>B（乙）</b>。"],
  ["**外*内。*外**后", "<b>外<i>内。</i>外</b>后"],
  ["中文**粗体**中文", "中文<b>粗体</b>中文"],
];

function linksIn(tokens: readonly Token[]): readonly string[] {
  return (tokens as readonly Tokens.Generic[]).flatMap((token) => [
    ...(token.type === "link" ? [String(token["href"])] : []),
    ...linksIn(token.tokens ?? []),
  ]);
}

describe("emphasis beside full-width signs", () => {
  for (const [text, right] of cases)
    it(`P2 (field 2): ${JSON.stringify(text)} shows no mark`, () => {
      assert.equal(shown(text), right);
    });

  // openchamber/openchamber#3039, tiann/hapi#478, netease-lcap/wave-agent#1925
  const addresses: readonly (readonly [text: string, href: string])[] = [
    ["访问 https://example.com/docs（中文说明）了解更多", "https://example.com/docs"],
    ["见 https://example.com/guide?b=1，详见下文", "https://example.com/guide?b=1"],
    ["见 https://example.com。", "https://example.com"],
    ["「https://example.com/a」を見て", "https://example.com/a"],
    ["**https://example.com/1**。做", "https://example.com/1"],
    ["（见 www.example.com/a）", "http://www.example.com/a"],
    ["他说“https://example.com/a”", "https://example.com/a"],
    ["见 https://zh.wikipedia.org/wiki/中国 。", "https://zh.wikipedia.org/wiki/中国"],
    ["[文档](https://example.com/（旧）)。", "https://example.com/（旧）"],
    ["https://example.com/a, next", "https://example.com/a"],
  ];
  for (const [text, href] of addresses)
    it(`P2: an address in ${JSON.stringify(text)} ends before the punctuation of the sentence`, () => {
      assert.deepEqual(linksIn(lexInline(text, {})), [href]);
    });

  it("P2 (field 2): text without these scripts is read as the library reads it", () => {
    const texts = [
      "**Note:**text",
      "a**b**c, 2*3*4, **kwargs and *args",
      "** no **, *no *, ~~ no ~~",
      '**"quoted"**text and text**"quoted"**',
      "***both*** **a*b*c** *a**b**c* ~~a~~b ~one~ a~~(b)~~c",
      "foo**bar* baz** *foo**bar*** \\*\\*x\\*\\*",
      "_a_ __b__ a_b_c __init__ _(x)_y",
      "*foo`*`bar* **[a](b)**c *“a”*b",
    ];
    for (const text of texts) assert.deepEqual([...lex(text, {})], [...lexer(text, { gfm: true })], text);
  });

  it("P2 (field 2): an underscore within a word stays one, whatever the script", () => {
    assert.equal(shown("变量_名_字 和 snake_case_name"), "变量_名_字 和 snake_case_name");
  });

  it("P2, H15 (field 2): marks without an end are read in linear time", async () => {
    for (const piece of ["**注意：", "（**", "~~删", "*。", "他**「"])
      await assertLinear(
        500,
        (count) => {
          const text = piece.repeat(count);
          return () => lex(text, {});
        },
        piece,
      );
  });
});

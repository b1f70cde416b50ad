/** What Markdown may become: links only to what can be opened, never markup, never an image that is fetched. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { decodeReferences, readLink } from "../../../../../src/chat/page/markdown/tree";
import { readMarkdown } from "../../../../../src/chat/page/markdown/stream";

describe("markdown tree", () => {
  it("P5: only http, https and mailto become links", () => {
    for (const href of ["https://example.com/", "http://localhost:1/", "mailto:a@example.com"])
      assert.equal(readLink(href), href);
    for (const href of [
      "javascript:alert(1)",
      "JaVaScRiPt:alert(1)",
      " javascript:alert(1)",
      "java\nscript:alert(1)",
      "data:text/html,x",
      "vbscript:x",
      "command:workbench.action.quit",
      "vscode://x/y",
      "file:///etc/passwd",
      "src/app.ts",
      "#top",
      "//example.com",
      "blob:x",
      "",
    ]) {
      assert.equal(readLink(href), undefined, href);
    }
  });

  it("P5: raw HTML stays text and an image becomes a link with its alternative text", () => {
    assert.deepEqual(readMarkdown("<img src=x onerror=alert(1)>\n\nA <b>b</b> ![alt](https://example.com/i.png)"), [
      { type: "paragraph", children: [{ type: "text", text: "<img src=x onerror=alert(1)>" }] },
      {
        type: "paragraph",
        children: [
          { type: "text", text: "A <b>b</b> " },
          { type: "link", url: "https://example.com/i.png", children: [{ type: "text", text: "alt" }] },
        ],
      },
    ]);
  });

  it("P5: no document yields a link with another scheme", () => {
    const scheme = fc.constantFrom(
      "javascript:",
      "data:",
      "command:",
      "&#106;avascript:",
      "java&#x73;cript:",
      "https:",
      "JAVASCRIPT:",
    );
    const shape = fc.constantFrom(
      "[x](@)",
      "![x](@)",
      "<@>",
      "[x]: @\n\n[x]",
      "[x](<@>)",
      '[x](@ "t")',
      "[![i](@)](@)",
    );
    fc.assert(
      fc.property(scheme, fc.string(), shape, (start, rest, template) => {
        const text = JSON.stringify(readMarkdown(template.replaceAll("@", () => start + rest)));
        for (const [, url] of text.matchAll(/"url":"([^"]*)"/g)) assert.match(url!, /^(https?:|mailto:)/);
      }),
    );
  });

  it("P2: tables, task lists, strikethrough, code and nesting", () => {
    assert.deepEqual(readMarkdown("- [x] ~~a~~\n- [ ] b\n\n|a|\n|:-:|\n|`c`|\n\n> ```ts\n> d\n> ```"), [
      {
        type: "list",
        ordered: false,
        start: 1,
        items: [
          {
            ticked: true,
            children: [{ type: "plain", children: [{ type: "strike", children: [{ type: "text", text: "a" }] }] }],
          },
          { ticked: false, children: [{ type: "plain", children: [{ type: "text", text: "b" }] }] },
        ],
      },
      { type: "table", align: ["center"], rows: [[[{ type: "text", text: "a" }]], [[{ type: "code", text: "c" }]]] },
      { type: "quote", children: [{ type: "code", language: "ts", text: "d" }] },
    ]);
  });

  it("P2: character references are read, unknown ones kept", () => {
    assert.equal(decodeReferences("&lt;a&gt; &amp;amp; &#65;&#x42; &nosuch; &"), "<a> &amp; AB &nosuch; &");
    assert.equal(decodeReferences("&#0;&#xd800;&#x110000;"), "\ufffd\ufffd\ufffd");
  });
});

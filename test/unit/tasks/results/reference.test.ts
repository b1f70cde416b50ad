/** References to results in Markdown and HTML: written so that no prompt and no path breaks the document. */
import assert from "node:assert/strict";
import {
  asOwnParagraph,
  escapePath,
  markupOf,
  pathOrName,
  relativePath,
  writeReference,
  writePicture,
} from "../../../../src/tasks/results/reference";

describe("references to results", () => {
  it("T8 (newuser low): in front of a heading, a list, a quote, a fence or a table it is a paragraph of its own", () => {
    for (const rest of [
      "# Title",
      "###### x",
      "#",
      "> said",
      "- one",
      "12. one",
      "```js",
      "~~~",
      "| a |",
      "  ## indented",
    ]) {
      assert.equal(asOwnParagraph("![a](b.png)", rest, "\r\n"), "![a](b.png)\r\n\r\n", rest);
    }
    for (const rest of ["", "text", "#tag", "-5 degrees", "2024 was", "    # code"]) {
      assert.equal(asOwnParagraph("![a](b.png)", rest, "\n"), "![a](b.png)", rest);
    }
  });

  it("T8: writes pictures and videos in Markdown and HTML", () => {
    const picture = { path: "assets/hero.png", alt: "A pier", kind: "image" } as const;
    const video = { path: "assets/hero.mp4", alt: "A pier", kind: "video" } as const;
    assert.equal(writeReference("markdown", picture), "![A pier](assets/hero.png)");
    assert.equal(writeReference("html", picture), '<img src="assets/hero.png" alt="A pier">');
    const tag = '<video controls src="assets/hero.mp4" title="A pier"></video>';
    assert.equal(writeReference("markdown", video), tag);
    assert.equal(writeReference("html", video), tag);
  });

  it("T8: neither a prompt nor a path can end the reference or begin another", () => {
    const hostile = {
      path: 'a b/(x)[y]"<z>&#?%20\\`*:$|.png',
      alt: 'x](javascript:1) "><script>\n\n# `$&` ![y](z)',
      kind: "image",
    } as const;
    const markdown = writeReference("markdown", hostile);
    assert.equal(markdown.split("\n").length, 1);
    assert.match(markdown, /^!\[(?:[^[\]\\]|\\.)*\]\([^\s()<>"]+\)$/);
    assert.match(writeReference("html", hostile), /^<img src="[^"<>&\s]+" alt="[^"<>]*">$/);
    assert.match(
      writeReference("markdown", { ...hostile, kind: "video" }),
      /^<video controls src="[^"<>]+" title="[^"<>]*">/,
    );
    assert.equal(decodeURIComponent(escapePath(hostile.path)), hostile.path);
    assert.equal(escapePath("bilder/großer_hund-𠮷~1.png"), "bilder/großer_hund-𠮷~1.png");
  });

  it("T17: a picture with its size, and the one for sharp displays; neither prompt nor path can end an attribute", () => {
    const size = { width: 512, height: 342 };
    assert.equal(
      writePicture({ path: "assets/hero.webp", double: "assets/hero@2x.webp", alt: "A pier", ...size }),
      '<img src="assets/hero.webp" srcset="assets/hero.webp 1x, assets/hero@2x.webp 2x" width="512" height="342" alt="A pier" />',
    );
    assert.equal(
      writePicture({ path: 'a, "b".webp', double: "c d.webp", alt: '"><script>&\n', ...size }, true),
      '<img src="a%2C%20%22b%22.webp" srcSet="a%2C%20%22b%22.webp 1x, c%20d.webp 2x" width="512" height="342" alt="&quot;&gt;&lt;script&gt;&amp;" />',
    );
    assert.equal(
      writePicture({ path: "../hero.png", alt: "", ...size }),
      '<img src="../hero.png" width="512" height="342" alt="" />',
    );
  });

  it("T8, T17: a prompt is no code in a template that is like HTML, nor in Markdown with code in it", () => {
    const alt = "a {cat} {{dog}} {% raw %} @Model.X `r 1`";
    const inert = "a &#123;cat&#125; &#123;&#123;dog&#125;&#125; &#123;% raw %&#125; &#64;Model.X &#96;r 1&#96;";
    const picture = { path: "a.png", alt, kind: "image" } as const;
    assert.equal(writeReference("html", picture), `<img src="a.png" alt="${inert}">`);
    assert.equal(
      writePicture({ ...picture, width: 1, height: 1 }, true),
      `<img src="a.png" width="1" height="1" alt="${inert}" />`,
    );
    const video = { path: "a.mp4", alt, kind: "video" } as const;
    assert.equal(writeReference("markdown", video), `<video controls src="a.mp4" title="${inert}"></video>`);
    assert.equal(writeReference("markdown", picture), `![${inert.replace("&#64;", "@")}](a.png)`);
  });

  it("T8 (finding 15): a long prompt is cut at a word, never within a character", () => {
    const alt = `${"𠮷".repeat(149)}𠮷𠮷 end`;
    const [, cut = ""] = /^!\[(.*)\]/.exec(writeReference("markdown", { path: "a.png", alt, kind: "image" })) ?? [];
    assert.equal(Array.from(cut).length, 150);
    assert.ok(!/[\ud800-\udbff]$/.test(cut));
  });

  it("T8: the path is relative to the document, also upwards", () => {
    assert.equal(relativePath("/w/docs/a/page.md", "/w/assets/hero.png"), "../../assets/hero.png");
    assert.equal(relativePath("/w/page.md", "/w/assets/hero.png"), "assets/hero.png");
    assert.equal(markupOf("markdown"), "markdown");
    assert.equal(markupOf("typescriptreact"), "html");
    assert.equal(markupOf("python"), undefined);
  });

  it("T17: where no path leads from the document to the file, its name is the reference", () => {
    assert.equal(pathOrName("/w/docs/page.md", "/w/assets/hero.webp"), "../assets/hero.webp");
    assert.equal(pathOrName(undefined, "/home/anna/pics/hero.webp"), "hero.webp");
    assert.equal(pathOrName("/c:/w/page.md", "/d:/pics/hero.webp"), "hero.webp");
    assert.equal(pathOrName("/C:/w/page.md", "/c:/w/hero.webp"), "hero.webp");
  });
});

/** The HTML of webview pages: what their policy allows, and that nothing that is put into them is read as markup. */
import assert from "node:assert/strict";
import { type PageDocument, pageHtml, scriptedPagePolicy } from "../../../src/vscode/pageHtml";

const hostile = `"><script>alert(1)</script>&amp;'`;
const escaped = `&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;'`;
const document: PageDocument = {
  title: "Sluice",
  language: "en",
  policy: scriptedPagePolicy("https://files.example", "bm9uY2U="),
  nonce: "bm9uY2U=",
  styleUrls: ["https://files.example/shared.css", "https://files.example/chat.css"],
  scriptUrl: "https://files.example/chat.js",
  translations: undefined,
  state: undefined,
};

describe("the HTML of a page", () => {
  it("P5: scripts need the nonce, everything else comes from the extension's files, and nothing is sent anywhere", () => {
    assert.deepEqual(document.policy.split("; "), [
      "default-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "script-src 'nonce-bm9uY2U='",
      "style-src https://files.example",
      "font-src https://files.example",
      "img-src https://files.example data: blob:",
      "require-trusted-types-for 'script'",
      "trusted-types lit-html",
    ]);
  });

  it("P5, T15: a page that makes small pictures may read the same files as it shows, and nothing else", () => {
    const policy = scriptedPagePolicy("https://files.example", "bm9uY2U=", { video: true, reads: true });
    assert.ok(policy.split("; ").includes("connect-src https://files.example"));
    assert.ok(!scriptedPagePolicy("https://files.example", "bm9uY2U=", { video: true }).includes("connect-src"));
  });

  it("P5: the policy comes before everything that it restricts", () => {
    const html = pageHtml(document);
    assert.ok(html.indexOf("Content-Security-Policy") < html.indexOf("<link"));
    assert.equal([...html.matchAll(/<script/g)].length, 1);
    assert.ok(html.includes(`<script type="module" nonce="bm9uY2U=" src="https://files.example/chat.js"></script>`));
  });

  it("P5: no field of the page can end its attribute or element", () => {
    for (const field of Object.keys(document)) {
      const html = pageHtml({ ...document, [field]: field === "styleUrls" ? [hostile] : hostile });
      assert.ok(html.includes(escaped), field);
      assert.ok(!html.includes("<script>"), field);
    }
  });

  it("P6: names the language and carries its translations as JSON", () => {
    const html = pageHtml({ ...document, language: "zh-cn", translations: '{"You":"您"}' });
    assert.match(html, /<html lang="zh-cn">/);
    assert.ok(html.includes('data-l10n="{&quot;You&quot;:&quot;您&quot;}"'));
  });
});

/** A hostile model's markup in the page. */
import assert from "node:assert/strict";
import type { AnswerFailure } from "../../../src/domain/chat/chat";
import { usePanel } from "../support/panelSuite";
import { ended, prompt, progress, said, started, text } from "./scenes";

/** An answer that failed with a message of the gateway. */
const failing = (message: string): AnswerFailure => ({ type: "gateway", error: { kind: "rejected", message } });

describe("chat panel, safety", () => {
  const { open } = usePanel();

  const corpus = [
    "<script>globalThis.hit = 1</script>",
    '<img src=x onerror="globalThis.hit = 1">',
    "<svg onload=globalThis.hit=1>",
    "<iframe srcdoc='<script>parent.hit=1</script>'></iframe>",
    '<a href="javascript:globalThis.hit=1">x</a>',
    "[x](javascript:globalThis.hit=1) [y](JaVa&#115;cript:globalThis.hit=1) [z](data:text/html,<script>parent.hit=1</script>)",
    "![i](https://example.com/tracker.png) ![j](javascript:globalThis.hit=1)",
    "<javascript:globalThis.hit=1> <style>*{display:none}</style> <form action=https://example.com><button>go",
    "[c](command:workbench.action.quit) [f](file:///etc/passwd)",
    "```html\n<script>globalThis.hit = 1</script>\n```",
    "`<img src=x onerror=globalThis.hit=1>`\n\n| <b onclick=globalThis.hit=1>a</b> |\n|--|\n| <img src=x onerror=globalThis.hit=1> |",
  ].join("\n\n");

  it("P5: markup from a model, a tool or an error is text, and nothing is fetched", async () => {
    const panel = await open();
    const requests: string[] = [];
    panel.page.on("request", (request) => requests.push(request.url()));
    const input = { path: corpus };
    await panel.events(
      ...prompt("p1", corpus),
      started("a1"),
      ...said(
        "a1",
        { type: "reasoning-delta", block: 0, text: corpus },
        { type: "citation", block: 1, url: "javascript:globalThis.hit=1", title: corpus, raw: 0 },
      ),
      ...said(
        "a1",
        { type: "tool-call-start", block: 2, call: "c1", name: corpus },
        { type: "tool-call-end", call: "c1", input },
      ),
      ...said("a1", { type: "media", block: 3, mimeType: "image/svg+xml", data: "PHN2Zy8+" }),
      ...corpus.split(/(?<= )/).map((part) => text("a1", 4, part)),
      ...ended("a1", { state: "failed", failure: failing(corpus) }),
      progress("a1", "c1", { state: "done", input, action: { type: "read-file", path: corpus }, result: corpus }),
      { type: "turn-ended" },
    );
    await panel.openAll();
    for (const link of await panel.page.locator("a").all())
      assert.match((await link.getAttribute("href"))!, /^https:\/\/example\.com\//);
    assert.equal(await panel.page.locator("#app :is(script, img, svg, iframe, style, form, object, embed)").count(), 0);
    // A row far from the view has its height as a style.
    assert.equal(
      await panel.page.locator("#app [style]:not(.far), #app [onclick], #app [onerror], #app [onload]").count(),
      0,
    );
    assert.equal(await panel.page.evaluate("globalThis.hit"), undefined);
    // The highlighter for the code block is a file of the page's own.
    const own = new RegExp(`^${new URL(panel.page.url()).origin}/[A-Z0-9]{8}\\.mjs$`);
    assert.deepEqual(
      requests.filter((url) => !own.test(url)),
      [],
    );
  });

  it("P5: a link is asked for by the left and the middle button; the right one is for the menu", async () => {
    const panel = await open();
    const source = { type: "citation", block: 1, url: "https://example.com/source", title: "Source", raw: 0 } as const;
    await panel.events(
      ...prompt("p1", "?"),
      started("a1"),
      text("a1", 0, "[page](https://example.com/page)"),
      ...said("a1", source),
    );
    const asked = async (): Promise<number> =>
      (await panel.intents()).filter(({ type }) => type === "link-open").length;
    for (const name of ["page", "Source"]) {
      const link = panel.page.getByRole("link", { name });
      const before = await asked();
      await link.click({ button: "right" });
      assert.equal(await asked(), before);
      await link.click({ button: "middle" });
      await link.click();
      assert.equal(await asked(), before + 2);
    }
  });

  it("P5: what a gateway's message hides or turns around is shown by its number", async () => {
    const panel = await open();
    await panel.events(
      ...prompt("p1", "?"),
      started("a1"),
      ...said("a1", { type: "citation", block: 0, url: "https://example.com/", title: "a\u202eb\nc", raw: 0 }),
      ...ended("a1", { state: "failed", failure: failing("a\u202eb\nc\u200bd") }),
      { type: "turn-ended" },
    );
    await panel.openAll();
    assert.match(await panel.page.locator(".error-title").innerText(), /“a⟨U\+202E⟩b c⟨U\+200B⟩d”\.$/);
    assert.match(await panel.page.locator(".error-details pre").innerText(), /message: a⟨U\+202E⟩b\nc⟨U\+200B⟩d$/);
    assert.equal(await panel.page.getByRole("link").innerText(), "a⟨U+202E⟩b c");
  });
});

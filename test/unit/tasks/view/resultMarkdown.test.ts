/** A saved result as Markdown: the address is relative to the document, and the prompt can't become markup. */
import assert from "node:assert/strict";
import { markdownOf } from "../../../../src/tasks/view/resultMarkdown";
import { accepted, makeTask, savedAt } from "../../../support/builders";

const saved = (prompt: string, savedAs: string, type: "video" | "async-image" = "async-image") =>
  makeTask({ intent: { prompt, type }, submission: accepted({ state: "succeeded" }, { saved: savedAt(savedAs) }) });

describe("a result as Markdown", () => {
  it("T6, T8: an image has the prompt as its description and an address relative to the document", () => {
    const task = saved("a pier in the rain", "/work/site/assets/a pier (1).png");
    assert.equal(
      markdownOf(task, "/work/site/posts/page.md"),
      "![a pier in the rain](../assets/a%20pier%20%281%29.png)",
    );
    assert.equal(markdownOf(task, undefined), "![a pier in the rain](file:///work/site/assets/a%20pier%20%281%29.png)");
  });

  it("T6, T8: a video is one; without a file there is nothing to insert", () => {
    const task = saved("a pier", "/work/site/pier.mp4", "video");
    assert.equal(markdownOf(task, "/work/site/page.md"), '<video controls src="pier.mp4" title="a pier"></video>');
    assert.equal(markdownOf(makeTask({ submission: accepted({}) }), "/work/site/page.md"), undefined);
  });

  it("T6, R4: a prompt or a file name with markup stays text", () => {
    const task = saved('x](javascript:alert(1)) "><script>', "/work/site/a\"b'<c>.mp4", "video");
    const html = markdownOf(task, "/work/site/page.md") ?? "";
    assert.equal(
      html,
      '<video controls src="a%22b%27%3Cc%3E.mp4" title="x](javascript:alert(1)) &quot;&gt;&lt;script&gt;"></video>',
    );
    assert.equal(markdownOf(saved("a](b)![c", "/w/a.png"), "/w/page.md"), "![a\\](b)\\!\\[c](a.png)");
  });
});

/** Whether rendered Markdown shows every word of its text. */
import assert from "node:assert/strict";
import { showsAll } from "../../../../../src/chat/page/markdown/showsAll";
import { readMarkdown } from "../../../../../src/chat/page/markdown/stream";

const isShown = (text: string): boolean => showsAll(text, readMarkdown(text));

describe("showsAll", () => {
  it("P1: formatting is no word: marks, fences, numbers of a list, ticks and links may be drawn", () => {
    const texts = [
      "Say **hello** to `Ada` and ~~Bob~~",
      "# Title\n\n> quoted\n\n---\n\n- [x] done\n- [ ] open",
      "3. three\n4. four",
      "```ts src/app.ts\nconst a = 1;\n```",
      "| a | b |\n|---|:-:|\n| 1 | 2 |",
      "[guide](https://example.com/guide) and https://example.com/x",
      "中文与 <b>HTML</b> 🙂",
      "",
    ];
    for (const text of texts) assert.ok(isShown(text), text);
  });

  it("P1: a definition of a link, its title, a cell too many, a label and another number are words", () => {
    const texts = [
      "[a]: http://x.example/y",
      "text\n\n[a]: http://x.example/y\n\nmore",
      "> [a]: http://x.example/y",
      '[x](https://example.com/ "title")',
      "[x](javascript:run)",
      "| a |\n|---|\n| b | c |",
      "1. one\n7. seven",
      "see [text][label]\n\n[label]: https://example.com/",
    ];
    for (const text of texts) assert.ok(!isShown(text), text);
  });
});

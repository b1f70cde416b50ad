/** Which files a text names. */
import assert from "node:assert/strict";
import { MediaNames } from "../../../../src/domain/task/mediaNames";

describe("names of files in a text", () => {
  const names = new MediaNames(["hero.png", "a pier (2).png", "clip.mp4", "unused.webp"]);

  it("T17: are found in Markdown, HTML, CSS and code, with query, escapes and other paths around them", () => {
    const texts: readonly (readonly [text: string, found: readonly string[]])[] = [
      ["![](../assets/hero.png)", ["hero.png"]],
      ['<img src="/img/hero.png?v=2#top">', ["hero.png"]],
      ["background: url('hero.png')", ["hero.png"]],
      ["import hero from './assets/hero.png';", ["hero.png"]],
      ['srcset="hero.png 1x, clip.mp4 2x"', ["clip.mp4", "hero.png"]],
      ["![](a%20pier%20%282%29.png)", ["a pier (2).png"]],
      ["open('assets/a pier (2).png')", ["a pier (2).png"]],
      ["C:\\site\\hero.png", ["hero.png"]],
      ["a superhero.png and hero.png.bak and %zz.png", []],
      ["", []],
    ];
    for (const [text, found] of texts) assert.deepEqual([...names.in(text)].sort(), found, text);
  });
});

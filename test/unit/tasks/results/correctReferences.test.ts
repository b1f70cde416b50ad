/** References that get the name that the file has: nothing but the path in a reference changes. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { expectedFile, withoutEnding } from "../../../../src/domain/task/taskTypes";
import { correctReferences } from "../../../../src/tasks/results/correctReferences";

const corrected = (
  text: string,
  expected: string,
  actual: string,
  markup: "markdown" | "html" | "mdx" = "markdown",
): string =>
  [...correctReferences(text, expected, actual, markup)]
    .reverse()
    .reduce((now, { start, end, text: piece }) => now.slice(0, start) + piece + now.slice(end), text);

describe("corrected references", () => {
  it("T8: an ending other than expected is corrected once, and only where the reference stands", () => {
    const text = "![a](assets/hero.png) and ![b](assets/hero-2.png) and ![c](my/assets/hero.png) assets/hero.png5";
    const after = "![a](assets/hero.webp) and ![b](assets/hero-2.png) and ![c](my/assets/hero.png) assets/hero.png5";
    assert.equal(corrected(text, "assets/hero.png", "assets/hero.webp"), after);
    assert.equal(corrected(after, "assets/hero.png", "assets/hero.webp"), after);
    assert.equal(corrected("nothing of it", "assets/hero.png", "assets/hero.webp"), "nothing of it");
    assert.equal(corrected("![a](assets/hero)", "assets/hero", "assets/hero.png"), "![a](assets/hero.png)");
  });

  it("T8: another name is written with what must be escaped in it", () => {
    const text = '<img src="my%20pictures/hero%20%281%29.png" alt="">';
    for (const markup of ["markdown", "html"] as const)
      assert.equal(
        corrected(text, "my pictures/hero (1).png", "my pictures/hero (1)-2.jpg", markup),
        '<img src="my%20pictures/hero%20%281%29-2.jpg" alt="">',
      );
    assert.equal(withoutEnding("a/v1.2"), "a/v1.2");
    assert.equal(withoutEnding("a/v1.2.PNG"), "a/v1.2");
  });

  it("T8, T20: where the file has the expected name, the document stays as it is", () => {
    const text = "# logo\n\nThe logo is ours.\n![logo](logo.png)\n";
    assert.equal(corrected(text, "logo.png", "logo.png"), text);
    const tag = '<img class="hero" id="hero" src="hero.png" alt="hero">';
    assert.equal(corrected(tag, "hero.png", "hero.png", "html"), tag);
  });

  it("T8, T20: words, other attributes and files with another ending stay as they are", () => {
    assert.equal(
      corrected("# logo\n\nThe logo, logo.png , is ours.\n![logo](logo.png)\n", "logo.png", "logo.webp"),
      "# logo\n\nThe logo, logo.png , is ours.\n![logo](logo.webp)\n",
    );
    assert.equal(
      corrected('<img class="hero" id="hero" src="hero" alt="hero" data-name="hero">', "hero", "hero.png", "html"),
      '<img class="hero" id="hero" src="hero.png" alt="hero" data-name="hero">',
    );
    const set = '<source srcset="img/hero.webp"><img src="img/hero.jpg">';
    assert.equal(corrected(set, "img/hero.jpg", "img/hero.png", "html"), set.replace("img/hero.jpg", "img/hero.png"));
    assert.equal(corrected(set, "img/hero.jpg", "img/hero.jpg", "html"), set);
  });

  it("T8: the file of a reference has the usual ending of its type, its own one, or none", () => {
    assert.equal(expectedFile("assets/hero", "async-image"), "assets/hero.png");
    assert.equal(expectedFile("assets/hero", "video"), "assets/hero.mp4");
    assert.equal(expectedFile("assets/hero.webm", "video"), "assets/hero.webm");
    assert.equal(expectedFile("assets/hero", "a type of later"), "assets/hero");
  });

  it("T8, T20: what is no reference never changes, whatever it holds, and each reference does", () => {
    const words = (path: string): readonly string[] => [
      path,
      `The ${path} is (${path}) or "${path}" or <${path}>, ${path}`,
      `# ${path}`,
      `\`![a](${path})\` and \`<img src="${path}">\``,
      `<p class="${path}" id="${path}" title="${path}" data-name="${path}">${path} src=${path}</p>`,
      `![${path}](my/${path}) [${path}](${path}.bak) <img src="${path}-2" alt='src=${path}'>`,
      `<!-- <img src="${path}"> -->`,
      `- ${path}\n- src: ${path}`,
    ];
    const references: readonly ((path: string) => string)[] = [
      (path) => `![a](${path})`,
      (path) => `see [a](<${path}> "t") here`,
      (path) => `[label]: ${path}`,
      (path) => `<img alt="" src="${path}#x">`,
      (path) => `<video poster='${path}' controls></video>`,
      (path) => `<img srcset="other.png 1x, ${path} 2x">`,
      (path) => `<p style="background: url(${path})">x</p>`,
    ];
    const names = fc.constantFrom("logo", "logo.png", "img/hero", "img/hero.jpg", "a b/%20 (1).webp");
    const parts = fc.array(fc.record({ isReference: fc.boolean(), at: fc.nat(), isOther: fc.boolean() }));
    fc.assert(
      fc.property(names, parts, (name, chosen) => {
        const written = asWritten(name);
        const made = asWritten("img/made.avif");
        const textWith = (path: string): string =>
          chosen
            .map(({ isReference, at, isOther }) =>
              isReference
                ? references[at % references.length]!(path)
                : words(isOther ? withoutEnding(written) : written)[at % 8]!,
            )
            .join("\n\n");
        assert.equal(corrected(textWith(written), name, "img/made.avif"), textWith(made));
      }),
    );
  });
});

/** The path as a reference has it. */
function asWritten(path: string): string {
  return path.replaceAll("%", "%25").replaceAll(" ", "%20").replaceAll("(", "%28").replaceAll(")", "%29");
}

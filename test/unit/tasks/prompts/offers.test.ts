/** What is offered while a prompt file is written, and what the mouse shows of it. */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import type { TaskType } from "../../../../src/domain/task/task";
import { promptWordAt, offersAt } from "../../../../src/tasks/prompts/offers";

const models = (type: TaskType | undefined): readonly string[] => (type === undefined ? ["any"] : [`${type}-model`]);
/** `|` is the place. What is offered, and what has been typed of it. */
function offered(marked: string): readonly [readonly string[], string] | undefined {
  const offset = marked.indexOf("|");
  const text = marked.replace("|", "");
  const found = offersAt(text, offset, models);
  return found && [found.offers.map(({ name }) => name), text.slice(found.start, offset)];
}

describe("help in prompt files", () => {
  it("T16: keys and values of a directive, with the models of its type", () => {
    assert.deepEqual(offered("# A\n<!-- sluice: ty|")?.[1], "ty");
    assert.ok(offered("# A\n<!-- sluice: |")?.[0].includes("destination"));
    assert.ok(offered("# A\n<!-- sluice: type=|")?.[0].includes("video"));
    assert.deepEqual(offered("# A\n<!-- sluice: type=video model=vi|"), [["video-model"], "vi"]);
    assert.deepEqual(offered("# A\n<!-- sluice: model=[a,b|"), [["any"], "b"]);
    assert.equal(offered("# A\n<!-- sluice: type=video --> a pi|"), undefined);
    assert.equal(offered("# A\n<!-- a note: ty|"), undefined);
  });

  it("T16: keys and values of the front matter, and below it its type for a directive without one", () => {
    assert.deepEqual(offered("---\nse|\n---\n")?.[1], "se");
    assert.deepEqual(offered("---\ntype: image\nmodel: |\n---\n"), [["async-image-model"], ""]);
    assert.deepEqual(offered("---\ntype: image\nmodel: [a, b|\n---\n"), [["async-image-model"], "b"]);
    assert.deepEqual(offered("---\ntype: video\n---\n# A\n<!-- sluice: model=|"), [["video-model"], ""]);
    assert.equal(offered("---\ntype: video\n---\n# A\n\na pier|"), undefined);
  });

  it("T16: also before the second line of --- is written, up to the first heading", () => {
    assert.deepEqual(offered("---\nty|")?.[1], "ty");
    assert.deepEqual(offered("---\ntype: image\nmodel: |\n\n# A\n\na pier"), [["async-image-model"], ""]);
    assert.deepEqual(offered("---\nstyle: ink\n# A\n\na pier, {{|"), [["style"], ""]);
    assert.deepEqual(offered("---\ntype: video\n# A\n<!-- sluice: model=|"), [["video-model"], ""]);
    assert.equal(offered("---\ntype: video\n# A\n\nmo|"), undefined);
    assert.equal(promptWordAt("---\nseed: 1\n", 6)?.offer.name, "seed");
  });

  it("T16: names of variables, and what they stand for", () => {
    const text = "---\nstyle: [ink, oil]\nmood: calm\n---\n# A\n\na pier, {{st|";
    assert.deepEqual(offered(text), [["style", "mood"], "st"]);
    const whole = "---\nstyle: [ink, oil]\nseed: 1\n---\n# A\n\na pier, {{style}} seed";
    const at = (word: string, from = 0): ReturnType<typeof promptWordAt> =>
      promptWordAt(whole, whole.indexOf(word, from) + 2);
    const variable = at("{{style");
    assert.deepEqual(variable && [variable.offer.name, whole.slice(variable.start, variable.end)], ["style", "style"]);
    assert.deepEqual(at("seed:")?.offer.kind, "key");
    assert.equal(at(" seed", 40), undefined, "a word of the prompt is no key");
  });

  it("T16, R4: any text and place is taken", () => {
    const piece = fc.constantFrom(
      "---\n",
      "style: [a, b]\n",
      "<!-- sluice: ",
      "type=",
      "-->",
      "{{",
      "}}",
      "# A\n",
      "x ",
      "[",
      ",",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.nat(200), (pieces, at) => {
        const text = pieces.join("");
        const offset = Math.min(at, text.length);
        const found = offersAt(text, offset, models);
        assert.ok(found === undefined || (found.start >= 0 && found.start <= offset));
        promptWordAt(text, offset);
      }),
    );
  });
});

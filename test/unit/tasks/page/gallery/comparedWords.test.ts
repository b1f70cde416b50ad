/** In what compared results differ. */
import assert from "node:assert/strict";
import { comparePrompts, differingFacts } from "../../../../../src/tasks/page/gallery/comparison";

const marked = (prompts: readonly string[]): string[] =>
  comparePrompts(prompts).map((runs) => runs.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join(""));

describe("the differences of compared results", () => {
  it("T15: of two prompts the words are marked that the other lacks; of more, those that the first lacks", () => {
    const [red, blue, two] = ["A red crane at dusk", "A blue crane at dusk", "A red crane at noon"];
    assert.deepEqual(marked([red, blue]), ["A [red] crane at dusk", "A [blue] crane at dusk"]);
    assert.deepEqual(marked([red, blue, two]), [red, "A [blue] crane at dusk", "A red crane at [noon]"]);
    assert.deepEqual(marked([red, red]), [red, red]);
    assert.deepEqual(marked(["A harbour crane in the evening, gouache.", "A ferry in the fog, linocut."]), [
      "A [harbour crane ]in the [evening], [gouache].",
      "A [ferry] in the [fog], [linocut].",
    ]);
  });

  it("T15: prompts of several lines keep their lines, and very different ones are not marked", () => {
    assert.deepEqual(marked(["A crane\nin fog", "A crane\nin sun"])[1], "A crane\nin [sun]");
    const long = "word ".repeat(600);
    assert.deepEqual(marked(["A crane", long]), ["A crane", long]);
  });

  it("T15: only options that differ are listed, also those that one of them lacks", () => {
    const seed = (value: string) => ({ name: "seed", value });
    const size = { name: "size", value: "1:1" };
    assert.deepEqual(
      differingFacts([
        [seed("1"), size],
        [seed("2"), size, { name: "steps", value: "9" }],
      ]),
      [
        { name: "seed", values: ["1", "2"] },
        { name: "steps", values: ["", "9"] },
      ],
    );
    assert.deepEqual(differingFacts([[size], [size]]), []);
  });
});

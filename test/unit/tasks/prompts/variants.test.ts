/** Variables and lists of a prompt file: what is made of each prompt, and what is said of one that can't be filled in. */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import { type FilePrompt, parsePrompts } from "../../../../src/tasks/prompts/parsePrompts";
import { expandAlone, maxVariants } from "../../../../src/tasks/prompts/variants";
import { describeProblem } from "../../../../src/tasks/view/promptWords";

const file = (front: readonly string[], ...body: readonly string[]): string =>
  ["---", ...front, "---", "# Pictures", "", ...body].join("\n");
const only = (text: string): FilePrompt => {
  const [prompt, second] = parsePrompts(text).prompts;
  assert.ok(prompt && !second);
  return prompt;
};
const texts = (text: string): readonly string[] => only(text).variants.map((variant) => variant.text);

describe("variants of prompts", () => {
  it("T16: three styles and four seeds are twelve variants, in the order of the file, each with what it was made of", () => {
    const text = file(
      ["type: image", "style: [ink, 'oil, thick', \"paper cut\"]", "place: a harbour", "seed: [1, 2, 3, 4]"],
      "{{place}} in {{style}}, seen from {{place}}",
    );
    const { problems } = parsePrompts(text);
    const { variants } = only(text);
    assert.deepEqual(problems, []);
    assert.equal(variants.length, 12);
    assert.deepEqual(
      variants.slice(3, 6).map(({ settings: { seed, type }, ...one }) => [one.text, type, seed, one.chosen]),
      [
        ["a harbour in ink, seen from a harbour", "async-image", 4, [of("style", "ink"), of("seed", "4")]],
        [
          "a harbour in oil, thick, seen from a harbour",
          "async-image",
          1,
          [of("style", "oil, thick"), of("seed", "1")],
        ],
        [
          "a harbour in oil, thick, seen from a harbour",
          "async-image",
          2,
          [of("style", "oil, thick"), of("seed", "2")],
        ],
      ],
    );
  });

  it("T16: a list may be one value a line, with comments; a prompt that names none of it has one variant", () => {
    const front = ["style:", "  - ink # black", '  - "oil"', "mood: calm"];
    assert.deepEqual(texts(file(front, "a pier in {{style}}, {{mood}}")), [
      "a pier in ink, calm",
      "a pier in oil, calm",
    ]);
    const text = file(front, "a pier");
    assert.deepEqual(texts(text), ["a pier"]);
    assert.deepEqual(
      parsePrompts(text).problems.map(({ reason, name }) => [reason, name]),
      [
        ["unused-variable", "style"],
        ["unused-variable", "mood"],
      ],
    );
  });

  it("T16: a list below a heading replaces that of the file, and so does one value; models of pictures are not those of a video", () => {
    const front = ["type: image", "model: [a, b]", "seed: [1, 2]"];
    const seeds = (directive: string): unknown[] =>
      only(file(front, directive, "", "a pier")).variants.map(({ settings }) => [settings.model, settings.seed]);
    assert.equal(seeds("").length, 4);
    assert.deepEqual(seeds("<!-- sluice: seed=7 model=c -->"), [["c", 7]]);
    assert.deepEqual(seeds("<!-- sluice: seed=[8, 9] model=c -->"), [
      ["c", 8],
      ["c", 9],
    ]);
    assert.deepEqual(seeds("<!-- sluice: type=video seed=7 -->"), [[undefined, 7]]);
  });

  it("T16: the destination may name variables and lists", () => {
    const front = ["style: [ink, oil]", "seed: [1, 2]", "destination: assets/{{style}}-{{seed}}"];
    assert.deepEqual(
      only(file(front, "a pier in {{style}}")).variants.map(({ settings }) => settings.destination),
      ["assets/ink-1", "assets/ink-2", "assets/oil-1", "assets/oil-2"],
    );
  });

  it("T16: a variable without a value, and too many variants, are said at their place, and nothing is made", () => {
    const cases: [string, string, RegExp][] = [
      [file(["style: []"], "a pier in {{style}}"), "{{style}}", /style has no value/],
      [
        file(["style: ink"], "a pier in {{stile}}"),
        "{{stile}}",
        /variable .*stile.* has no value. The nearest name is .*style/,
      ],
      [file(["style: ink"], "a pier in {{stlye}}"), "{{stlye}}", /The nearest name is .*style/],
      [file(["style: ink"], "a pier in {{light}}"), "{{light}}", /variable .*light.* has no value: write light: …/],
      [file(["seed: [1, 2]", `n: [${numbers(60)}]`], "a pier, {{n}}"), "a pier, {{n}}", /120 variants/],
    ];
    for (const [text, marked, words] of cases) {
      assert.deepEqual(only(text).variants, []);
      const [problem] = parsePrompts(text).problems;
      assert.ok(problem);
      assert.equal(text.slice(problem.start, problem.end), marked);
      assert.match(describeProblem(problem), words);
    }
  });

  it("T16: a list of more values than can be used is refused, never cut; of references too", () => {
    const last = (text: string): string => describeProblem(parsePrompts(text).problems.at(-1)!);
    const variable = file([`n: [${numbers(250)}]`], "a pier, {{n}}");
    assert.deepEqual(only(variable).variants, []);
    assert.match(last(variable), /101\+ variants/);
    const seeds = file(["seed:", ...Array.from({ length: 101 }, (_, at) => `- ${at}`)], "a pier");
    assert.deepEqual(only(seeds).variants, []);
    assert.match(last(seeds), /101\+ variants/);
    const references = (count: number): string => file([`reference: [${numbers(count)}]`], "a pier");
    assert.equal(only(references(100)).variants.length, 1);
    assert.deepEqual(only(references(101)).variants, []);
    assert.match(last(references(101)), /reference has more than 100 values/);
  });

  it("T16: a prompt without variables around it keeps its lists; the names that it has are text, also those of no key", () => {
    const alone = (text: string, settings: FilePrompt["settings"]): ReturnType<typeof expandAlone> =>
      expandAlone({ text, settings });
    const seeds = { lists: { seed: [{ seed: 1 }, { seed: 2 }] } };
    assert.deepEqual(
      alone("{{style}} no. {{seed}} of {{}}", seeds).variants.map(({ text, settings }) => [text, settings]),
      [
        ["{{style}} no. 1 of {{}}", { seed: 1 }],
        ["{{style}} no. 2 of {{}}", { seed: 2 }],
      ],
    );
    assert.deepEqual(
      alone("{{style}}", {}).variants.map(({ text }) => text),
      ["{{style}}"],
    );
    const many = { lists: { seed: Array.from({ length: 101 }, (_, seed) => ({ seed })) } };
    assert.deepEqual(
      alone("{{style}}", many).problems.map(({ reason }) => reason),
      ["too-many-variants"],
    );
  });

  it("T16: front matter is read as YAML: comments, quotes, blocks and folded lines", () => {
    const values: [string, readonly string[]][] = [
      ["[\"no. # 1\", 'no. #2', no. 3] # three", ["no. # 1", "no. #2", "no. 3"]],
      ['"a pier #1" # quoted', ["a pier #1"]],
      ["it's a pier # isn't it", ["it's a pier"]],
      ["[ink] # [or oil]", ["ink"]],
      ["a pier [east] # west", ["a pier [east]"]],
      ["C#", ["C#"]],
    ];
    for (const [given, expected] of values) {
      assert.deepEqual(texts(file([`style: ${given}`], "{{style}}")), expected, given);
      const [first] = expected;
      if (!given.startsWith("["))
        assert.deepEqual(texts(file(["style:", `  - ${given}`], "{{style}}")), [first], given);
    }
    const blocks: [readonly string[], string][] = [
      [["style: >-", "  calm and", "  foggy"], "calm and foggy"],
      [["style: |", "  calm", "  foggy"], "calm\nfoggy"],
      [["style: calm", "  and foggy"], "calm and foggy"],
      [['style: "calm', '  and \\"foggy\\""'], 'calm and "foggy"'],
      [["'style' : calm"], "calm"],
      [["style: 007"], "007"],
    ];
    for (const end of ["\n", "\r\n"])
      for (const [front, expected] of blocks)
        assert.deepEqual(texts(file(front, "{{style}}").replaceAll("\n", end)), [expected], front.join(end));
    assert.deepEqual(texts(file(["style:", "  - >-", "    calm and", "    foggy", "  - ink"], "{{style}}")), [
      "calm and foggy",
      "ink",
    ]);
    assert.deepEqual(only(file(["model: >-", "  my", "  model", "seed: 7"], "a pier")).variants[0]?.settings, {
      model: "my model",
      seed: 7,
    });
  });

  it("T1, T16 (field 10e): front matter in a form that can't be used stops the prompts, and is named at its place", () => {
    const cases: [readonly string[], string, string][] = [
      [["seed: 1", "style: 'ink # wash", "size: 1x1"], "bad-yaml", "style: 'ink # wash"],
      [["style: [ink # wash"], "bad-yaml", "style: [ink # wash"],
      [["style: {{mood}}/a"], "bad-yaml", "style: {{mood}}/a"],
      [["style：水彩"], "bad-yaml", "style：水彩"],
      [["style:ink"], "bad-yaml", "style:ink"],
      [["style: ink", "a line of its own"], "bad-yaml", "a line of its own"],
      [["style: !secret ink"], "bad-yaml", "style: !secret ink"],
      [["style: ink", `deep: ${"[".repeat(501)}`], "front-matter-too-long", "style: ink"],
      [["style: {ink: 1}"], "bad-form", "{{style}}"],
      [["style: [[ink, oil], chalk]"], "bad-form", "{{style}}"],
      [["mood: &calm calm", "style: *calm"], "bad-form", "{{style}}"],
      [["style: ink", "style: oil"], "duplicate-key", "style: oil"],
      [["style: ink", "seed: 1", "Seed: 2"], "duplicate-key", "Seed: 2"],
      [["style: ink", "seed: {from: 1}"], "bad-form", "seed: {from: 1}"],
      [["style: ink", "destination: [a, b]"], "bad-form", "destination: [a, b]"],
      [["style: ink", "model: 'm-{{style}}'"], "unread-braces", "model: 'm-{{style}}'"],
    ];
    for (const [front, reason, marked] of cases) {
      const text = file(front, "a pier in {{style}}");
      const found = parsePrompts(text).problems.find((problem) => problem.reason === reason);
      assert.ok(found, `${front.join(" / ")}: ${JSON.stringify(parsePrompts(text).problems)}`);
      assert.ok(text.slice(found.start, found.end).endsWith(marked), front.join());
      assert.deepEqual(only(text).variants, [], front.join());
      assert.notEqual(describeProblem(found), "");
    }
    const others = file(["tags: {a: b}", "authors: [[x], y]", "style: ink"], "a pier in {{style}}");
    assert.deepEqual(texts(others), ["a pier in ink"], "keys of other programs hinder nothing");
  });

  it("T1, T16 (field 10a, 10b): a variable is filled in with blanks in its braces and in letters of any script", () => {
    for (const braces of ["{{style}}", "{{ style }}", "{{  style}}", "{{style\t}}"])
      assert.deepEqual(
        texts(file(["style: [ink, oil]"], `a pier, ${braces}.`)),
        ["a pier, ink.", "a pier, oil."],
        braces,
      );
    for (const name of ["风格", "größe", "スタイル", "стиль", "art style", "é", "1st", "x-y.z"])
      assert.deepEqual(
        texts(file([`${name}: [ink, oil]`], `a pier, {{${name}}}.`)),
        ["a pier, ink.", "a pier, oil."],
        name,
      );
    assert.deepEqual(texts(file(["größe".normalize("NFC") + ": 2 m"], `a pier, {{${"größe".normalize("NFD")}}}`)), [
      "a pier, 2 m",
    ]);
    assert.deepEqual(
      only(file(["风格: 水彩", "destination: assets/{{ 风格 }}"], "{{风格}}")).variants.map(
        (one) => one.settings.destination,
      ),
      ["assets/水彩"],
    );
  });

  it("T1, T16 (field 10a): braces that would be paid for as they are stop the prompt; a backslash makes them text", () => {
    for (const left of [
      "{{style|upper}}",
      "{style}",
      "${style}",
      "{ style }",
      "{{{style}}}",
      "{{ink",
      "{{}}",
      "{{style}",
      "｛｛style｝｝",
      "{{a\nb}}",
    ]) {
      const text = file(["style: ink"], `a pier in {{style}}, ${left}`);
      assert.deepEqual(only(text).variants, [], left);
      const [problem] = parsePrompts(text).problems;
      assert.ok(problem && describeProblem(problem) !== "", left);
    }
    for (const [given, sent] of [
      ["\\{{masterpiece}}, {{style}}", "{{masterpiece}}, ink"],
      ["{red|blue} and {a: {b: 1}}, {{style}}", "{red|blue} and {a: {b: 1}}, ink"],
    ] as const)
      assert.deepEqual(texts(file(["style: ink"], given)), [sent]);
  });

  it("T16, R4: long values that are named often are refused, and many variants of many prompts, before they are made", () => {
    const bomb = file([`a: ${"x".repeat(100_000)}`], "{{a}}".repeat(20_000));
    assert.deepEqual(reasons(bomb), [["variants-too-long", 0]]);
    const many = file([`seed: [${numbers(100)}]`], Array.from({ length: 200 }, () => "word ".repeat(100)).join("\n\n"));
    const made = parsePrompts(many).prompts.map(({ variants }) => variants.length);
    assert.deepEqual([made[0], made.at(-1)], [100, 0]);
  });

  it("T16: any lists: as many variants as the product of their lengths, all of them different, and no name is left in them", () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/);
    const list = fc.uniqueArray(word, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(list, list, fc.uniqueArray(fc.nat(1000), { minLength: 1, maxLength: 4 }), (styles, moods, seeds) => {
        const front = [`style: [${styles.join(", ")}]`, `mood: [${moods.join(", ")}]`, `seed: [${seeds.join(", ")}]`];
        const { variants } = only(file(front, "a {{mood}} pier, {{style}}"));
        const count = styles.length * moods.length * seeds.length;
        assert.equal(variants.length, count > maxVariants ? 0 : count);
        assert.equal(new Set(variants.map((one) => `${one.text} ${one.settings.seed}`)).size, variants.length);
        assert.ok(variants.every((one) => !one.text.includes("{{")));
      }),
    );
  });
});

function reasons(text: string): readonly (readonly [string, number])[] {
  const { prompts, problems } = parsePrompts(text);
  return problems.map(({ reason }) => [reason, prompts[0]?.variants.length ?? -1]);
}

function of(name: string, value: string): { readonly name: string; readonly value: string } {
  return { name, value };
}

function numbers(count: number): string {
  return Array.from({ length: count }, (_, at) => at).join(", ");
}

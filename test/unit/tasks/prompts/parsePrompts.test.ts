/** Prompt files: what is a prompt, which settings apply to it, and what is said about a directive that can't be read. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { maxPromptFile, readSinglePrompt } from "../../../../src/tasks/prompts/directives";
import { maxUnread, parsePrompts } from "../../../../src/tasks/prompts/parsePrompts";
import { describeProblem } from "../../../../src/tasks/view/promptWords";
import { assertLinear } from "../../../support/growth";
import { isFullRun } from "../../../support/runs";

const textsOf = (text: string): readonly string[] => parsePrompts(text).prompts.map((prompt) => prompt.text);

describe("prompt files", () => {
  it("T2 (finding 20): the directives of the shipped sample give each prompt its type", () => {
    const { prompts, problems } = parsePrompts(readFileSync("media/sample/hero.prompts.md", "utf8"));
    assert.deepEqual(problems, []);
    assert.deepEqual(
      prompts.map(({ settings, text }) => [settings.type, text.split(" ").slice(0, 3).join(" ")]),
      [
        ["video", "A lighthouse at"],
        ["video", "Lanterns drift across"],
        ["stylized-image", "The pier with"],
        ["stylized-image", "The lighthouse as"],
        ["async-image", "A paper lantern"],
        ["async-image", "An old ferry"],
        ["async-image", "Fireworks mirrored in"],
      ],
    );
    assert.equal(new Set(prompts.map(({ heading }) => heading)).size, 3);
  });

  it("T2: a file whose text is under no heading gets a hint at its first line; one with prompts, or without text, none", () => {
    const hintsOf = (text: string): readonly string[] =>
      parsePrompts(text).problems.map(({ start, end, reason }) => `${reason} ${text.slice(start, end)}`);
    assert.deepEqual(hintsOf("---\ntype: image\n---\n\nA pier at dawn,\nin fog.\n\n- a ferry\n"), [
      "no-heading A pier at dawn,",
    ]);
    assert.deepEqual(hintsOf("A pier.\n\n# Pictures\n"), ["no-heading A pier."]);
    assert.deepEqual(hintsOf("An introduction.\n\n# Pictures\n\na pier\n"), []);
    for (const empty of ["", "# Pictures\n", "<!-- a note -->\n", "> a quote\n"]) assert.deepEqual(hintsOf(empty), []);
    assert.match(describeProblem(parsePrompts("A pier.").problems[0]!), /under a heading/);
  });

  it("T2: a prompt is a paragraph or list item under a heading; quotes, code, tables, HTML, rules and comments are none", () => {
    const text = [
      "Before any heading.",
      "# Title",
      "> a note",
      "",
      "one",
      "in two lines",
      "",
      "```",
      "code",
      "```",
      "| a | b |",
      "",
      "<p>html</p>",
      "",
      "***",
      "- [ ] first item",
      "  goes on",
      "",
      "  with a paragraph",
      "- second",
      "   - nested",
      "1. numbered",
      "<!-- a comment -->",
      "",
      "[link]: https://example.com",
    ].join("\n");
    assert.deepEqual(textsOf(text), [
      "one\nin two lines",
      "first item\ngoes on\n\nwith a paragraph",
      "second\n - nested",
      "numbered",
    ]);
  });

  it("T2: a directive applies to what follows under its heading, an inner one to its own prompt, front matter to all", () => {
    const text = [
      "---",
      "model: m0",
      "seed: 1",
      "---",
      "# A",
      "<!-- sluice: type=video duration=5s size=1280x720 -->",
      "one",
      "## B",
      "<!-- sluice: model='big model' reference=a.png",
      "     reference=https://example.com/b.png -->",
      "two <!-- sluice: seed=-7 destination=assets/ -->",
      "# C",
      "three",
    ].join("\n");
    const [one, two, three] = parsePrompts(text).prompts;
    const base = { model: "m0", seed: 1 };
    assert.deepEqual(one?.settings, { ...base, type: "video", duration: 5, size: "1280x720" });
    assert.deepEqual(two?.settings, {
      ...one.settings,
      model: "big model",
      references: ["a.png", "https://example.com/b.png"],
      seed: -7,
      destination: "assets/",
    });
    assert.equal(two.text, "two");
    assert.deepEqual(three?.settings, base);
    assert.deepEqual(parsePrompts(text).problems, []);
  });

  it("T1, T2 (field 10c): a line that begins oddly belongs to its paragraph, as in CommonMark", () => {
    const goesOn = [
      "<lora:add_detail:0.8>, golden hour",
      "<S>Hello there.<E> He waves.",
      "<S>",
      "| a dragon above him\n| sunset",
      "[cow:horse:0.5]: painted, oil",
      "[link]: https://example.com",
      "1984. The year of it",
      "2) a second view",
      "*",
      "#tag of a style",
      "::: wide",
    ];
    for (const line of goesOn) {
      assert.deepEqual(textsOf(`# A\n\na castle,\n${line}\nfog`), [`a castle,\n${line}\nfog`]);
      assert.deepEqual(parsePrompts(`# A\n\na castle,\n${line}\nfog`).unread, []);
    }
    for (const line of [
      "<lora:add_detail:0.8> a castle on a hill",
      "<S>Hello there.<E> He waves.",
      "[cow:horse:0.5]: painted, oil",
    ])
      assert.deepEqual(textsOf(`# A\n\n${line}`), [line]);
    assert.deepEqual(textsOf("# A\n\n- a castle\n<lora:x:1> fog\n- a cat\n2. a dog"), [
      "a castle\n<lora:x:1> fog",
      "a cat",
      "a dog",
    ]);
    assert.deepEqual(textsOf("# A\n\na castle\n| a | b |\n| - | - |\n| c | d |\n\na cat"), ["a castle", "a cat"]);
    assert.deepEqual(textsOf("# A\n\na castle\n<div>\nx\n\na cat"), ["a castle", "a cat"]);
  });

  it("T1, T2 (field 10c): each line that belongs to nothing is listed", () => {
    const unreadOf = (text: string): readonly string[] =>
      parsePrompts(text).unread.map(({ line, lastLine, text: first }) => `${line}-${lastLine} ${first}`);
    assert.deepEqual(unreadOf("# A\n\na castle\n> a quote\ngoes on\n\na cat\n\n| x |\n"), [
      "3-4 > a quote",
      "8-8 | x |",
    ]);
    assert.deepEqual(unreadOf("An intro,\nof two lines.\n\n# A\n\na castle"), ["0-1 An intro,"]);
    assert.deepEqual(unreadOf("---\ntype: image\nsizes: 1x1\n---\n# A\n\na castle"), ["2-2 sizes: 1x1"]);
    assert.deepEqual(unreadOf("# A\n\na castle\n\n```\ncode\n\na cat"), ["4-7 ```"], "a fence without an end");
    assert.deepEqual(unreadOf("# A\n\na castle\n\n<!-- note\n\na cat"), ["4-6 <!-- note"], "a comment without an end");
    assert.deepEqual(unreadOf("# A\n\na castle\n\n<!-- sluice: seed=1 -->\n\n## B\n\na cat"), [
      "4-4 <!-- sluice: seed=1 -->",
    ]);
    assert.deepEqual(unreadOf("---\ntype: image\n# A\n\na castle"), ["1-1 type: image"], "front matter without an end");
    const fine = "---\ntype: image\n---\n# A\n\na castle\n\n```\ncode\n```\n\n***\n\n<!-- note -->\n\n- a cat\n";
    assert.deepEqual(unreadOf(fine), []);
    const many = parsePrompts(`# A\n\n${"> q\n\n".repeat(500)}a castle`);
    assert.equal(many.unread.length, maxUnread + 1);
    assert.equal(many.unread.at(-1)?.lastLine, 1000);
  });

  it("T2 (newuser M7): a comment above a prompt is that prompt's, one below a heading is the heading's", () => {
    const seeds = (...lines: readonly string[]): readonly unknown[] =>
      parsePrompts(lines.join("\n")).prompts.map(({ settings }) => settings.seed);
    const own = "<!-- sluice: seed=7 -->";
    assert.deepEqual(seeds("# A", "", own, "", "one", "", "two"), [7, 7]);
    assert.deepEqual(seeds("# A", "", own, "<!-- a note -->", "<!-- sluice: size=1x1 -->", "one", "", "two"), [7, 7]);
    assert.deepEqual(seeds("# A", "", "one", "", own, "two", "", "three"), [undefined, 7, undefined]);
    assert.deepEqual(seeds("# A", "", "one", "", own, "", "> a note", "", "two", "", "three"), [
      undefined,
      7,
      undefined,
    ]);
    assert.deepEqual(seeds("# A", "", "- one", own, "- two", "- three"), [undefined, 7, undefined]);
    assert.deepEqual(seeds("# A", "", "one", own, "goes on", "", "two"), [7, undefined]);
    assert.deepEqual(seeds("# A", "", "one", "", own, "", "## B", "", "two"), [undefined, undefined]);
    assert.deepEqual(seeds(own, "", "# A", "", "one", "", "## B", "", "two"), [7, 7]);
    assert.deepEqual(seeds("# A", own, "## B", "one", "# C", "two"), [7, undefined]);
    const bad = parsePrompts("# A\n\none\n\n<!-- sluice: size=banana -->\n\ntwo\n\nthree").prompts;
    assert.deepEqual(
      bad.map(({ variants }) => variants.length),
      [1, 0, 1],
    );
  });

  it("T2 (field 10): a directive with a wide colon, a blank before it, or none is read", () => {
    for (const start of ["sluice:", "sluice：", "Sluice :", "sluice"])
      assert.equal(parsePrompts(`# A\n<!-- ${start} seed=7 -->\none`).prompts[0]?.settings.seed, 7, start);
    assert.equal(parsePrompts("# A\n<!-- sluice is a tool -->\none").problems.length, 0);
  });

  it("T2 (field 10f): a seed that JavaScript would round is refused in words that say so", () => {
    for (const [seed, words] of [
      ["6687881544318117707", /^“6687881544318117707” is larger than a seed can be/],
      ["9007199254740993", /larger than a seed can be/],
      ["1.5", /is no seed: write a whole number/],
    ] as const) {
      const [problem] = parsePrompts(`---\nseed: ${seed}\n---\n# A\n\na crane`).problems;
      assert.match(problem ? describeProblem(problem) : "", words);
    }
  });

  it("T2 (finding N7): a section that makes something else does not inherit the model of the file", () => {
    const file = [
      ...["---", "type: image", "model: painter", "size: 1x1", "---", "# Pictures", "", "a pier", ""],
      ...["## Poster", "", "<!-- sluice: type=stylized-image -->", "", "a poster", ""],
      ...["## Film", "", "<!-- sluice: type=video -->", "", "a film", ""],
      ...["## Other film", "", "<!-- sluice: type=video model=camera -->", "", "another film"],
    ].join("\n");
    assert.deepEqual(
      parsePrompts(file).prompts.map(({ settings: { type, model, size } }) => [type, model, size]),
      [
        ["async-image", "painter", "1x1"],
        ["stylized-image", "painter", "1x1"],
        ["video", undefined, "1x1"],
        ["video", "camera", "1x1"],
      ],
    );
  });

  it("T2: an unknown key, an unknown value and a missing value are named where they stand", () => {
    for (const lineBreak of ["\n", "\r\n"]) {
      const text = [
        "---",
        "title: x",
        "seed: soon",
        "---",
        "# A",
        "<!-- sluice: type=song",
        "colour=red model= -->",
        "one",
      ].join(lineBreak);
      const { problems } = parsePrompts(text);
      assert.deepEqual(
        problems.map(({ reason, start, end }) => [reason, text.slice(start, end)]),
        [
          ["bad-seed", "seed: soon"],
          ["bad-type", "type=song"],
          ["unknown-key", "colour=red"],
          ["no-value", "model="],
          ["unused-variable", "title: x"],
        ],
      );
    }
  });

  it("T1, T16: a prompt below a value that can't be used is not submitted without it; a value of its own mends that", () => {
    const variantsUnder = (...directives: readonly string[]): readonly number[] =>
      parsePrompts(
        [
          "# A",
          ...directives.map((one, at) => `${"#".repeat(at + 2)} B\n\n<!-- sluice: ${one} -->\n\nprompt ${at}`),
        ].join("\n\n"),
      ).prompts.map(({ variants }) => variants.length);
    for (const bad of [
      ...["size=banana", "seed=[1, two]", "type=song", "duration=-1", "model=", "sise=1x1", "reference="],
      ...["destination=../../etc/", "destination=/etc/x", "destination=.git/hooks/x"],
    ])
      assert.deepEqual(variantsUnder(bad), [0], bad);
    assert.deepEqual(variantsUnder("size=banana", "size=1x1"), [0, 1]);
    assert.deepEqual(variantsUnder("reference=", "reference=a.png"), [0, 1]);
    assert.deepEqual(variantsUnder("size=banana", "seed=[1, 2]"), [0, 0]);
    assert.deepEqual(variantsUnder("size=1x1", "size=banana"), [1, 0]);
    assert.deepEqual(variantsUnder("destination=assets/", "destination=pier-{{seed}}.png seed=[1, 2]"), [1, 2]);
  });

  it("T2: a document of one prompt keeps its line breaks, and its directives are read", () => {
    assert.deepEqual(readSinglePrompt("# not a heading here\n\nline two\n<!-- sluice: reference=a.png -->\n"), {
      text: "# not a heading here\n\nline two",
      settings: { references: ["a.png"] },
      problems: [],
    });
  });

  it("T2: any text is read: prompts in order and without overlap, problems inside the text, the same with other line ends", () => {
    const piece = fc.constantFrom(
      ...[
        "# ",
        "## ",
        "- ",
        "1. ",
        "  ",
        "word ",
        "<!--",
        "-->",
        " sluice: type=video x=1 ",
        "```",
        "---",
        "> ",
        "|",
        "\n",
        "\n\n",
        "===",
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join("");
        const { prompts, problems } = parsePrompts(text);
        let last = -1;
        for (const prompt of prompts) {
          assert.ok(prompt.heading < prompt.line && prompt.line > last && prompt.lastLine >= prompt.line);
          assert.ok(prompt.text.trim() !== "");
          last = prompt.lastLine;
        }
        for (const { start, end } of problems) assert.ok(start >= 0 && start < end && end <= text.length);
        const other = parsePrompts(text.replaceAll("\n", "\r\n"));
        assert.deepEqual(
          other.prompts.map(({ text: read, line, settings }) => ({ text: read, line, settings })),
          prompts.map(({ text: read, line, settings }) => ({ text: read, line, settings })),
        );
      }),
    );
  });

  it("H3, T2: hostile files are read in linear time", async () => {
    const pieces = [
      ...[
        "<!--\n\n",
        "<!--",
        "<!-- sluice: a=",
        " ",
        "\t",
        "\n",
        "- a\n\n",
        "# a\nb\n",
        "a=b ",
        "-->\n<!--\n",
        "reference=a ",
      ],
      ...[
        "a: b\n",
        "a #",
        "`",
        "~~~",
        "* ",
        "[",
        "=",
        '"',
        "a=' ",
        "<!-- sluice: reference=a b -->\n",
        "# a\nb <!-- sluice: x -->\n",
      ],
    ];
    for (const [before, after] of [
      ["# a\n", "x"],
      ["---\n", "\n---\n"],
      ["<!-- sluice: ", "--> x"],
    ] as const)
      for (const piece of pieces) {
        const textOf = (length: number): string => before + piece.repeat(Math.floor(length / piece.length)) + after;
        assert.ok(parsePrompts(textOf(2048)).problems.length <= 101);
        await assertLinear(
          isFullRun ? maxPromptFile / 10 : 1024,
          (length) => {
            const text = textOf(length);
            return () => parsePrompts(text);
          },
          JSON.stringify([before, piece, after]),
        );
      }
  });

  it("H3, T2: many variables, and many names that are none of them, are read in linear time", async () => {
    const list = (count: number, part: (at: number) => string): string =>
      Array.from({ length: count }, (_, at) => part(at)).join("");
    for (const name of ["{{w#}} ", "{{v#}} ", "{w#} ", "a {{w#}}\n\n", "{w#} {v#}\n\n", "a {{w1}}\n\n"])
      await assertLinear(
        (isFullRun ? maxPromptFile / 10 : 4096) / 16,
        (count) => {
          const front = list(Math.min(count, 9900), (at) => `v${at}: 1\n`);
          const text = `---\n${front}---\n# a\n${list(count, (at) => name.replaceAll("#", String(at)))}`;
          return () => parsePrompts(text);
        },
        name,
      );
  });

  it("H3, T2: of a long file whole sections are read; a warning lies where the rest begins", () => {
    const section = `# heading\r\n${"word ".repeat(2000)}\r\n`;
    const text = section.repeat(30);
    const { prompts, problems } = parsePrompts(text);
    const read = Math.floor(maxPromptFile / section.length);
    assert.equal(prompts.length, read);
    assert.ok(prompts.every((prompt) => prompt.text === "word ".repeat(2000).trim()));
    assert.deepEqual(
      problems.map(({ reason, start, end }) => [reason, start, text.slice(start, end)]),
      [["file-too-long", read * section.length, "# heading"]],
    );
    for (const whole of ["x".repeat(300_000), `\n${"#tag\n".repeat(60_000)}`, "\n".repeat(300_000)]) {
      const {
        prompts: none,
        problems: [problem],
      } = parsePrompts(whole);
      assert.deepEqual([none, problem?.reason, problem?.start], [[], "file-too-long", 0]);
      assert.ok((problem?.end ?? 0) > 0);
    }
  });

  it("H3, T2: a hundred problems are listed, and one that says where the others begin", () => {
    const { problems } = parsePrompts(`# a\n<!-- sluice: ${"x=1 ".repeat(500)} -->\nb <!-- sluice: y=1 -->`);
    assert.equal(problems.length, 101);
    assert.deepEqual(
      problems.slice(99).map(({ reason, start }) => [reason, start]),
      [
        ["unknown-key", 17 + 99 * 4],
        ["more-problems", 17 + 100 * 4],
      ],
    );
    assert.match(describeProblem(problems[100]!), /more problems .* first 100/);
  });

  it("T2: the time of a file grows as its lines do", async () => {
    const section = [
      "## Heading",
      "<!-- sluice: type=video model=m -->",
      "- an item with some words",
      "  that goes on",
      "",
    ].join("\n");
    const sections = (count: number): string => Array.from({ length: count }, () => section).join("\n");
    await assertLinear(150, (count) => {
      const text = sections(count);
      return () => assert.equal(parsePrompts(text).prompts.length, count);
    });
  });
});

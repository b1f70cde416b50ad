/** The one place that an edit means, and what becomes of it. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { drawEdit, mutations, seeded } from "../../../support/editMutations.mjs";
import { TimeSlices } from "../../../../src/base/async/timeSlices";
import { ToolRefusal } from "../../../../src/domain/tools/tool";
import { applyEdit, type EditedText } from "../../../../src/tools/edit/applyEdit";
import { runsOf } from "../../../support/runs";

const edit = (content: string, oldText: string, newText: string, all = false): Promise<EditedText> =>
  applyEdit(content, { oldText, newText, all }, new TimeSlices(new AbortController().signal));
const replace = async (content: string, oldText: string, newText: string): Promise<string> =>
  (await edit(content, oldText, newText)).text;
const refusal = (content: string, oldText: string, newText: string): Promise<string> =>
  edit(content, oldText, newText).then(
    ({ text }) => assert.fail(`applied: ${text}`),
    (error: unknown) => (error instanceof ToolRefusal ? error.message : assert.fail(String(error))),
  );

describe("applyEdit", () => {
  it("A2: replaces the exact text, with nothing to report", async () => {
    assert.deepEqual(await edit("a\nb\nc\n", "b", "B"), { text: "a\nB\nc\n", repairs: [] });
  });

  it("A10: a text that stands more than once is refused with its lines, or replaced everywhere", async () => {
    const content = "x = 1\n\nx = 1\ny = 2\nmax = 1\n";
    assert.match(await refusal(content, "x = 1", "x = 2"), /more than once: at lines 1, 3, 5\. .*replace_all/);
    assert.equal((await edit(content, "x = 1", "x = 10", true)).text, "x = 10\n\nx = 10\ny = 2\nmax = 10\n");
    assert.match(await refusal("aaa", "aa", "b"), /more than once/);
    assert.equal((await edit("aaaa", "aa", "b", true)).text, "bb");
    const many = "y\n".repeat(30);
    assert.match(await refusal(many, "y", "z"), /at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and more/);
    assert.equal((await edit("  a;\nb\n\ta;\n", "a;\n", "c;\n", true)).text, "  c;\nb\n\tc;\n");
  });

  it("A2 (field 33): lines that are not edited keep their line ends, and a new line has those of the line in whose place it comes", async () => {
    const mixed = "one\ntwo\r\nthree\nbeta\nfive\nsix\n";
    assert.equal(await replace(mixed, "beta", "BETA"), mixed.replace("beta", "BETA"));
    assert.equal(await replace(mixed, "beta", "BETA\nGAMMA"), mixed.replace("beta", "BETA\nGAMMA"));
    assert.equal(await replace(mixed, "two", "TWO\nand"), mixed.replace("two", "TWO\r\nand"));
    assert.equal(
      await replace(mixed, "one\ntwo\nthree\nbeta\n", "one\ntwo\nthree\nBETA\nnew\n"),
      "one\ntwo\r\nthree\nBETA\nnew\nfive\nsix\n",
    );
    assert.equal(await replace(mixed, "one\ntwo\nthree", "ONE\ntwo\nthree"), mixed.replace("one", "ONE"));
    assert.equal(await replace(mixed, "two\nthree\nbeta", "two\nbeta"), mixed.replace("three\n", ""));
    const bare = "progress 10%\rprogress 20%\rdone\nbeta\nlast\n";
    assert.equal(await replace(bare, "beta", "BETA"), bare.replace("beta", "BETA"));
    assert.equal(await replace(bare, "done\nbeta", "done\nBETA"), bare.replace("beta", "BETA"));
    assert.equal(await replace(bare, "progress 20%\ndone", "progress 30%\ndone"), bare.replace("20", "30"));
  });

  it("A2: keeps the file's line ends", async () => {
    assert.equal(await replace("a\r\nb\r\nc\r\n", "a\nb", "a\nB\nbb"), "a\r\nB\r\nbb\r\nc\r\n");
    assert.equal(await replace("  a\r\n  b\r\nc\r\n", "a\nb\n", "a\nB\nbb\n"), "  a\r\n  B\r\n  bb\r\nc\r\n");
    assert.equal(await replace("  a\n  b", "a \nb\n", "a \nB\nC\n"), "  a\n  B\n  C");
  });

  it("A10 (finding 31): a block is moved by one amount, in the unit of the file", async () => {
    const content = "class A {\n    run() {\n        return 1;\n    }\n}\n";
    const after = await edit(content, "run() {\n  return 1;\n}", "run() {\n  if (x)\n    return 2;\n  return 1;\n}");
    assert.deepEqual(after, {
      text: "class A {\n    run() {\n        if (x)\n            return 2;\n        return 1;\n    }\n}\n",
      repairs: ["indentation"],
    });
    // The first line is deeper than the least indented one: no line lands in the first column.
    const python = "def f():\n        if a:\n            b()\n        return c\n";
    assert.equal(
      await replace(python, "        b()\n    return c\n", "        b()\n    log()\n    return d\n"),
      "def f():\n        if a:\n            b()\n        log()\n        return d\n",
    );
  });

  it("A10 (finding 31): lines that no amount fits are refused, and so is one left of the first column", async () => {
    const content = "def f():\n    if a:\n        b()\n    return c\n";
    assert.match(await refusal(content, "if a:\nb()\nreturn c", "if a:\nb()\nlog()\nreturn c"), /indentation/);
    assert.match(
      await refusal(content, "            b()\n        return c", "            b()\n  log()\n        return c"),
      /indentation/,
    );
    // What is only taken away needs no indentation.
    assert.equal(
      await replace(content, "if a:\nb()\nreturn c", "if a:\nreturn c"),
      "def f():\n    if a:\n    return c\n",
    );
  });

  it("A10 (finding 31): of two places the one whose lines are indented alike among each other is meant", async () => {
    const content = "f\n  x\n  y\ng\n  x\n    y\n";
    assert.equal(await replace(content, "    x\n      y\n", "    x\n      z\n"), content.replace("    y", "    z"));
  });

  it("A10 (finding 21): tabs and blanks are translated, never mixed", async () => {
    const blanks = "class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n";
    const moved = await replace(
      blanks,
      "\tdef f(self):\n\t\treturn 1\n",
      "\tdef f(self):\n\t\tif self:\n\t\t\treturn 3\n\t\treturn 1\n",
    );
    assert.equal(
      moved,
      blanks.replace("        return 1\n", "        if self:\n            return 3\n        return 1\n"),
    );
    const tabs = blanks.replaceAll("    ", "\t");
    const back = await replace(
      tabs,
      "    def f(self):\n        return 1\n",
      "    def f(self):\n        if self:\n            return 3\n        return 1\n",
    );
    assert.equal(back, tabs.replace("\t\treturn 1\n", "\t\tif self:\n\t\t\treturn 3\n\t\treturn 1\n"));
    assert.match(await refusal(blanks, "\tdef f(self):\n", "\tdef f(self):\n\t  x()\n"), /indentation/);
  });

  it("A10 (finding 26): an exact text in the middle of an indentation leaves no rest behind", async () => {
    const content = "if a:\n        b()\n        c()\n";
    assert.equal(await replace(content, "    b()\n", ""), "if a:\n        c()\n");
    assert.equal(await replace(content, "b()\n", ""), "if a:\n        c()\n");
    assert.equal(
      await replace(content, "    b()\n", "    b()\n    d()\n"),
      "if a:\n        b()\n        d()\n        c()\n",
    );
    assert.equal(await replace(content, "b()", "b()\n        d()"), "if a:\n        b()\n        d()\n        c()\n");
    assert.match(await refusal(content, "b()", "b()\nd()"), /leaves out the indentation/);
    assert.match(await refusal(content, "b()", "\nb()"), /leaves out the indentation/);
    assert.equal(await replace(content, "b()\n        c()", "c()"), "if a:\n        c()\n");
    assert.match(await refusal("  run()\n", "run()", "if a:\n  run()"), /leaves out the indentation/);
  });

  it("A10 (finding 26): a text without the blanks before it is replaced as it stands where its new lines have the file's indentation", async () => {
    const member = '{\n  "scripts": {\n    "test": "x"\n  }\n}\n';
    assert.deepEqual(await edit(member, '"test":', '"check": "y",\n    "test":'), {
      text: '{\n  "scripts": {\n    "check": "y",\n    "test": "x"\n  }\n}\n',
      repairs: [],
    });
    const item = "<ul>\n  <li>a</li>\n</ul>\n";
    assert.equal(
      await replace(item, "<li>a</li>", "<li>a</li>\n  <li>b</li>"),
      "<ul>\n  <li>a</li>\n  <li>b</li>\n</ul>\n",
    );
    assert.equal(await replace("all\n  .a()\n", ".a()", ".a()\n  .b()"), "all\n  .a()\n  .b()\n");
    // The second line is in the call or the element that the first one begins.
    for (const now of ["run(a,\n  b)", "<p>\n  run()", "run\n  .now()"]) {
      assert.match(await refusal("  run()\n", "run()", now), /leaves out the indentation/);
    }
  });

  it("A10: of two lines that differ by the left-out indentation only, the one that stays must be clear", async () => {
    const content = "class A {\n  b() {\n  }\n}\n\nfunction c() {}\n";
    assert.match(await refusal(content, "}\n}\n", "}\n"), /leaves out the indentation/);
    assert.match(await refusal(content, "}\n}\n\nfunction", "}\n\nfunction"), /leaves out the indentation/);
    assert.equal(
      await replace(content, "}\n}\n\nfunction c", "}\n}\n\nconst c"),
      content.replace("function c", "const c"),
    );
  });

  it("A10: where nothing that was quoted is indented, a new line left of the first one is not clear", async () => {
    const content = "/**\n * a\n */\nrun();\n";
    assert.match(await refusal(content, "*/\nrun();", "*/\n* b\nrun();"), /leaves out the indentation/);
    assert.equal(await replace(content, "*/\nrun();", "*/\nwalk();"), content.replace("run", "walk"));
  });

  it("A10: escaped line ends beside a new pattern may be those of the pattern", async () => {
    const content = "a();\nb();\n";
    assert.equal(await replace(content, "a();\\nb();\\n", "a();\\nc();\\nb();\\n"), "a();\nc();\nb();\n");
    assert.match(await refusal(content, "a();\\nb();\\n", "a();\\nc(/[^\\r\\n]/);\\nb();\\n"), /is not in the file/);
  });

  it("A10: quotes of typography within others are not turned into typed ones", async () => {
    const code = 'a: "x",\nb: "y",\n';
    assert.equal(await replace(code, "a: “x”,\nb: “y”,", "a: “x”,\nc: “z”,\nb: “y”,"), 'a: "x",\nc: "z",\nb: "y",\n');
    // The model writes other quotes; that it writes other dashes is not shown.
    assert.equal(await replace(code, "a: “x”,", "a: “x”,\nc: “−”,"), 'a: "x",\nc: "−",\nb: "y",\n');
    for (const added of ["l: ““”,", "t(“the “{0}” there”)"])
      assert.match(await refusal(code, "a: “x”,\nb: “y”,", `a: “x”,\n${added}\nb: “y”,`), /is not clear/);
  });

  it("A10: quotes of typography, on either side, and what the model left stays as the file has it", async () => {
    const code = 'say("it\'s", x);\nend();\n';
    assert.deepEqual(await edit(code, "say(“it’s”, x);\nend();", "say(“it’s”, “y”);\nend();"), {
      text: 'say("it\'s", "y");\nend();\n',
      repairs: ["quotes"],
    });
    assert.equal(
      await replace("He said “no” – twice.\n", 'said "no" - twice.', 'said "no" - thrice.'),
      "He said “no” – thrice.\n",
    );
    assert.match(
      await refusal("He said “no”.\nEnd.\n", 'He said "no".\nEnd', 'He said "no" and "yes".\nEnd'),
      /not clear|is not in the file/,
    );
  });

  it("A10: entities and escaped line breaks are read as what they mean", async () => {
    const content = "if (a < b && c) {\n  run();\n}\n";
    assert.deepEqual(await edit(content, "if (a &lt; b &amp;&amp; c) {", "if (a &lt; b) {"), {
      text: "if (a < b) {\n  run();\n}\n",
      repairs: ["entities"],
    });
    assert.deepEqual(await edit(content, "if (a < b && c) {\\n  run();\\n}", "if (a) {\\n  stop();\\n}"), {
      text: "if (a) {\n  stop();\n}\n",
      repairs: ["escapes"],
    });
    // What the file has so is left so, also where it has the other form too.
    assert.equal(await replace("a &lt; b\na < b\n", "a &lt; b", "a &gt; b"), "a &gt; b\na < b\n");
    assert.equal(await replace('x = "a\\nb &lt;";\n', '"a\\nb &lt;"', '"b\\nc &gt;"'), 'x = "b\\nc &gt;";\n');
    assert.match(await refusal(content, "run();\\n}", 'say("a\\nb");\\n}'), /is not in the file/);
  });

  it("A10: a blank line that was left out, or put in, and blanks within lines", async () => {
    const content = "a();\n\nb( 1,  2 );\n\n\nc();\n";
    assert.deepEqual(await edit(content, "a();\nb( 1,  2 );\nc();\n", "a();\nb( 1,  3 );\nc();\n"), {
      text: "a();\n\nb( 1,  3 );\n\n\nc();\n",
      repairs: ["blank-lines"],
    });
    assert.equal(await replace(content, "a();\nb( 1,  2 );", "a();\n\nd();"), "a();\n\nd();\n\n\nc();\n");
    assert.deepEqual(await edit(content, "b(1, 2);", "b(1, 4);"), {
      text: "a();\n\nb( 1,  4 );\n\n\nc();\n",
      repairs: ["inner-blanks"],
    });
    assert.match(await refusal("f(1, 2);\nf(1,2);\n", "f( 1, 2 );", "g();"), /more than once: at lines 1, 2/);
  });

  it("A10 (finding 8): a text that is not there is answered with the place that is most like it", async () => {
    const lines = Array.from({ length: 600 }, (_, at) => `const value${at} = compute(${at}, "${at % 7}");`);
    const wanted = [...lines.slice(418, 424)];
    wanted[2] = 'const value420 = compile(420, "0");';
    const said = await refusal(`${lines.join("\n")}\n`, wanted.join("\n"), "x");
    assert.match(said, /Most like it: lines 419 to 424\. Line 421 is the first that differs/);
    assert.match(said, /compile\(420/);
    assert.ok(said.includes(`\n416\t${lines[415]}\n`) && said.endsWith(`\n427\t${lines[426]}`), said);
    assert.match(await refusal("", "x", "y"), /it is empty/);
    assert.match(await refusal("alpha\n", "beta gamma", "y"), /nor anything like it/);
  });

  it("A10: seeded mistakes in edits of our own sources come out as intended, or are refused", async () => {
    const random = seeded(10);
    const names = (await readdir("src/tools", { recursive: true })).filter((name) => name.endsWith(".ts")).toSorted();
    const sources = await Promise.all(names.map((name) => readFile(join("src/tools", name), "utf8")));
    let right = 0;
    const wanted = runsOf(2000, 400);
    for (let made = 0; made < wanted;) {
      const drawn = drawEdit(sources[Math.floor(random() * sources.length)]!, random);
      const mutation = mutations[made % mutations.length]!;
      const mutated = drawn && mutation.change(drawn, random);
      if (!mutated || mutated.oldText === mutated.newText) continue;
      made += 1;
      const { text } = await edit(mutated.content, mutated.oldText, mutated.newText).catch((error: unknown) => {
        if (error instanceof ToolRefusal) return { text: undefined };
        throw error;
      });
      if (text === undefined) continue;
      assert.ok(mutation.isRefused !== true, `${mutation.name}: ${mutated.oldText}`);
      assert.equal(text, mutated.intended, `${mutation.name}: ${mutated.oldText}`);
      right += 1;
    }
    assert.ok(right > wanted * 0.8, `${right} of ${wanted}`);
  });

  it("A2: for any content, a unique piece is replaced and nothing else changes", async () => {
    const piece = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => !/[\r\n]/.test(text));
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { minLength: 1, maxLength: 12 }),
        fc.nat(),
        piece,
        async (lines, at, replacement) => {
          const content = lines.join("\n");
          const old = lines[at % lines.length]!;
          const first = content.indexOf(old);
          if (old === replacement || content.includes(old, first + 1)) return;
          assert.equal(
            await replace(content, old, replacement),
            content.slice(0, first) + replacement + content.slice(first + old.length),
          );
        },
      ),
    );
  });
});

/** Notebooks: cells instead of JSON for the model, and an edit that changes one cell and no other byte. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import * as fc from "fast-check";
import { TimeSlices } from "../../../../src/base/async/timeSlices";
import { ToolRefusal } from "../../../../src/domain/tools/tool";
import type { Workspace } from "../../../../src/domain/tools/workspace";
import { editCell } from "../../../../src/tools/edit/cells";
import { assertLinear } from "../../../support/growth";
import { createToolFolder, reasonsOf, type ToolFolder } from "../../../support/toolFolder";
import { firstSeed, isFullRun, runsOf } from "../../../support/runs";

const cells = [
  { cell_type: "markdown", metadata: {}, source: ["# Title\n", "words"] },
  {
    cell_type: "code",
    execution_count: 1,
    metadata: {},
    outputs: [
      { name: "stdout", output_type: "stream", text: ["42\n"] },
      { data: { "image/png": "iVBORw0KGgo=", "text/plain": ["<Figure>"] }, metadata: {}, output_type: "display_data" },
      { ename: "KeyError", evalue: "'x'", output_type: "error", traceback: ["\u001b[31mKeyError"] },
    ],
    source: "x = 1\nprint(x)\n\nüñ = 'same'",
  },
  { cell_type: "code", execution_count: null, metadata: {}, outputs: [], source: ["y = 'same'\n"] },
];
const notebook = { cells, metadata: { kernelspec: { name: "python3" } }, nbformat: 4, nbformat_minor: 5 };

describe("notebooks", () => {
  let folder: ToolFolder;
  let isUnsaved: boolean;
  beforeEach(async () => {
    isUnsaved = false;
    const over = (workspace: Workspace): Workspace => ({ ...workspace, isUnsavedNotebook: () => isUnsaved });
    folder = await createToolFolder({ over });
  });
  afterEach(() => folder.remove());
  const put = (text: string): Promise<void> => folder.put("n.ipynb", text);
  const edit = (from: string, to: string): object => ({ path: "n.ipynb", old_text: from, new_text: to });

  it("A2: are read as numbered cells with their text outputs, without base64; ranges work", async () => {
    await put(JSON.stringify(notebook));
    const told = await folder.run("read_file", { path: "n.ipynb" });
    assert.equal(
      told,
      [
        "(cell 1 of 3: markdown)\n# Title\nwords\n(cell 2 of 3: code)\nx = 1\nprint(x)\n\nüñ = 'same'",
        "(output)\n42\n\n<Figure>\n(image/png: not shown)\nKeyError: 'x'\n(cell 3 of 3: code)\ny = 'same'\n(lines 1 to 16 of 16)",
      ].join("\n"),
    );
    assert.match(await folder.run("read_file", { path: "n.ipynb", start_line: 2, end_line: 2 }), /^# Title\n\(lines 2/);
    const loud = { ...cells[1], outputs: [{ output_type: "stream", text: "x".repeat(10_000) }] };
    await put(JSON.stringify({ ...notebook, cells: [loud] }));
    assert.ok((await folder.run("read_file", { path: "n.ipynb" })).length < 2500);
    await put('{ "cells": "none" }');
    assert.equal(
      await folder.run("read_file", { path: "n.ipynb" }),
      '{ "cells": "none" }\n(lines 1 to 1 of 1)',
      "what is none is shown as it is",
    );
  });

  for (const [form, write] of [
    ["one space, as Jupyter writes", (value: object) => `${JSON.stringify(value, undefined, 1)}\n`],
    ["two spaces and CRLF", (value: object) => JSON.stringify(value, undefined, 2).replaceAll("\n", "\r\n")],
    ["one line", (value: object) => JSON.stringify(value)],
    ["tabs", (value: object) => `${JSON.stringify(value, undefined, "\t")}\n\n`],
  ] as const) {
    it(`A2, A5: an edit changes one cell and no other byte: ${form}`, async () => {
      await put(write(notebook));
      assert.match(reasonsOf(await folder.prepare("edit_file", edit("x = 1", "x = 2"))) ?? "", /would run/);
      await folder.run("edit_file", edit("x = 1\nprint(x)", "x = 2\nprint(x, x)"));
      await folder.run("edit_file", edit("words", "words\nmore"));
      const [title, code, last] = cells;
      const changed = [
        { ...title, source: ["# Title\n", "words\n", "more"] },
        { ...code, source: "x = 2\nprint(x, x)\n\nüñ = 'same'" },
        last,
      ];
      assert.equal(await readFile(folder.at("n.ipynb"), "utf8"), write({ ...notebook, cells: changed }));
    });
  }

  it("A2: a text that stands in no cell, or in several, is refused with the cell as it is", async () => {
    await put(JSON.stringify(notebook));
    const stale = await folder.refusal("edit_file", edit("x = 1\nprint(y)", "z"));
    assert.match(stale, /Most like it: lines cell 2:1 to cell 2:2\. Line cell 2:2 is the first that differs/);
    assert.ok(stale.includes("\ncell 2:1\tx = 1\ncell 2:2\tprint(x)\ncell 2:3\t\ncell 2:4\tüñ = 'same'\n"), stale);
    assert.doesNotMatch(stale, /\0/);
    assert.match(await folder.refusal("edit_file", edit("'same'", "z")), /at lines cell 2:4, cell 3:1/);
    assert.match(await folder.refusal("edit_file", edit('"cell_type"', "z")), /is not in the file/);
    assert.match(await folder.refusal("edit_file", edit("words\n\0\nx = 1", "z")), /what no text can hold/);
  });

  it("A2, A5: an edit that would take the line break between two cells is refused, and the file stays", async () => {
    const sources = ["a = 1", "import os\nb()", "c()", "d()"];
    const before = JSON.stringify({ cells: sources.map((source) => ({ cell_type: "code", source })) });
    await put(before);
    assert.match(await folder.refusal("edit_file", edit("\nimport os\n", "")), /old_text reaches beyond its cell/);
    assert.equal(await readFile(folder.at("n.ipynb"), "utf8"), before);
    const holed = JSON.stringify({ cells: ["a\n\0\nb", "c"].map((source) => ({ cell_type: "code", source })) });
    await put(holed);
    assert.match(await folder.refusal("edit_file", edit("c", "d")), /old_text reaches beyond its cell/);
    assert.equal(await readFile(folder.at("n.ipynb"), "utf8"), holed);
  });

  it("A2, A5: no edit changes another cell", async () => {
    const source = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", "\n"), maxLength: 6 });
    const sources = fc.array(source, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(sources, source, source, async (before, oldText, newText) => {
        const write = (cells: readonly string[]): string =>
          JSON.stringify({ cells: cells.map((one) => ({ cell_type: "code", source: one })) });
        const made = await editCell(write(before), { oldText, newText }, new TimeSlices()).catch((error: unknown) => {
          if (!(error instanceof ToolRefusal)) throw error;
        });
        if (made === undefined) return;
        const { cells: now } = JSON.parse(made.text) as { cells: { source: string }[] };
        const after = now.map((cell) => cell.source);
        assert.ok(!made.text.includes("\\u0000"));
        assert.equal(after.length, before.length);
        assert.ok(after.filter((one, at) => one !== before[at]).length <= 1);
        assert.equal(made.text, write(after));
      }),
      { seed: firstSeed, numRuns: runsOf(5000, 500) },
    );
  });

  it("H4, A2: hostile notebooks are read, edited or refused in linear time", async () => {
    const part = { cell_type: "code", source: "x = 1" };
    const texts: readonly ((length: number) => string)[] = [
      (length) => `{${" ".repeat(length)}"cells":[${JSON.stringify(part)}]}`,
      (length) => `{"cells":[{"cell_type":"code","source":[${"1,".repeat(length / 4)}1]}]}`,
      (length) => `{"cells":[{"cell_type":"code","source":"","outputs":[${"1,".repeat(length / 4)}1]}]}`,
      (length) => `{"cells":[${"1,".repeat(length / 4)}1]}`,
      (length) => `{"a":${"[".repeat(length / 4)}${"]".repeat(length / 4)},"cells":[]}`,
      (length) =>
        JSON.stringify({
          cells: [{ ...part, source: "y\n".repeat(length / 40) }, ...Array.from({ length: length / 100 }, () => part)],
        }),
      (length) => JSON.stringify({ cells: [{ ...part, source: " ".repeat(length) }] }),
    ];
    const length = isFullRun ? 200_000 : 16_000;
    for (const textOf of texts) {
      for (const each of [length, 8 * length]) await folder.put(`${each}.ipynb`, textOf(each));
      const what = textOf(100);
      await assertLinear(length, (each) => () => folder.run("read_file", { path: `${each}.ipynb` }), what);
      const missing = (each: number): string => `a${" ".repeat(each / 40)}b`;
      await assertLinear(
        length,
        (each) => () => folder.refusal("edit_file", { path: `${each}.ipynb`, old_text: missing(each), new_text: "z" }),
        what,
      );
    }
  });

  it("H4, A2: a notebook of very many values is refused, with the number", async () => {
    await put(`{"cells":[${"1,".repeat(500_000)}1]}`);
    assert.match(await folder.refusal("read_file", { path: "n.ipynb" }), /more than 500,000 values/);
  });

  it("A2, A5 (field 17): numbers and escapes that JavaScript would write otherwise are left as they are", async () => {
    for (const value of [
      "1.0",
      "1e-05",
      "1E5",
      "12345678901234567890",
      '"\\u4e2d\\/"',
      '{"a" :  [ ] }',
      "-0",
      '"\\ud800"',
    ]) {
      const text = `${JSON.stringify({ ...notebook, cells: [{ ...cells[2], source: ["x = 1\n", "# \u4e2d 'a'\n", "print(x)"] }] }, undefined, 1).replace('"nbformat": 4', `"nbformat": 4, "value": ${value}`)}\n`;
      await put(text);
      await folder.run("edit_file", edit("x = 1", "x = 2\ny = 3"));
      assert.equal(
        await readFile(folder.at("n.ipynb"), "utf8"),
        text.replace('"x = 1\\n"', '"x = 2\\n",\n    "y = 3\\n"'),
        value,
      );
    }
  });

  it("A2, A5 (field 17): lines that stay are written as they were, and a new one as the file writes its letters", async () => {
    const text =
      '{"cells": [{"cell_type": "code", "source" : [ "a = \\"\\u00e9\\"\\n" , "b = 1\\n",  "c" ], "source2": 1.0}], "nbformat": 4}';
    await put(text);
    await folder.run("edit_file", edit("b = 1", "b = 'ü'"));
    const expected = text
      .replace('"b = 1\\n"', `"b = '\\u00fc'\\n"`)
      .replace(/" , "b/, '", "b')
      .replace(/,  "c"/, ', "c"');
    assert.equal(
      (await readFile(folder.at("n.ipynb"), "utf8")).replaceAll(/\s+/g, ""),
      expected.replaceAll(/\s+/g, ""),
    );
    const twice = '{"cells":[{"cell_type":"code","source":"x = 9","source":"x = 1"}]}';
    await put(twice);
    await folder.run("edit_file", edit("x = 1", "x = 2"));
    assert.equal(await readFile(folder.at("n.ipynb"), "utf8"), twice.replace("x = 1", "x = 2"));
    await put('{"cells":[{"cell_type":"code","source":[]},{"cell_type":"code","source":["x = 1"]}]}');
    await folder.run("edit_file", edit("x = 1", "x = 2\ny"));
    assert.equal(
      await readFile(folder.at("n.ipynb"), "utf8"),
      '{"cells":[{"cell_type":"code","source":[]},{"cell_type":"code","source":["x = 2\\n","y"]}]}',
    );
  });

  it("A2, A5: unsaved changes in the notebook editor are refused", async () => {
    await put(JSON.stringify(notebook));
    isUnsaved = true;
    assert.match(await folder.refusal("edit_file", edit("x = 1", "x = 2")), /unsaved changes in its notebook editor/);
    assert.match(await folder.run("read_file", { path: "n.ipynb" }), /\(as it was saved: .* unsaved changes\)$/);
  });
});

/** The output of a command: control sequences, reports in steps, head and tail for the model. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { type CappedText, emptyOutput, joinOutput } from "../../../../src/domain/chat/cappedText";
import { shownOutput, CommandOutput, PlainOutput } from "../../../../src/tools/command/commandOutput";
import { createMovedClock, type MovedClock } from "../../../support/movedClock";
import { assertLinear } from "../../../support/growth";

function plain(...chunks: readonly string[]): string {
  const output = new PlainOutput();
  return chunks.map((chunk) => output.add(chunk)).join("") + output.end();
}

describe("output of a command", () => {
  it("A2: colours, cursor movements, titles and links are taken out, their words stay", () => {
    assert.equal(plain("\u001b[1;31mred\u001b[0m \u001b[2K\u001b[1Gline"), "red line");
    assert.equal(plain("\u001b]0;title\u0007a\u001b]8;;https://example.com\u001b\\link\u001b]8;;\u001b\\b"), "alinkb");
    assert.equal(plain("\u001bPdata\u001b\\a\u009b1mb\u001b(Bc\u001b7d\u001b=e"), "abcde");
  });

  it("A2: a line that would be written over is a line of its own", () => {
    assert.equal(plain("10 %\r20 %\r\ndone\r\n"), "10 %\n20 %\ndone\n");
    assert.equal(plain("a\r", "\nb\r", "c"), "a\nb\nc");
  });

  it("A2, R6: the text is the same however the output was cut into chunks", () => {
    const piece = fc.constantFrom(
      "a",
      "\u001b[1m",
      "\u001b]0;t\u0007",
      "\r\n",
      "\r",
      "\u001bPx\u001b\\",
      "\u001b",
      "é",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat(40)), (pieces, cuts) => {
        const text = pieces.join("");
        const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b), text.length];
        const chunks = places.slice(1).map((end, index) => text.slice(places[index], end));
        assert.equal(plain(...chunks), plain(text));
      }),
    );
  });

  it("R6: a sequence without an end hides nothing after it for long, and none takes more than linear time", async () => {
    assert.match(plain(`\u001b]0;${"x".repeat(5000)}`, "the end"), /the end$/);
    for (const text of ["\u001b", "\u001b]", "\u009d", "\u001b[1", "\r", "\u001bP\u001b", "\u009b;"])
      for (const end of ["", "\u001bx"])
        await assertLinear(
          4_000,
          (count) => {
            const output = text.repeat(count) + end;
            return () => plain(output);
          },
          JSON.stringify(text + end),
        );
  });

  describe("reported", () => {
    let clock: MovedClock;
    let reports: CappedText[];
    let output: CommandOutput;
    beforeEach(() => {
      clock = createMovedClock();
      reports = [];
      output = new CommandOutput(clock, (report) => reports.push(report));
    });
    const reported = (): CappedText => reports.reduce(joinOutput, emptyOutput);

    it("A2, P2: a report ten times a second, and the rest at the end", async () => {
      output.add("a");
      output.add("b");
      assert.equal(reports.length, 0);
      await clock.advance(100);
      assert.deepEqual(reports, [{ ...emptyOutput, head: "ab" }]);
      output.add("c");
      output.end();
      assert.equal(reported().head, "abc");
      await clock.advance(1000);
      assert.equal(reports.length, 2);
    });

    it("A2, R6: a flood is reported every two seconds, its head and tail are kept, and the count is exact", async () => {
      const line = "0123456789abcdef".repeat(4096);
      for (let second = 0; second < 60; second += 1) {
        for (let chunk = 0; chunk < 20; chunk += 1) output.add(line);
        await clock.advance(1000);
      }
      output.end();
      assert.ok(reports.length < 60, String(reports.length));
      const { head, omitted, tail } = reported();
      assert.equal(head.length + omitted + tail.length, 60 * 20 * line.length);
      const kept: string[] = [];
      const { text: shown } = shownOutput(output.text, (text) => (kept.push(text), "id"));
      assert.ok(shown.length < 40_000);
      assert.match(
        shown,
        /^0123[^]*\n\(\d+ characters are left out here, lines 1 to 3 of 3: read_result with id "id"[^\n]*\n[^]*cdef$/,
      );
      assert.ok(kept[0]!.length < 9 * 1024 * 1024);
      assert.match(kept[0]!, /\(\d+ characters were written here and are not kept\)/);
    });

    it("A2, A4: hidden characters are visible to the model, and a text of nothing else stays within its bound", () => {
      output.add("safe\u202etxt.exe\u200b\0");
      const never = (): string => assert.fail("all of it is shown");
      assert.equal(shownOutput(output.text, never).text, "safe⟨U+202E⟩txt.exe⟨U+200B⟩⟨U+0000⟩");
      output.add("\0".repeat(100_000));
      const { text: shown } = shownOutput(output.text, () => "id");
      assert.ok(shown.length < 40_000);
      assert.match(shown, /left out here/);
    });

    it("A2, A6 (finding 4): a long output is cut once, between lines, and the note says how much of it and which lines are left out", () => {
      const lines = Array.from({ length: 20_000 }, (_, at) => `line ${at + 1}`);
      output.add(`${lines.join("\n")}\n`);
      let kept = "";
      const { text: shown, cutFrom } = shownOutput(output.text, (text) => ((kept = text), "ab12"));
      const [, head = "", count, first, last, all, tail = ""] =
        /^([^]*\n)\((\d+) characters are left out here, lines (\d+) to (\d+) of (\d+): read_result with id "ab12" gives them by lines or by a text\)\n([^]*)$/.exec(
          shown,
        ) ?? [];
      assert.equal(kept, output.text);
      assert.equal(cutFrom, kept.length);
      assert.equal(head + kept.slice(head.length, head.length + Number(count)) + tail, kept);
      assert.deepEqual([Number(first), Number(all)], [head.split("\n").length, 20_000]);
      assert.ok(tail.startsWith(`line ${Number(last) + 1}\n`));
      assert.equal(shown.match(/left out/g)?.length, 1);
    });
  });
});

/** Every stream in test/fixtures gives its golden events: whole, cut at every byte or a part of them, byte by byte, and cut at random. Without golden events a recording fails; `RESET_RESULTS=1` writes them. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { firstSeed, partOf, runsOf } from "../../../support/runs";
import { createRandom, decode } from "../eventList";

const families = ["chat-completions", "messages", "generate-content"] as const;

for (const family of families) {
  const folder = join(process.cwd(), "test", "fixtures", family);
  // `.json`: bodies that are no event stream.
  const files = readdirSync(folder).filter((file) => /\.(?:sse|json)$/.test(file));

  describe(`R1: ${family} fixtures`, () => {
    it("R1: there are at least 25", () => assert.ok(files.length >= 25));

    it("R1 (finding 35): no golden events are left over from a recording that is gone", () => {
      const expected = files.map((file) => `${file.replace(/\.sse$/, "")}.events.txt`);
      const found = readdirSync(folder).filter((file) => file.endsWith(".events.txt"));
      assert.deepEqual(found.sort(), expected.sort());
    });

    for (const [index, file] of files.entries()) {
      const bytes = readFileSync(join(folder, file));
      const golden = join(folder, file.replace(/\.sse$/, "") + ".events.txt");
      const read = async (cuts: readonly number[] = []): Promise<string> => print(await decode(bytes, cuts, family));

      it(`S2 (finding 35): ${file} gives its events`, async () => {
        const text = await read();
        if (process.env["RESET_RESULTS"] === "1") writeFileSync(golden, text);
        assert.equal(text, readFileSync(golden, "utf8"));
      });

      it(`R1: ${file} gives the same events at every cut`, async () => {
        const expected = await read();
        const cuts = Array.from({ length: bytes.length + 1 }, (_, at) => at);
        for (const cut of partOf(cuts, index)) assert.equal(await read([cut]), expected, `cut at ${cut}`);
      });

      it(`R1: ${file} gives the same events byte by byte and at random cuts`, async () => {
        const expected = await read();
        const everyByte = Array.from({ length: bytes.length }, (_, index) => index);
        assert.equal(await read(everyByte), expected, "byte by byte");
        const random = createRandom(bytes.length + firstSeed);
        for (let round = 0; round < runsOf(30); round++) {
          const cuts = everyByte.filter(() => random() < 0.05);
          assert.equal(await read(cuts), expected, `cut at ${cuts.join(", ")}`);
        }
      });
    }
  });
}

function print(events: readonly unknown[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join("");
}

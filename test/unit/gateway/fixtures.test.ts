/** Every stream in test/fixtures gives its golden events: whole, cut at every byte, and cut at random. `RESET_RESULTS=1` writes them anew. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom, decode } from "./eventList";

const folder = join(process.cwd(), "test", "fixtures", "chat-completions");
const names = readdirSync(folder)
  .filter((file) => file.endsWith(".sse"))
  .map((file) => file.slice(0, -".sse".length));

describe("R1: chat-completions fixtures", () => {
  it("R1: there are at least 25", () => assert.ok(names.length >= 25));

  for (const name of names) {
    const bytes = readFileSync(join(folder, `${name}.sse`));
    const golden = join(folder, `${name}.events.txt`);

    it(`${name}: gives its events`, async () => {
      const text = print(await decode(bytes));
      if (process.env["RESET_RESULTS"] === "1" || !existsSync(golden)) writeFileSync(golden, text);
      assert.equal(text, readFileSync(golden, "utf8"));
    });

    it(`${name}: R1: gives the same events at every cut`, async () => {
      const expected = print(await decode(bytes));
      for (let cut = 0; cut <= bytes.length; cut++) {
        assert.equal(print(await decode(bytes, [cut])), expected, `cut at ${cut}`);
      }
    });

    it(`${name}: R1: gives the same events byte by byte and at random cuts`, async () => {
      const expected = print(await decode(bytes));
      const everyByte = Array.from({ length: bytes.length }, (_, index) => index);
      assert.equal(print(await decode(bytes, everyByte)), expected, "byte by byte");
      const random = createRandom(bytes.length);
      for (let round = 0; round < 30; round++) {
        const cuts = everyByte.filter(() => random() < 0.05);
        assert.equal(print(await decode(bytes, cuts)), expected, `cut at ${cuts.join(", ")}`);
      }
    });
  }
});

function print(events: readonly unknown[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join("");
}

/** A13, R4: attempts to leave the sandbox of commands, with the real bubblewrap; and the same without it, which do get out. */
import assert from "node:assert/strict";
import { copyEscapes } from "../../../fixtures/copyEscapes";
import { escapes as sandboxEscapes } from "../../../fixtures/sandboxEscapes";
import { createSandboxArena, type SandboxArena } from "../../../support/sandboxArena";
import { someOf } from "../../../support/runs";

const escapes = [...sandboxEscapes, ...copyEscapes];

describe("attempts to leave the sandbox", function () {
  this.timeout(600_000);
  let opened: SandboxArena | undefined;
  const arenaOf = (): SandboxArena => opened ?? assert.fail("no arena");
  before(async function () {
    if (process.platform !== "linux") this.skip();
    const arena = (opened = await createSandboxArena());
    await arena.prepare();
    const state = await arena.processes.sandbox([arena.project]);
    if (state.state !== "ready" || !state.copies) {
      console.warn(`NOT PROVEN: the sandbox of commands does not work here (${JSON.stringify(state)}).`);
      this.skip();
    }
    // The attempts are harmful where nothing holds them.
    assert.match(await arena.run("cat /proc/1/comm", true), /bwrap/);
  });
  after(() => opened?.close());

  it("A13, R4: there are at least 300, each with a name of its own", () => {
    assert.ok(escapes.length >= 300, String(escapes.length));
    assert.equal(new Set(escapes.map(({ name }) => name)).size, escapes.length);
  });

  for (const [at, shows] of (["secret", "outside", "fixed", "reached", "process"] as const).entries()) {
    const ofSign = escapes.filter((escape) => escape.shows === shows);

    it(`A13, R4: none of those that would show by ${shows} gets out`, async () => {
      const arena = arenaOf();
      const escaped: string[] = [];
      for (const { name, line } of someOf(ofSign, at, 4)) {
        await arena.prepare();
        const output = await arena.run(arena.filled(line), true);
        const touched = await arena.touched(output);
        if (touched.length > 0) escaped.push([name, line, ...touched.map(String), output.slice(0, 1000)].join("\n"));
      }
      assert.deepEqual(escaped, []);
    });

    it(`A13, R4: the look notices them: without the sandbox those that show by ${shows} do get out`, async () => {
      const arena = arenaOf();
      const unnoticed: string[] = [];
      for (const { name, line } of someOf(
        ofSign.filter(({ control }) => control),
        at,
        2,
      )) {
        await arena.prepare();
        const output = await arena.run(arena.filled(line), false);
        const signs = (await arena.touched(output)).map(([sign]) => sign);
        if (!signs.includes(shows)) unnoticed.push(`${name}: ${signs.join(", ")}\n${output.slice(0, 500)}`);
      }
      assert.deepEqual(unnoticed, []);
    });
  }
});

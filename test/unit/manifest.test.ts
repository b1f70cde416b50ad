/** The manifest and the code say the same ids, and every word of the manifest is there. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as z from "zod/mini";
import { commands, settings, views } from "../../src/vscode/ids";

const manifest = z
  .object({
    engines: z.object({ vscode: z.string() }),
    devDependencies: z.record(z.string(), z.string()),
    contributes: z.object({
      commands: z.array(z.object({ command: z.string(), title: z.string(), category: z.literal("Sluice") })),
      views: z.record(z.string(), z.array(z.object({ id: z.string() }))),
      menus: z.record(z.string(), z.array(z.object({ command: z.string() }))),
      configuration: z.object({ properties: z.record(z.string(), z.object({ scope: z.string() })) }),
    }),
  })
  .parse(JSON.parse(readFileSync("package.json", "utf8")));
const words = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync("package.nls.json", "utf8")));
const { contributes } = manifest;

describe("manifest", () => {
  it("V4: contributes exactly the commands, views and settings that the code knows", () => {
    const contributed = contributes.commands.map(({ command }) => command);
    assert.deepEqual(contributed.sort(), Object.values(commands).sort());
    const shown = Object.values(contributes.views).flatMap((list) => list.map(({ id }) => id));
    assert.deepEqual(shown.sort(), Object.values(views).sort());
    const known = Object.values(settings).map((id) => `sluice.${id}`);
    assert.deepEqual(Object.keys(contributes.configuration.properties).sort(), known.sort());
  });

  it("V4: a menu names only commands that there are", () => {
    const contributed = new Set(contributes.commands.map(({ command }) => command));
    for (const { command } of Object.values(contributes.menus).flat()) assert.ok(contributed.has(command), command);
  });

  it("C1: no setting can be set by a workspace", () => {
    for (const [id, { scope }] of Object.entries(contributes.configuration.properties))
      assert.equal(scope, "machine", id);
  });

  it("P6: every %word% of the manifest is in package.nls.json, and none is there for nothing", () => {
    const used = [...readFileSync("package.json", "utf8").matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key ?? "");
    assert.deepEqual([...new Set(used)].sort(), Object.keys(words).sort());
  });

  it("V5: the types are those of the oldest VS Code that is promised", () => {
    const minor = (version: string | undefined): string | undefined => /(\d+\.\d+)\./.exec(version ?? "")?.[1];
    assert.equal(minor(manifest.devDependencies["@types/vscode"]), minor(manifest.engines.vscode));
  });
});

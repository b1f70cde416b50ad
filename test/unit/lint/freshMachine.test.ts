/** The commands of a fresh clone: what they load before they have installed the dependencies comes with Node or lies in the repository. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { temporaryFolder } from "../../../scripts/workspace.mjs";

/** What a script imports before its first statement. `import(…)` in a function is loaded when that is called. */
function staticImports(file: string): readonly string[] {
  const found = readFileSync(file, "utf8").matchAll(/^(?:import|export|\}) (?:.*from )?"([^"]+)";$/gm);
  return [...found].flatMap(([, specifier]) => specifier ?? []);
}

/** The packages that a script needs to begin, each with the file that imports it. */
function packagesOf(script: string): readonly string[] {
  const files = new Set([script]);
  const packages: string[] = [];
  for (const file of files) {
    for (const specifier of staticImports(file)) {
      if (specifier.startsWith(".")) files.add(path.join(path.dirname(file), specifier));
      else if (!specifier.startsWith("node:")) packages.push(`${specifier} in ${file}`);
    }
  }
  return packages;
}

describe("a fresh machine", () => {
  const scripts = readdirSync("scripts").map((name) => path.join("scripts", name));
  const installing = [...scripts, path.join("bench", "run.mjs")].filter(
    (file) => file.endsWith(".mjs") && existsSync(file) && readFileSync(file, "utf8").includes("await onProjectNode("),
  );

  it("V4: the commands that install the dependencies need none of them to begin", () => {
    assert.ok(installing.length >= 5, installing.join());
    assert.deepEqual(installing.flatMap(packagesOf), []);
  });

  it("V4: the browser and the sandbox are installed one after the other: a package manager fails while another one runs", async function () {
    // Only there does a command install from the distribution.
    if (process.getuid?.() !== 0 || !/^ID(_LIKE)?=.*debian/m.test(readFileSync("/etc/os-release", "utf8"))) this.skip();
    const programs = await temporaryFolder();
    const aptGet = `#!/bin/sh
      /bin/mkdir ${programs}/lock || exit 100
      /bin/sleep 0.05
      for name; do :; done
      [ "$name" = update ] || { echo '#!/bin/sh' > ${programs}/$name; /bin/chmod +x ${programs}/$name; }
      [ "$name" != bubblewrap ] || /bin/cp ${programs}/bubblewrap ${programs}/bwrap
      /bin/rmdir ${programs}/lock`;
    await writeFile(path.join(programs, "apt-get"), aptGet, { mode: 0o755 });
    const setup = pathToFileURL(path.resolve("scripts/setup.mjs")).href;
    const both = `const { ensureChromium, ensureSandbox } = await import(${JSON.stringify(setup)});
      await Promise.all([ensureChromium(), ensureSandbox()]);`;
    const env = { ...process.env, PATH: programs, CHROMIUM: "" };
    await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", both], { env });
    assert.deepEqual((await readdir(programs)).sort(), ["apt-get", "bubblewrap", "bwrap", "chromium-headless-shell"]);
  });
});

/** The entry that the extension host runs: mocha over every test beside this file. The results go to a file, the output to the console. */
import { globSync } from "tinyglobby";
import Mocha from "mocha";
import path from "node:path";
import { definedFields } from "../../src/base/definedFields";

export async function run(): Promise<void> {
  // This file is dist/test/host/index.cjs.
  const root = path.resolve(__dirname, "..", "..", "..");
  const grep = process.env["SLUICE_TEST_GREP"];
  const mocha = new Mocha({
    ui: "bdd",
    timeout: Number(process.env["SLUICE_TEST_LIMIT"]),
    forbidOnly: true,
    reporter: path.join(root, "scripts", "mochaReporter.cjs"),
    ...definedFields({ grep }),
  });
  for (const file of globSync("*.test.cjs", { cwd: __dirname, absolute: true }).sort()) mocha.addFile(file);
  const failures = await new Promise<number>((resolve) => {
    mocha.run(resolve);
  });
  if (failures > 0) throw new Error(`${failures} failed in the extension host`);
}

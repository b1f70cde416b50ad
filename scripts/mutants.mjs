// `npm run mutants`: Stryker changes the files of money and safety one expression at a time, and counts how many changes a test notices.
// `-- --mutate src/tasks/submit/outbox.ts` takes one file or glob, `-- --mutate src/tasks/store/caps.ts:10-40` lines of one.
// `--tests "test/unit/tasks/**/*.test.ts"` runs those only; otherwise all tests of `unit` and `loopback` that load a changed file run.
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { leave } from "./processes.mjs";
import { ensurePackages, importFrom, onProjectNode, say } from "./setup.mjs";
import { runCheck } from "./suites.mjs";

/** Files in which a changed line may pay twice, lose a paid task, or let a model past its bounds. */
const guarded = [
  "src/tasks/submit/outbox.ts",
  "src/tasks/store/{caps,taskRows}.ts",
  "src/tasks/{money,polling/cancel}.ts",
  "src/domain/task/{submission,sameHome,taskRecord}.ts",
  "src/gateway/{httpGateway,connections,downloadAsset}.ts",
  "src/gateway/scrub.ts",
  "src/{base/foreignRequest,node/outsideAddress}.ts",
  "src/chat/approval/{approvals,coverage,guard,grantRules,ruleFiles}.ts",
  "src/chat/undo/undoChanges.ts",
  "src/tools/gate/*.ts",
];

await onProjectNode(import.meta.filename);
// The packages that the following lines import are installed by now.
const { globSync } = await import("tinyglobby");
const home = await ensurePackages(path.join(import.meta.dirname, "stryker"), "Stryker (scripts/stryker)");
const { Stryker } = await importFrom(home, "@stryker-mutator/core");
const { values: options } = parseArgs({
  options: {
    mutate: { type: "string", multiple: true, default: guarded },
    tests: { type: "string", multiple: true, default: ["test/{unit,loopback}/**/*.test.ts"] },
  },
});
const files = globSync(options.mutate.map((pattern) => pattern.replace(/:[\d:-]+$/, "")));
if (files.length === 0) {
  say(`There is no ${options.mutate.join(", ")}.`);
  await leave(2);
}
// Tests start programs of `dist`. These stay sound, so a rule that lives in one needs a test that imports it.
const built = await runCheck("build");
if (built.failed > 0) {
  say(built.output);
  await leave(1);
}
process.env["SLUICE_MUTATED"] = JSON.stringify(files);
process.env["SLUICE_MUTANT_TESTS"] = JSON.stringify(options.tests);
await new Stryker({
  mutate: options.mutate,
  buildCommand: "node scripts/mutantBundles.mjs",
  ignorePatterns: [".vscode-test", "test-results", "dist/test"],
  tempDirName: "test-results/mutants/work",
  plugins: ["@stryker-mutator/tap-runner"],
  // Each test file is a process of its own, so that nothing of one change is left for the next. Only those run that reach the changed line.
  testRunner: "tap",
  tap: {
    testFiles: ["dist/test/*/**/*.test.mjs"],
    nodeArgs: [
      "--require",
      "{{hookFile}}",
      "--disable-warning=ExperimentalWarning",
      "node_modules/mocha/bin/mocha.js",
      "--reporter",
      "scripts/tapReporter.cjs",
      "--timeout",
      "60000",
      "{{testFile}}",
    ],
  },
  coverageAnalysis: "perTest",
  concurrency: os.availableParallelism(),
  timeoutMS: 20_000,
  // Before any change all tests run on the sound source, one after the other.
  dryRunTimeoutMinutes: 60,
  reporters: ["progress-append-only", "clear-text", "html"],
  clearTextReporter: { logTests: false, reportTests: false },
  htmlReporter: { fileName: "test-results/mutants/report.html" },
  allowConsoleColors: false,
}).runMutationTest();
await leave(0);

// A reporter of mocha. It prints one line for each top-level suite, and failures in full at the end. For scripts/suites.mjs it writes the counts,
// the slowest tests and those that failed into a file.
const { writeFileSync } = require("node:fs");
const { format } = require("node:util");
const { reporters, Runner } = require("mocha");

const { Base } = reporters;
const { EVENT_RUN_BEGIN, EVENT_SUITE_END, EVENT_TEST_PASS, EVENT_TEST_PENDING, EVENT_TEST_FAIL, EVENT_RUN_END } =
  Runner.constants;

// In an extension host the workbench logs too; runHostTests.mjs filters the lines by this mark.
const mark = process.env.SLUICE_TEST_MARK;
if (mark) Base.consoleLog = (...args) => console.log(mark + format(...args));

/** `SLUICE_TEST_RESULTS` names the file for the counts, `SLUICE_TEST_VERBOSE` shows each test. */
class SluiceReporter extends Base {
  constructor(runner, options) {
    super(runner, options);
    const verbose = Boolean(process.env.SLUICE_TEST_VERBOSE);
    let counts = { passed: 0, failed: 0, duration: 0 };
    /** @type {{ title: string, ms: number }[]} */
    let slowest = [];
    /** @type {string[]} */
    const broken = [];
    const say = (text) => Base.consoleLog(text);

    /** Tests that are declared with `skip`: no machine runs them. */
    const switchedOff = new Set();
    runner.on(EVENT_RUN_BEGIN, () => runner.suite.eachTest((test) => test.isPending() && switchedOff.add(test)));
    runner.on(EVENT_TEST_PENDING, (test) => {
      if (switchedOff.has(test)) runner.fail(test, new Error("A test is switched off for every machine."), true);
      // The test called `this.skip()`, because the machine lacks what it needs.
      else say(`    – NOT PROVEN on this machine: ${test.fullTitle()}`);
    });
    runner.on(EVENT_TEST_PASS, (test) => {
      counts = { ...counts, passed: counts.passed + 1, duration: counts.duration + (test.duration ?? 0) };
      slowest.push({ title: test.fullTitle(), ms: test.duration ?? 0 });
      if (slowest.length > 100) slowest = slowestOf(slowest);
      if (verbose) say(`    ✔ ${test.fullTitle()} (${String(test.duration)} ms)`);
    });
    runner.on(EVENT_TEST_FAIL, (test, error) => {
      counts = { ...counts, failed: counts.failed + 1 };
      broken.push(`${test.fullTitle()}: ${firstLines(String(error.message))}`);
      say(`    ✖ ${broken.at(-1)}`);
    });
    runner.on(EVENT_SUITE_END, (suite) => {
      if (!suite.parent?.root) return;
      const { passed, failed, duration } = counts;
      say(`  ${failed > 0 ? "✖" : "✔"} ${suite.title}: ${passed} passed, ${failed} failed (${duration} ms)`);
      counts = { passed: 0, failed: 0, duration: 0 };
    });
    runner.on(EVENT_RUN_END, () => {
      // Failures of a root hook belong to no suite, so the runner's totals are used.
      if (this.failures.length > 0) Base.list(this.failures);
      const { passes = 0, failures = 0 } = this.stats;
      const file = process.env.SLUICE_TEST_RESULTS;
      const write = (failed) => {
        const lists = { broken, slowest: slowestOf(slowest) };
        if (file) writeFileSync(file, JSON.stringify({ passed: passes, failed, ...lists }));
      };
      write(failures);
      // An extension host stays up anyway. In our own process a leaked handle must not hang the run.
      if (mark || !file) return;
      const late = setTimeout(() => {
        say(`  ✖ still held 10 s after the last test: ${process.getActiveResourcesInfo().join(", ")}`);
        write(failures + 1);
        process.exit(1);
      }, 10_000);
      late.unref();
    });
  }
}

/** An assertion's message has the values below its first line. */
function firstLines(message) {
  const lines = message.split("\n").filter((line) => line.trim() !== "");
  return lines.slice(0, 3).join(" | ").slice(0, 300);
}

function slowestOf(tests) {
  return tests.sort((one, other) => other.ms - one.ms).slice(0, 10);
}

module.exports = SluiceReporter;

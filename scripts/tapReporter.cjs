// A reporter of mocha for Stryker: TAP without titles, because some titles hold what a reader of TAP takes for the end of a line.
const { EVENT_RUN_END, EVENT_TEST_FAIL, EVENT_TEST_PASS } = require("mocha").Runner.constants;

module.exports = class TapReporter {
  /** @param {import("mocha").Runner} runner */
  constructor(runner) {
    let count = 0;
    runner.on(EVENT_TEST_PASS, () => console.log(`ok ${(count += 1)}`));
    runner.on(EVENT_TEST_FAIL, () => console.log(`not ok ${(count += 1)}`));
    runner.on(EVENT_RUN_END, () => console.log(`1..${count}`));
  }
};

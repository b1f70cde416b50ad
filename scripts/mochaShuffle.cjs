// Runs files, suites and tests in an order drawn from the seed in `SLUICE_TEST_SHUFFLE`; without a seed it does nothing.
// What a person does in a window is one story, whose tests are its steps. Such suites keep their tests in order, and only the suites are shuffled.

/** Mulberry32: the same seed gives the same numbers, from 0 to 1. */
function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffle(list, random) {
  for (let last = list.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [list[last], list[other]] = [list[other], list[last]];
  }
}

function shuffleSuite(suite, random) {
  shuffle(suite.tests, random);
  shuffle(suite.suites, random);
  for (const inner of suite.suites) shuffleSuite(inner, random);
}

const { SLUICE_TEST_SHUFFLE: seed, SLUICE_TEST_SUITE: ring = "" } = process.env;
const hasStories = ["journey", "smoke", "host", "floor", "window", "vsix", "tour", "desktop"].includes(ring);

exports.mochaHooks = {
  beforeAll() {
    if (!seed) return;
    const root = this.test.parent;
    if (hasStories) shuffle(root.suites, createRandom(Number(seed)));
    else shuffleSuite(root, createRandom(Number(seed)));
  },
};

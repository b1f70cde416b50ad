// The mutants in `test/mutants.json`: rules of money and safety, each with a change that breaks it and the test that notices.
import { readFileSync } from "node:fs";

/**
 * @typedef {object} Mutant
 * @property {string} rule in one sentence
 * @property {string} file the source
 * @property {string} before the text that is there once
 * @property {string} after what takes its place
 * @property {string} suite the file of the test
 * @property {string} test its title in full
 */

/** @returns {readonly Mutant[]} */
export function readMutants() {
  return JSON.parse(readFileSync("test/mutants.json", "utf8"));
}

/**
 * The source with the rule broken. Throws where the text is not there exactly once.
 * @param {Mutant} mutant
 * @returns {string}
 */
export function breakRule({ rule, file, before, after }) {
  const parts = readFileSync(file, "utf8").split(before);
  if (parts.length !== 2) throw new Error(`${rule}: ${file} has the text ${parts.length - 1} times: ${before}`);
  return parts.join(after);
}

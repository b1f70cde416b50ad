// Runs all searches in a process that does nothing else, and prints each round as JSON.
import { createDiskWorkspace } from "../../test/support/diskWorkspace";
import { measureSearches } from "./measure.mjs";

/** @type {import("./measure.mjs").Setup} */
const setup = JSON.parse(process.argv[2] ?? "");
console.log(
  JSON.stringify(await measureSearches(createDiskWorkspace(setup.repository), setup, ["text", "pattern", "names"])),
);

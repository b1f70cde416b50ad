/** The local gateway as it is shipped: a process that an extension or a person starts. */
import { runProgram } from "./program";

runProgram(process.argv.slice(2));

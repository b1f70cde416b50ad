/** Entry of `sluice-lock-check.mjs`. */
import { runCheck } from "./check";

const { code, lines } = await runCheck(process.argv.slice(2));
// Paths have no control characters; marks that turn the direction of the text are made visible.
console.log(lines.join("\n").replaceAll(/\p{Cf}/gu, "\uFFFD"));
process.exitCode = code;

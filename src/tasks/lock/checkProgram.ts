/** The entry of `sluice-lock-check.mjs`: prints what `check.ts` finds in `sluice.lock`, and ends with its exit code. */
import { runCheck } from "./check";

const { code, lines } = await runCheck(process.argv.slice(2));
// Paths have no control characters. Format characters, which can turn the direction of a text, are replaced by a visible character.
console.log(lines.join("\n").replaceAll(/\p{Cf}/gu, "\uFFFD"));
process.exitCode = code;

// A13: measures what the copy of the workspace costs a command, by a plain test run, compared with the same run outside of the sandbox, and by
// 1,000 changed files.
import { buildSubject, inFolder, measureSubject } from "./subject.mjs";

const rounds = 7;
/** Milliseconds. */
const limits = { more: 150, apply: 1000 };

/** The requirement's own limits. */
export const run = () =>
  inFolder(async (folder) => {
    const subject = await buildSubject("copy", folder);
    const { isReady, outside, copied, applied, cpu, files } = await measureSubject([subject, String(rounds)]);
    if (!isReady) console.log("  this machine has no sandbox with a copy");
    else
      console.log(
        `  a test run: ${outside.toFixed(0)} ms outside, ${copied.toFixed(0)} ms on a copy; ${files} changed files: ${applied.toFixed(0)} ms to apply, with what an undo needs (${cpu.toFixed(0)} ms of CPU in this process)`,
      );
    return [
      {
        what: "a plain test run on a copy, more than outside",
        today: isReady ? copied - outside : Number.NaN,
        limit: limits.more,
        unit: "ms",
      },
      {
        what: `${files} changed files, read, judged and applied`,
        today: isReady ? applied : Number.NaN,
        limit: limits.apply,
        unit: "ms",
      },
    ];
  });

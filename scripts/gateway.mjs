// `npm run gateway`: runs the local gateway alone, for curl and the SDKs. Its faults can be armed, and its clock can be moved.
// Arguments are passed on: `npm run gateway -- --help`.
import { leave, leaveWithNpm, projectNode, run, startTree } from "./processes.mjs";
import { onProjectNode, say } from "./setup.mjs";

leaveWithNpm();
await onProjectNode(import.meta.filename);
say("Building …");
if ((await run(projectNode(), ["esbuild.mjs"], { toStderr: true })).code !== 0) await leave(1);
const gateway = startTree(
  projectNode(),
  ["--enable-source-maps", "dist/test/faults/program.mjs", ...process.argv.slice(2)],
  {
    stdio: "inherit",
  },
);
gateway.on("error", () => void leave(1));
gateway.on("exit", (code) => void leave(code ?? 1));

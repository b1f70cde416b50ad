/** A window that applies what a command has changed, as a program of its own that tests kill. Arguments: the workspace, the copies, the storage. */
import { systemClock } from "../../src/base/async/systemClock";
import { ChangeLedger } from "../../src/chat/undo/changeLedger";
import { LedgerFiles } from "../../src/chat/undo/ledgerFiles";
import type { CommandCopy } from "../../src/domain/tools/sandbox";
import { applyCopy } from "../../src/tools/command/applyCopy";
import { createChildProcesses } from "../../src/tools/command/childProcesses";
import { sandboxPolicy } from "../../src/tools/gate/sandboxPolicy";
import { createSandbox } from "../../src/tools/sandbox/sandbox";
import { createDiskWorkspace } from "./diskWorkspace";

const [root = "", copies = "", chats = "", line = ""] = process.argv.slice(2);
const never = new AbortController().signal;
const processes = createChildProcesses(systemClock, () =>
  Promise.resolve(createSandbox(() => true, process.env, copies)),
);
let copy: CommandCopy | undefined;
await processes.run(
  {
    ...{
      argv: ["/bin/sh", "-c", line],
      cwd: root,
      environment: { PATH: process.env["PATH"] ?? "" },
      timeoutMs: 60_000,
    },
    onOutput: () => undefined,
    confinement: { roots: [root], policy: sandboxPolicy, onCopy: (made) => (copy = made) },
  },
  never,
);
const workspace = createDiskWorkspace(root);
const store = LedgerFiles.nextTo(chats).storeOf("chat");
const ledger = new ChangeLedger({ store, workspace, now: () => Date.now(), labelOf: (path) => path });
const files = ledger.changesOf({ type: "call", answer: "a", call: "c", allowed: "sandbox" });
const applying = copy && applyCopy(workspace, copy, files, never);
// The copy is kept with the first call, before anything is awaited.
process.stdout.write("applying\n");
await applying;
process.stdout.write("applied\n");

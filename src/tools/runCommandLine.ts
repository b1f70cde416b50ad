/** Tool: runs a command in a folder of the workspace, without a shell where the line is plain words, and only after a yes. */
import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { isAbort } from "../base/async/abort";
import type { MonotonicClock } from "../base/clock";
import { definedFields } from "../base/definedFields";
import type { ChildCommand, ChildEnd, ChildProcesses } from "../domain/tools/childProcesses";
import type { Terminals } from "../domain/tools/terminalPort";
import type { GrantSubject, NamedPaths } from "../domain/tools/grant";
import { type CallEffects, type Tool, ToolRefusal } from "../domain/tools/tool";
import type { AskReason } from "../domain/chat/chat";
import type { Workspace } from "../domain/tools/workspace";
import { childArguments } from "./command/childArguments";
import { commandEnvironment } from "./command/commandEnvironment";
import { CommandOutput } from "./command/commandOutput";
import { type CommandEnd, isSuccess, reportEnd } from "./command/reportEnd";
import { type Argv, readCommandLine } from "./command/readCommandLine";
import { alias, seconds } from "./base/argumentRules";
import { defineTool, pathArgument } from "./base/defineTool";
import { reasonsToAskForRead } from "./gate/cautions";
import { gateAgain, gateFolder, type GatedFolder } from "./gate/fileGate";
import { findNamedPaths } from "./gate/namedPaths";
import { findUntrustedBelow } from "./search/untrustedBelow";

/** Characters; cmd.exe takes no more. */
const maxLineLength = 8000;
/** Seconds. */
const timeouts = { usual: 120, longest: 600 };

export interface CommandPorts {
  readonly workspace: Workspace;
  readonly processes: ChildProcesses;
  readonly clock: MonotonicClock;
  readonly terminals: Terminals;
  /** How each running command is moved to a terminal, by a random id. */
  readonly moves: Map<string, () => void>;
  /** Whether a command runs only code of the project, such as its tests, so that its output is from that code and from files of the project. */
  readonly runsProject: (argv: Argv, paths: NamedPaths) => boolean;
}

interface Command {
  readonly line: string;
  /** Missing when the line is more than plain words. */
  readonly argv?: Argv;
  readonly folder: GatedFolder;
  /** Seconds. */
  readonly limit: number;
}

export function runCommandLine(ports: CommandPorts): Tool {
  const { workspace, processes } = ports;
  const shell = processes.isWindows ? "cmd.exe" : "/bin/sh";
  return defineTool({
    name: "run_command",
    description: `Runs a command line and gives its exit code and what it wrote. The person is asked first. Plain words run without a shell, and the person may allow them for longer; anything else (pipes, variables, redirections, several commands) runs in ${shell} and asks each time. There is no input and no terminal: nothing can be answered. What it leaves running is ended with it, so it can't start a server.`,
    parameters: z.strictObject({
      command: z.string().check(z.minLength(1), z.maxLength(maxLineLength), z.describe("The command line.")),
      folder: z.optional(pathArgument("Folder to run in, relative to the workspace. Left out: the first root.")),
      timeout: z.optional(
        z
          .int()
          .check(
            z.minimum(1),
            z.maximum(timeouts.longest),
            z.describe(`Seconds after which it is ended: ${timeouts.usual} unless given.`),
          ),
      ),
    }),
    rules: [
      alias("command", "cmd", "command_line", "script"),
      alias("folder", "cwd", "workdir", "working_directory", "work_dir", "directory", "dir"),
      alias("timeout", "timeout_seconds", "timeout_s", "max_seconds"),
      seconds("timeout", timeouts.longest, "timeout_ms", "timeout_milliseconds", "yield_time_ms"),
    ],
    refusesUnknown: true,
    async prepare({ command: line, folder: given = ".", timeout: limit = timeouts.usual }, signal) {
      if (line.trim() === "") throw new ToolRefusal("The command is empty.");
      if (line.includes("\0") || !line.isWellFormed())
        throw new ToolRefusal("The command has a NUL or half a character.");
      const folder = await gateFolder(workspace, given, signal);
      const argv = readCommandLine(line, processes.isWindows);
      const label = folder.label === "." ? undefined : folder.label;
      const command = { line, folder, limit, ...definedFields({ argv }) };
      return {
        action: { type: "run-command", command: line, ...definedFields({ folder: label }) },
        reasons: reasonsFor(command),
        ...(argv && { grant: await grantOf(workspace, argv, folder, signal) }),
        run: (running, effects) => runHere(ports, command, running, effects),
      };
    },
  });
}

async function grantOf(
  workspace: Workspace,
  argv: Argv,
  folder: GatedFolder,
  signal: AbortSignal,
): Promise<GrantSubject> {
  const paths = await findNamedPaths(workspace, folder, argv.slice(1), signal);
  return { type: "command", argv, folder: folder.label, paths };
}

function reasonsFor({ argv, folder }: Command): readonly AskReason[] {
  const reasons: AskReason[] = argv === undefined ? ["runs-command", "shell"] : ["runs-command"];
  return [...reasons, ...(reasonsToAskForRead(folder.cautions) ?? [])];
}

async function runHere(
  ports: CommandPorts,
  command: Command,
  signal: AbortSignal,
  effects: CallEffects | undefined,
): Promise<string> {
  const { workspace, processes, clock } = ports;
  const folder = await gateAgain(gateFolder, workspace, command.folder, signal);
  const untrusted = await untrustedOutputOf(ports, command, signal, effects);
  const output = new CommandOutput(clock, (written) => effects?.output(written));
  const move = new AbortController();
  const id = offerMove(ports, move, effects);
  const begun = clock.monotonic();
  const child: ChildCommand = {
    ...childArguments(command.line, command.argv, processes),
    cwd: folder.real,
    environment: commandEnvironment(processes.environment, folder.real, processes.isWindows),
    timeoutMs: command.limit * 1000,
    onOutput: output.add,
  };
  const end = await endOrMove(processes.run(child, AbortSignal.any([signal, move.signal])), signal).finally(() => {
    ports.moves.delete(id);
    output.end();
  });
  const finished: CommandEnd =
    end.type === "moved" ? { type: "moved", outcome: ports.terminals.open({ ...command, folder: folder.real }) } : end;
  if (untrusted !== undefined && output.text !== "") effects?.untrusted?.(untrusted);
  const report = reportEnd(finished, { ...command, ms: clock.monotonic() - begun, output: output.text });
  if (!isSuccess(finished)) throw new ToolRefusal(report);
  return report;
}

/** The source of text in the command's output that others may have written. Also code of the project may print any file of the workspace. */
async function untrustedOutputOf(
  { workspace, runsProject }: CommandPorts,
  { line, argv, folder }: Command,
  signal: AbortSignal,
  effects: CallEffects | undefined,
): Promise<string | undefined> {
  const shown = line.slice(0, 100).toWellFormed();
  if (argv === undefined || folder.cautions.length > 0) return shown;
  if (!runsProject(argv, await findNamedPaths(workspace, folder, argv.slice(1), signal))) return shown;
  const file = await findUntrustedBelow(workspace, signal, effects?.wrote);
  return file && `${shown} (${file})`;
}

/** Sends the page how it can ask for the move. */
function offerMove({ moves }: CommandPorts, move: AbortController, effects: CallEffects | undefined): string {
  const id = randomUUID();
  moves.set(id, () => move.abort());
  effects?.activity({ type: "command-running", id });
  return id;
}

/** An abort that is not the turn's is the move to a terminal. */
async function endOrMove(run: Promise<ChildEnd>, turn: AbortSignal): Promise<ChildEnd | { readonly type: "moved" }> {
  try {
    return await run;
  } catch (error) {
    if (turn.aborted || !isAbort(error)) throw error;
    return { type: "moved" };
  }
}

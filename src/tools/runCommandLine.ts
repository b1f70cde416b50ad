/** Tool: runs a command in a folder of the workspace, without a shell where the line is plain words, and only after a yes. */
import { randomUUID } from "node:crypto";
import { relative, resolve } from "node:path";
import * as z from "zod/mini";
import { isAbort } from "../base/async/abort";
import { revealHidden } from "../base/text/revealHidden";
import type { MonotonicClock } from "../base/clock";
import { definedFields } from "../base/definedFields";
import type { ChildCommand, ChildEnd, ChildProcesses } from "../domain/tools/childProcesses";
import type { Terminals } from "../domain/tools/terminalPort";
import type { GrantSubject } from "../domain/tools/grant";
import { type CallEffects, type Tool, ToolRefusal } from "../domain/tools/tool";
import type { AskReason } from "../domain/chat/chat";
import type { Workspace } from "../domain/tools/workspace";
import { childArguments } from "./command/childArguments";
import { commandEnvironment } from "./command/commandEnvironment";
import { CommandOutput } from "./command/commandOutput";
import type { MadeFiles } from "./command/madeFiles";
import { bringsFiles, granted, isInstalling, isOwnOutput, type OutputPorts } from "./command/ownOutput";
import { type Argv, type CommandPart, quotedLine } from "./command/lineParts";
import { posixParts } from "./command/posixWords";
import { onlyArgv, readCommandLine } from "./command/readCommandLine";
import { type CommandEnd, isSuccess, reportEnd } from "./command/reportEnd";
import { shownOutput } from "./command/wholeOutput";
import { alias, seconds } from "./base/argumentRules";
import { defineTool, pathArgument } from "./base/defineTool";
import type { KeptResults } from "./keptResults";
import { reasonsToAskForRead } from "./gate/cautions";
import { gateAgain, gateFolder, type GatedFolder } from "./gate/fileGate";
import { findNamedPaths, isProjectFolder } from "./gate/namedPaths";
import { stagesForeign } from "./search/stagedFiles";
import { findUntrustedBelow, listUntrustedBelow } from "./search/untrustedBelow";

/** Characters; cmd.exe takes no more. */
const maxLineLength = 8000;
/** Seconds. */
const timeouts = { usual: 120, longest: 600 };

export interface CommandPorts extends OutputPorts {
  readonly workspace: Workspace;
  readonly processes: ChildProcesses;
  readonly clock: MonotonicClock;
  readonly terminals: Terminals;
  /** How each running command is moved to a terminal, by a random id. */
  readonly moves: Map<string, () => void>;
  /** Where an output that is too long for a result is kept. */
  readonly results: KeptResults;
  readonly made: MadeFiles;
}

interface Command {
  /** Without a `cd` at its beginning. */
  readonly line: string;
  /** Missing when the line is more than plain words. */
  readonly parts?: readonly CommandPart[];
  /** Missing when it takes a shell to run the line. */
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
    description: `Runs a command line and gives its exit code and what it wrote. The person is asked first, unless they allowed such commands for longer: that is possible for plain words, several of them joined by && or ;, and output piped through head, tail, grep, wc or sort. Anything else (variables, substitutions, redirections to files, globs, background jobs) runs in ${shell} and asks each time. Use the folder argument instead of cd. The output is whole unless a note says so; do not cut it with head or tail: read_result reads what was left out. There is no input and no terminal, so nothing can be answered, and what it leaves running is ended with it, so it can't start a server.`,
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
    async prepare({ command: line, folder: given = ".", timeout: limit = timeouts.usual }, signal, context) {
      if (line.trim() === "") throw new ToolRefusal("The command is empty.");
      if (line.includes("\0") || !line.isWellFormed())
        throw new ToolRefusal("The command has a NUL or half a character.");
      const command = { ...(await placeLine(ports, line, given, signal)), limit };
      const { folder, parts } = command;
      const label = folder.label === "." ? undefined : folder.label;
      return {
        action: { type: "run-command", command: command.line, ...definedFields({ folder: label }) },
        reasons: reasonsFor(command),
        ...definedFields({ grant: parts && (await grantOf(workspace, parts, folder, signal, context?.wrote)) }),
        run: (running, effects) => runHere(ports, command, running, effects),
      };
    },
  });
}

/** Reads the line. A `cd` at its beginning becomes the folder where that is one of the workspace; else the shell makes of it what it will. */
async function placeLine(
  { workspace, processes }: CommandPorts,
  line: string,
  given: string,
  signal: AbortSignal,
): Promise<Omit<Command, "limit">> {
  const folder = await gateFolder(workspace, given, signal);
  const read = readCommandLine(line, processes.isWindows);
  if (!read) return { line, folder };
  const { parts } = read;
  const inFolder = { line: read.line, parts, ...definedFields({ argv: onlyArgv(read) }) };
  if (read.folder === undefined) return { ...inFolder, folder };
  const path = resolve(folder.rootPath, relative(folder.root, folder.real), read.folder);
  const entered = await gateFolder(workspace, path, signal).catch((error: unknown) => {
    if (error instanceof ToolRefusal) return undefined;
    throw error;
  });
  return entered ? { ...inFolder, folder: entered } : { line, folder };
}

/** `undefined` where no longer yes may cover the line. */
async function grantOf(
  workspace: Workspace,
  parts: readonly CommandPart[],
  folder: GatedFolder,
  signal: AbortSignal,
  wrote: CallEffects["wrote"],
): Promise<GrantSubject | undefined> {
  const judging = parts.map(async (part) =>
    granted(part, await findNamedPaths(workspace, folder, part.argv, signal, wrote)),
  );
  const judged = await Promise.all(judging);
  for (const part of judged) if (await stagesForeign(workspace, folder, part, signal, wrote)) return undefined;
  const isOwnFolder = await isProjectFolder(workspace, folder, signal);
  return { type: "command", folder: folder.label, isOwnFolder, parts: judged };
}

function reasonsFor({ parts, folder }: Command): readonly AskReason[] {
  const reasons: AskReason[] = parts === undefined ? ["runs-command", "shell"] : ["runs-command"];
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
  const untrusted = await untrustedOutputOf(ports, { ...command, folder }, signal, effects);
  const output = new CommandOutput(clock, (written) => effects?.output(written));
  const move = new AbortController();
  const id = offerMove(ports, move, effects);
  const begun = clock.monotonic();
  const child: ChildCommand = {
    ...childArguments(shellLine(command, processes.isWindows), command.argv, processes),
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
  const { text } = output;
  const name = shortened(command.line);
  const keep = (whole: string): string =>
    ports.results.keep({ tool: name, text: whole, ...definedFields({ untrusted }) });
  const isKeptBack = isInstalling(command.parts) && isSuccess(finished) && !/error|fail/i.test(text);
  if (untrusted === undefined) {
    const brings = bringsFiles(command.parts ?? posixParts(command.line, false));
    if (!brings) await ports.made.add(await listUntrustedBelow(workspace, signal, effects?.wrote));
  } else if (text !== "" && !isKeptBack) effects?.untrusted?.(untrusted);
  const { text: shown, cutFrom } =
    isKeptBack && text !== ""
      ? { text: describeKeptBack(text, keep), cutFrom: undefined }
      : shownOutput(text, keep, roomIn(effects));
  if (cutFrom !== undefined) effects?.shortened?.(cutFrom);
  const report = reportEnd(finished, { ...command, ms: clock.monotonic() - begun, output: shown });
  if (!isSuccess(finished)) throw new ToolRefusal(report);
  return report;
}

/** The source of text in the command's output that others may have written. Also code of the project may print any file of the workspace. */
async function untrustedOutputOf(
  ports: CommandPorts,
  command: Command,
  signal: AbortSignal,
  effects: CallEffects | undefined,
): Promise<string | undefined> {
  const shown = shortened(command.line);
  if (command.folder.cautions.length > 0 || !(await isProjectFolder(ports.workspace, command.folder, signal)))
    return shown;
  const { workspace } = ports;
  const isOwn = await isOwnOutput(ports, command, (words) =>
    findNamedPaths(workspace, command.folder, words, signal, effects?.wrote),
  );
  if (!isOwn) return shown;
  const file = await findUntrustedBelow(workspace, signal, effects?.wrote);
  return file && `${shown} (${file})`;
}

/** Bytes for the output: the sentence about the end comes first. */
function roomIn(effects: CallEffects | undefined): number | undefined {
  return effects?.room === undefined ? undefined : effects.room - 200;
}

function describeKeptBack(text: string, keep: (whole: string) => string): string {
  const id = keep(revealHidden(text));
  return `(It has installed what was asked for. The ${text.length} characters that it printed are not shown, because packages write them: read_result with id "${id}" gives them.)`;
}

function shortened(line: string): string {
  return line.slice(0, 100).toWellFormed();
}

/** What the shell reads: of parts, each word in quotes. cmd.exe gets a line of plain words as it is. */
function shellLine({ line, parts }: Command, isWindows: boolean): string {
  return parts === undefined || isWindows ? line : quotedLine(parts);
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

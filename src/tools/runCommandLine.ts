/** Tool: runs a command in a folder of the workspace, without a shell where the line is plain words, and only after a yes. */
import { randomUUID } from "node:crypto";
import { relative, resolve } from "node:path";
import * as z from "zod/mini";
import { isAbort, windowEnded } from "../base/async/abort";
import { revealHidden } from "../base/text/revealHidden";
import type { MonotonicClock } from "../base/clock";
import { definedFields } from "../base/definedFields";
import type { ChildCommand, ChildEnd, ChildProcesses } from "../domain/tools/childProcesses";
import type { TerminalCommand, Terminals } from "../domain/tools/toolPorts";
import {
  type CallToApprove,
  type CallEffects,
  type PrepareContext,
  type Tool,
  ToolRefusal,
} from "../domain/tools/tool";
import type { ToolAction, AskReason } from "../domain/chat/chat";
import type { CommandCopy, Confinement } from "../domain/tools/sandbox";
import type { NotedSaves, Workspace } from "../domain/tools/workspace";
import type { GrantedPart, GrantSubject } from "../domain/tools/grant";
import { type BackgroundProcesses, processCap, type Serving, commandLabel } from "./command/backgroundProcesses";
import { describePort, reportProcess, type CommandEnd, isSuccess, reportEnd } from "./command/reportEnd";
import { confinementOf, realRoots, sandboxHint } from "./command/confinedCommand";
import { type AppliedCopy, applyCopy, type CopyQuestion } from "./command/applyCopy";
import { commandEnvironment } from "./command/commandEnvironment";
import { CommandOutput, shownOutput } from "./command/commandOutput";
import {
  type FilesOfCommands,
  bringsFiles,
  isInstalling,
  isOwnOutput,
  namesForeign,
  type OutputOptions,
  grantedPartOf,
} from "./command/ownOutput";
import {
  type Argv,
  type CommandPart,
  quotedLine,
  posixParts,
  onlyArgv,
  readCommandLine,
} from "./command/readCommandLine";
import { mayPrintSecrets } from "./command/gitSecrets";
import { changesWorkTree, recordsOnly } from "./command/plainGit";
import { alias, seconds } from "./base/argumentRules";
import { defineTool, pathArgument } from "./base/defineTool";
import type { KeptResults } from "./readResult";
import { gateAgain, gateFolder, type GatedFolder } from "./gate/fileGate";
import { findNamedPaths, isTrackedFolder } from "./gate/namedPaths";
import { sandboxPolicy } from "./gate/sandboxPolicy";
import { findUntrustedBelow, listUntrustedBelow, stagesForeign } from "./search/untrustedBelow";
import { reasonsToAskForRead } from "./gate/cautions";
import { toSlashes } from "./gate/pathNames";
import { isSecretPath } from "./gate/sensitiveNames";

/** Characters; cmd.exe takes no more. */
const maxLineLength = 8000;
/** Seconds. */
const timeouts = { usual: 120, longest: 600 };
/** Milliseconds to wait for the first output of a command in the background, and for its port. */
const firstWait = 2000;
const portWait = 30_000;

export interface CommandOptions extends OutputOptions {
  readonly workspace: Workspace;
  readonly processes: ChildProcesses;
  readonly clock: MonotonicClock;
  readonly terminals: Terminals;
  /** How each running command is moved to a terminal, by a random id. */
  readonly moves: Map<string, () => void>;
  /** Keeps an output that is too long for a result. */
  readonly results: KeptResults;
  readonly made: FilesOfCommands;
  readonly background: BackgroundProcesses;
}

interface Command {
  /** The line without a `cd` at its beginning. */
  readonly line: string;
  /** Missing when the line is more than plain words. */
  readonly parts?: readonly CommandPart[];
  /** Missing when it takes a shell to run the line. */
  readonly argv?: Argv;
  readonly folder: GatedFolder;
  /** Seconds. */
  readonly limit: number;
  /** The roots that it may write, where it runs in the sandbox. */
  readonly confinedTo?: readonly string[];
  /** Set where it works on a copy of these roots. */
  readonly onCopy?: true;
  /** The port on which it serves, in the background. */
  readonly port?: number;
}

type CommandAction = Extract<ToolAction, { type: "run-command" }>;

const parameters = z.strictObject({
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
  background: z.optional(
    z.boolean().check(z.describe("Let it go on after the call: for servers and watchers. Default: false.")),
  ),
  port: z.optional(
    z
      .int()
      .check(
        z.minimum(1),
        z.maximum(65_535),
        z.describe(
          "With background: the port that it serves. It gets the network of the machine for it, after a question; the call ends once the port answers.",
        ),
      ),
  ),
  outside: z.optional(
    z
      .boolean()
      .check(z.describe("Run outside of the sandbox, where a result said that it was in the way. Default: false.")),
  ),
  reason: z.optional(
    z
      .string()
      .check(z.maxLength(300), z.describe("What it needs outside of the sandbox, for the person who is asked.")),
  ),
});

export function runCommandLine(options: CommandOptions): Tool {
  const shell = options.processes.isWindows ? "cmd.exe" : "/bin/sh";
  return defineTool({
    name: "run_command",
    effect: "runs",
    description: `Runs a command line and gives its exit code and output. Where the system has a sandbox it runs there, without network, home folder or secrets, and writes the workspace only. On Linux it needs no question there: it works on a copy of the workspace, and what it has changed is applied at its end; files that git, an editor, a build or an agent runs or obeys only after a yes, and .git only by git add, commit, tag NAME and branch NAME in a line of their own. Else the person is asked; a longer yes can cover plain words, several of them joined by && or ;, and output piped through head, tail, grep, wc or sort. Anything else (variables, substitutions, redirections to files, globs) runs in ${shell} and asks each time. Use the folder argument instead of cd. The output is whole unless a note says so: do not cut it. There is no input and no terminal, and what it leaves running is ended with it: for a server or a watcher set background, then call use_process.`,
    parameters,
    rules: [
      alias("command", "cmd", "command_line", "script"),
      alias("folder", "cwd", "workdir", "working_directory", "work_dir", "directory", "dir"),
      alias("reason", "justification"),
      alias("timeout", "timeout_seconds", "timeout_s", "max_seconds"),
      seconds("timeout", timeouts.longest, "timeout_ms", "timeout_milliseconds", "yield_time_ms"),
    ],
    exact: ["outside", "background"],
    refusesUnknown: true,
    prepare: (input, signal, context) => prepareCommand(options, input, signal, context),
  });
}

async function prepareCommand(
  options: CommandOptions,
  input: z.infer<typeof parameters>,
  signal: AbortSignal,
  context: PrepareContext | undefined,
): Promise<CallToApprove> {
  const { workspace, processes } = options;
  const { command: line, folder: given = ".", timeout: limit = timeouts.usual } = input;
  if (line.trim() === "") throw new ToolRefusal("The command is empty.");
  if (line.includes("\0") || !line.isWellFormed()) throw new ToolRefusal("The command has a NUL or half a character.");
  const isBackground = input.background === true;
  const { port } = input;
  if (port !== undefined && !isBackground)
    throw new ToolRefusal("A port is for what goes on in the background: add background: true, or leave port out.");
  const chat = context?.chat ?? "";
  if (isBackground && options.background.runningIn(chat) >= processCap)
    throw new ToolRefusal(`${processCap} processes run in the background already: end one with use_process first.`);
  const roots = await realRoots(workspace);
  const sandbox = await processes.sandbox(roots);
  const hasSandbox = sandbox.state === "ready";
  const placed = await placeLine(options, line, given, signal);
  const { folder, parts } = placed;
  const needsMore = parts?.some(({ argv }) => changesWorkTree(argv)) === true;
  const isConfined = hasSandbox && input.outside !== true && !needsMore;
  const confinedTo = isConfined ? roots : undefined;
  const onCopy = isConfined && !isBackground && sandbox.copies ? (true as const) : undefined;
  const command: Command = { ...placed, limit, ...definedFields({ confinedTo, onCopy, port }) };
  const label = folder.label === "." ? undefined : folder.label;
  const outside = hasSandbox && !isConfined ? (input.reason ?? "") : undefined;
  const judged = parts && (await judgeParts(workspace, parts, folder, signal, context?.wrote));
  const isStaging = judged !== undefined && (await areStaging(workspace, judged, folder, signal, context?.wrote));
  // Outside of the sandbox each line of git with contents asks already. In it only files are hidden whose names below a root say that they hold secrets.
  const isSecret =
    isConfined &&
    (hasSecretRoot(workspace, roots) ||
      (await mayPrintSecrets(options, { line: command.line, folder, roots, ...definedFields({ parts }) }, signal)));
  // A command that leaves the sandbox asks each time, because rules were given for confined commands.
  const grant =
    outside !== undefined || isBackground || judged === undefined || isStaging || isSecret
      ? undefined
      : await grantOf(workspace, judged, folder, signal);
  const inBackground = isBackground ? (true as const) : undefined;
  const action: CommandAction = {
    type: "run-command",
    command: command.line,
    ...definedFields({ folder: label, outside, isBackground: inBackground, port }),
  };
  return {
    action,
    reasons: reasonsFor(command, { isOutside: outside !== undefined, isBackground, isStaging, isSecret }),
    // On a copy no change is in the workspace before it has passed the gate. In the workspace itself git, editors and agents read it at once.
    ...definedFields({ grant, isConfined: isStaging || isSecret ? undefined : onCopy }),
    run: (running, effects) =>
      isBackground
        ? startInBackground(options, { ...command, action, chat }, running, effects)
        : runHere(options, { ...command, action }, running, effects),
  };
}

/** Whether the path of a root says that all its files may hold secrets. */
function hasSecretRoot(workspace: Workspace, realPaths: readonly string[]): boolean {
  const paths = [...realPaths, ...workspace.roots().map(({ path }) => path)];
  return paths.some((path) => isSecretPath(`${toSlashes(path)}/`));
}

/** Reads the line. A `cd` at its beginning becomes the folder where that is one of the workspace; else the shell runs the whole line. */
async function placeLine(
  { workspace, processes }: CommandOptions,
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

async function runHere(
  options: CommandOptions,
  command: Command & { readonly action: CommandAction },
  signal: AbortSignal,
  effects: CallEffects | undefined,
): Promise<string | CallToApprove> {
  const saves = command.onCopy && options.workspace.noteSaves?.();
  try {
    return await runWhileNoted(options, command, signal, effects, saves);
  } finally {
    saves?.dispose();
  }
}

async function runWhileNoted(
  options: CommandOptions,
  command: Command & { readonly action: CommandAction },
  signal: AbortSignal,
  effects: CallEffects | undefined,
  saves: NotedSaves | undefined,
): Promise<string | CallToApprove> {
  const { workspace, processes, clock } = options;
  const folder = await gateAgain(gateFolder, workspace, command.folder, signal);
  const untrusted = await untrustedOutputOf(options, { ...command, folder }, signal, effects);
  const output = new CommandOutput(clock, (written) => effects?.output(written));
  const move = new AbortController();
  const id = offerMove(options, move, effects);
  const begun = clock.monotonic();
  let copy: CommandCopy | undefined;
  const child = childOf(options, command, folder, output.add, (made) => (copy = made));
  const end = await endOrMove(processes.run(child, AbortSignal.any([signal, move.signal])), signal).finally(() => {
    options.moves.delete(id);
    output.end();
  });
  const finished: CommandEnd =
    end.type === "moved" ? { type: "moved", outcome: options.terminals.open(forTerminal(command, folder)) } : end;
  const applied = copy && (await applyCopy(workspace, copy, effects?.files, signal, saves).catch(reportRefusal));
  const { text } = output;
  const name = commandLabel(command.line);
  const keep = (whole: string): string =>
    options.results.keep({ tool: name, text: whole, ...definedFields({ untrusted }) });
  const isKeptBack = isInstalling(command.parts) && isSuccess(finished) && !/error|fail/i.test(text);
  if (untrusted === undefined) {
    const brings = bringsFiles(command.parts ?? posixParts(command.line, false));
    if (!brings) await options.made.add(await listUntrustedBelow(workspace, signal, effects?.wrote));
  } else if (text === "" ? await mayHaveCopied(options, { ...command, folder }, signal, effects) : !isKeptBack)
    effects?.untrusted?.(untrusted);
  const { text: shown, cutFrom } =
    isKeptBack && text !== ""
      ? { text: describeKeptBack(text, keep), cutFrom: undefined }
      : shownOutput(text, keep, roomIn(effects));
  if (cutFrom !== undefined) effects?.shortened?.(cutFrom);
  const report = reportEnd(finished, { ...command, ms: clock.monotonic() - begun, output: shown });
  const hint = command.confinedTo && !isSuccess(finished) && end.type !== "moved" ? sandboxHint(text) : "";
  if (hint !== "") effects?.heldBack?.();
  const tell = (rest: string): string => {
    const whole = [report + hint, applied?.report ?? "", rest].filter((part) => part !== "").join("\n");
    if (!isSuccess(finished)) throw new ToolRefusal(whole);
    return whole;
  };
  return applied?.question ? askToApply(applied.question, command.action, tell, signal) : tell("");
}

/** Makes a refusal a report, so that the model reads it with the output of the command. */
function reportRefusal(error: unknown): AppliedCopy {
  if (error instanceof ToolRefusal) return { report: error.message };
  throw error;
}

/** The second step of a command: asks about its changes that are not known to be plain. */
function askToApply(
  { parts, reasons, apply, leave }: CopyQuestion,
  whole: CommandAction,
  tell: (rest: string) => string,
  turn: AbortSignal,
): CallToApprove {
  // Where the turn is stopped while the question is open, the changes are discarded. Those of a window that ends stay for the next one, which asks.
  const onStop = (): void => {
    if (turn.reason !== windowEnded) void leave();
  };
  turn.addEventListener("abort", onStop, { once: true });
  const answered = (): void => turn.removeEventListener("abort", onStop);
  return {
    action: { type: "change-files", parts: parts.map(({ action }) => action) },
    reasons,
    whole,
    changes: parts,
    run: async (_signal, effects) => {
      answered();
      effects?.did?.(whole);
      return tell(await apply(effects?.files));
    },
    leave: async () => {
      answered();
      return tell(await leave());
    },
  };
}

function childOf(
  { processes }: CommandOptions,
  command: Command,
  folder: GatedFolder,
  onOutput: (text: string) => void,
  onCopied?: Confinement["onCopy"],
): ChildCommand {
  const { confinedTo, onCopy, parts, port } = command;
  const toCopy = onCopy && onCopied;
  const confinement = confinedTo && confinementOf(confinedTo, sandboxPolicy, parts, port !== undefined, toCopy);
  return {
    ...childArguments(shellLine(command, processes.isWindows), command.argv, processes),
    cwd: folder.real,
    environment: commandEnvironment(processes.environment, folder.real, processes.isWindows),
    timeoutMs: command.limit * 1000,
    onOutput,
    ...definedFields({ confinement }),
  };
}

/** Resolves once its port answers or the wait is over, with its output until then. */
async function startInBackground(
  options: CommandOptions,
  command: Command & { readonly action: CommandAction; readonly chat: string },
  signal: AbortSignal,
  effects: CallEffects | undefined,
): Promise<string> {
  const { background, processes } = options;
  const { chat, line, confinedTo, port } = command;
  // The response of another program would be taken for that of the command.
  if (port !== undefined && (await processes.answers(port)))
    throw new ToolRefusal(`Another program serves port ${port} already: give the command and this call another one.`);
  const folder = await gateAgain(gateFolder, options.workspace, command.folder, signal);
  const untrusted = await untrustedOutputOf(options, { ...command, folder }, signal, effects);
  const isConfined = confinedTo !== undefined && port === undefined;
  // After a stop no row of the chat would name the process.
  signal.throwIfAborted();
  const serve: Serving = {
    isTaken: (wanted) => processes.answers(wanted),
    async start(wanted, onOutput) {
      const now = await gateAgain(gateFolder, options.workspace, folder, new AbortController().signal);
      return processes.start(childOf(options, { ...command, port: wanted }, now, onOutput));
    },
  };
  const facts = { chat, line, isConfined, untrusted, port, serve: isConfined ? serve : undefined };
  const started = await background.start(facts, (onOutput) =>
    processes.start(childOf(options, command, folder, onOutput)),
  );
  if (signal.aborted) background.end(started.id);
  signal.throwIfAborted();
  effects?.did?.({ ...command.action, process: started.id });
  const isAwaited = (): boolean | Promise<boolean> => port !== undefined && processes.answers(port);
  const hasAnswered = await started.waitFor(isAwaited, port === undefined ? firstWait : portWait, signal);
  const report = reportProcess(started, started.read(), options.results, effects);
  if (started.end !== undefined) throw new ToolRefusal(report + (confinedTo ? sandboxHint(report) : ""));
  return [
    `Started in the background as ${started.id}; it ends with the chat.`,
    ...(port === undefined ? [] : [describePort(port, hasAnswered)]),
    report,
  ].join("\n");
}

/** Whether a command that printed nothing may have put foreign text into files, also tracked ones. In the sandbox no person has read what it does. */
async function mayHaveCopied(
  { workspace }: CommandOptions,
  command: Command,
  signal: AbortSignal,
  effects: CallEffects | undefined,
): Promise<boolean> {
  if (command.parts?.every(({ argv }) => recordsOnly(argv)) === true) return false;
  if (command.confinedTo !== undefined) return true;
  return namesForeign(command, (words) => findNamedPaths(workspace, command.folder, words, signal, effects?.wrote));
}

/** No person has read a command of the sandbox before it ran, so it is only typed in the terminal, for the person to send. */
function forTerminal({ line, argv, confinedTo }: Command, { real }: GatedFolder): TerminalCommand {
  return { folder: real, line, ...(argv === undefined || confinedTo ? {} : { argv }) };
}

/** The source of text in the command's output that others may have written. Code of the project may also print any file of the workspace. */
async function untrustedOutputOf(
  options: CommandOptions,
  command: Command,
  signal: AbortSignal,
  effects: CallEffects | undefined,
): Promise<string | undefined> {
  const shown = commandLabel(command.line);
  if (command.folder.cautions.length > 0 || !(await isTrackedFolder(options.workspace, command.folder, signal)))
    return shown;
  const { workspace } = options;
  const isOwn = await isOwnOutput(options, command, (words) =>
    findNamedPaths(workspace, command.folder, words, signal, effects?.wrote),
  );
  if (!isOwn) return shown;
  const file = await findUntrustedBelow(workspace, signal, effects?.wrote);
  return file && `${shown} (${file})`;
}

/** Bytes for the output, after the sentence about the end. */
function roomIn(effects: CallEffects | undefined): number | undefined {
  return effects?.room === undefined ? undefined : effects.room - 200;
}

function describeKeptBack(text: string, keep: (whole: string) => string): string {
  const id = keep(revealHidden(text));
  return `(It has installed what was asked for. The ${text.length} characters that it printed are not shown, because packages write them: read_result with id "${id}" gives them.)`;
}

/** The line that the shell reads: parts with each word in quotes. cmd.exe gets a line of plain words as it is. */
function shellLine({ line, parts }: Command, isWindows: boolean): string {
  return parts === undefined || isWindows ? line : quotedLine(parts);
}

/** Sends the page the id by which it can ask for the move. */
function offerMove({ moves }: CommandOptions, move: AbortController, effects: CallEffects | undefined): string {
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

interface JudgedCommand {
  /** Missing when the line is more than plain words. */
  readonly parts?: readonly CommandPart[];
  readonly folder: GatedFolder;
  /** The roots that it may write, where it runs in the sandbox. */
  readonly confinedTo?: readonly string[];
  readonly port?: number;
}

/** The parts of the line, with what they name. */
function judgeParts(
  workspace: Workspace,
  parts: readonly CommandPart[],
  folder: GatedFolder,
  signal: AbortSignal,
  wrote: CallEffects["wrote"],
): Promise<readonly GrantedPart[]> {
  return Promise.all(
    parts.map(async (part) => grantedPartOf(part, await findNamedPaths(workspace, folder, part.argv, signal, wrote))),
  );
}

/** Whether one of the parts makes foreign files the project's own. */
async function areStaging(
  workspace: Workspace,
  judged: readonly GrantedPart[],
  folder: GatedFolder,
  signal: AbortSignal,
  wrote: CallEffects["wrote"],
): Promise<boolean> {
  for (const part of judged) if (await stagesForeign(workspace, folder, part, signal, wrote)) return true;
  return false;
}

/** The subject that a rule for the command may cover. */
async function grantOf(
  workspace: Workspace,
  parts: readonly GrantedPart[],
  folder: GatedFolder,
  signal: AbortSignal,
): Promise<GrantSubject> {
  return {
    type: "command",
    folder: folder.label,
    isOwnFolder: await isTrackedFolder(workspace, folder, signal),
    parts,
  };
}

/** The reasons for which the command asks. */
function reasonsFor(
  { parts, folder, confinedTo, port }: JudgedCommand,
  {
    isOutside,
    isBackground,
    isStaging,
    isSecret,
  }: Readonly<Record<"isOutside" | "isBackground" | "isStaging" | "isSecret", boolean>>,
): readonly AskReason[] {
  const reasons: AskReason[] = [
    ...(isOutside ? (["outside-sandbox"] as const) : []),
    confinedTo === undefined ? "runs-command" : isBackground ? "runs-in-place" : "runs-confined",
    ...(confinedTo !== undefined && port !== undefined ? (["uses-network"] as const) : []),
    ...(isBackground ? (["stays-running"] as const) : []),
    ...(isStaging ? (["stages-foreign"] as const) : []),
    ...(isSecret ? (["secret"] as const) : []),
    ...(parts === undefined ? (["shell"] as const) : []),
  ];
  return [...reasons, ...(reasonsToAskForRead(folder.cautions) ?? [])];
}

/** `argv`: missing when the line is more than plain words. */
function childArguments(
  line: string,
  argv: Argv | undefined,
  { isWindows, environment }: Pick<ChildProcesses, "isWindows" | "environment">,
): Pick<ChildCommand, "argv" | "isVerbatim"> {
  if (!isWindows) return { argv: argv ?? ["/bin/sh", "-c", "--", line] };
  // cmd.exe also runs plain words, of which no character means anything to it: only it finds and runs an `npm.cmd`. It is
  // named by its path, so that none of the workspace runs in its place. `/d`: no AutoRun. `/s` removes the outer quotation marks.
  const folder = environment["SystemRoot"] ?? environment["SYSTEMROOT"] ?? String.raw`C:\Windows`;
  return { argv: [String.raw`${folder}\System32\cmd.exe`, "/d", "/s", "/c", `"${line}"`], isVerbatim: true };
}

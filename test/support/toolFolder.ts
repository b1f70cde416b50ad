/** A temporary workspace with the tools on it: tests put files in and call tools as the session does. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { type PreparedCall, type Tool, ToolRefusal } from "../../src/domain/tools/tool";
import type { EditorPort, ScaleImage, PagePort, WebPort } from "../../src/domain/tools/toolPorts";
import type { ReferenceImage, TaskPort, TaskTarget } from "../../src/domain/task/taskPort";
import { moneyForModel } from "../../src/tasks/money";
import type { Workspace } from "../../src/domain/tools/workspace";
import { definedFields } from "../../src/base/definedFields";
import type { MonotonicClock } from "../../src/base/clock";
import { onceNow } from "../../src/base/async/serialQueue";
import { systemClock } from "../../src/base/async/systemClock";
import { describeAction, describeReasons } from "../../src/domain/words/describeTool";
import { TimeSlices } from "../../src/base/async/timeSlices";
import { describeFound, type FileSearch } from "../../src/tools/search/searchJob";
import { runSearch } from "../../src/tools/search/serveSearch";
import { ParallelSearch } from "../../src/tools/search/parallelSearch";
import { isProjects } from "../../src/chat/approval/projectCommands";
import type { ChildProcesses } from "../../src/domain/tools/childProcesses";
import { SeenTextHashes } from "../../src/chat/undo/changeLedger";
import { KeptResults } from "../../src/tools/readResult";
import { BackgroundProcesses } from "../../src/tools/command/backgroundProcesses";
import { FilesOfCommands } from "../../src/tools/command/ownOutput";
import type { SandboxState } from "../../src/domain/tools/sandbox";
import { createTools } from "../../src/tools/tools";
import { home } from "./builders";
import { noEditor } from "./noEditor";
import { createDiskWorkspace } from "./diskWorkspace";
import { createTemporaryFolder } from "./temporaryFolder";
import { plainAppOptions } from "./plainOptions";

export interface ToolFolder {
  readonly path: string;
  readonly workspace: Workspace;
  at(name: string): string;
  put(name: string, text: string | Uint8Array): Promise<void>;
  /** Runs a program (`mkfifo`, `git`) in the folder. */
  command(program: string, ...args: string[]): Promise<string>;
  prepare(tool: string, input: unknown, signal?: AbortSignal): Promise<PreparedCall>;
  /** Allows every question; returns the result for the model. */
  run(tool: string, input: unknown, signal?: AbortSignal): Promise<string>;
  /** The message for the model when the call is refused. */
  refusal(tool: string, input: unknown): Promise<string>;
  remove(): Promise<void>;
}

const never = new AbortController().signal;

const threadSearch = new ParallelSearch(resolve("dist", "search.mjs"));

/** Searches through that workspace instead of on a thread, which would read the disk itself. */
export function searchIn(workspace: Workspace): FileSearch {
  return {
    async run(job, signal, onVisited = () => undefined) {
      const progress = { onVisited, isOver: () => false };
      return describeFound(job, [await runSearch(job, workspace, new TimeSlices(signal), progress)]);
    },
  };
}

/** What a tool may touch besides the workspace: child processes and tasks only where they are given. */
export interface ToolExtras {
  readonly search?: FileSearch;
  readonly tasks?: Partial<TaskPort>;
  readonly editor?: EditorPort;
  readonly clock?: MonotonicClock;
  /** Runs a command. */
  readonly run?: ChildProcesses["run"];
  readonly sandbox?: SandboxState;
  readonly results?: KeptResults;
  readonly scaleImage?: ScaleImage;
  readonly web?: WebPort;
  readonly pages?: PagePort;
}

const unused = (): never => assert.fail("not expected");

export function toolsOver(
  workspace: Workspace,
  {
    search = threadSearch,
    tasks = {},
    editor = noEditor,
    clock = systemClock,
    run = unused,
    sandbox = { state: "off" },
    results = new KeptResults(),
    scaleImage,
    web = { proxyOf: () => undefined, get: unused },
    pages = { capture: unused },
  }: ToolExtras = {},
): readonly Tool[] {
  const isReserved = (): boolean => false;
  const target = (): Promise<TaskTarget> => Promise.resolve({ home, isLocal: false, type: "enabled" });
  const asked = {
    target,
    moneyOf: moneyForModel,
    fetchProblemOf: () => undefined,
    priceOf: () => undefined,
    isMoneyCapped: () => false,
    referenceLimit: () => 1000,
    isImage: isPng,
    submit: unused,
    isReserved,
    cancel: unused,
  };
  const known = {
    models: () => ({ origin: home.origin, list: [] }),
    list: () => [],
    picture: () => Promise.resolve(undefined),
  };
  const port = {
    ...asked,
    ...known,
    get: unused,
    ordered: () => [],
    knowsAll: unused,
    untilEnded: unused,
    save: unused,
    ...tasks,
  };
  const { terminals, scaleImage: none } = plainAppOptions;
  const noProcesses = {
    ...{ isWindows: false, environment: {}, start: unused, answers: unused },
    sandbox: () => Promise.resolve(sandbox),
  };
  return createTools({
    ...{ workspace, tasks: port, processes: { ...noProcesses, run }, search, editor, clock, web, pages },
    ...{ moves: new Map(), terminals, isProjects, results, made: new FilesOfCommands(workspace) },
    background: new BackgroundProcesses(clock),
    scaleImage: scaleImage ?? none,
  });
}

const isPng = ({ bytes }: ReferenceImage): boolean => bytes[0] === 0x89;

/** The texts that a person would read: what the call does, and why it asks. */
export const titleOf = ({ action }: PreparedCall): string => describeAction(action);
export const reasonsOf = ({ reasons }: PreparedCall): string | undefined => reasons && describeReasons(reasons);

/** `inside`: the workspace is a subfolder. */
export async function createToolFolder({
  inside = "",
  over,
  editor,
  tasks,
  clock,
  scaleImage,
}: {
  readonly inside?: string;
  /** Wraps the workspace; searches then run through it. */
  readonly over?: (workspace: Workspace) => Workspace;
  readonly editor?: EditorPort;
  readonly tasks?: Partial<TaskPort>;
  readonly clock?: MonotonicClock;
  readonly scaleImage?: ScaleImage;
} = {}): Promise<ToolFolder> {
  const folder = await createTemporaryFolder();
  const at = (name: string): string => join(folder.path, name);
  await mkdir(at(inside), { recursive: true });
  const disk = createDiskWorkspace(at(inside));
  const workspace = over?.(disk) ?? disk;
  const search = over && searchIn(workspace);
  // Most folders are only for the files in them, or for other tools.
  const tools = onceNow(() => toolsOver(workspace, definedFields({ search, tasks, editor, clock, scaleImage })));
  const seen = new SeenTextHashes();
  const effects = { activity: () => undefined, output: () => undefined, submitted: () => undefined, seen };
  const prepare = (name: string, input: unknown, signal = never): Promise<PreparedCall> => {
    const tool = tools().find(({ declaration }) => declaration.name === name);
    assert.ok(tool, name);
    return tool.prepare(input, signal, { seen });
  };
  const run = async (tool: string, input: unknown, signal = never): Promise<string> => {
    let call = await prepare(tool, input, signal);
    for (;;) {
      const result = await call.run(signal, effects);
      if (typeof result === "string") return result;
      call = result;
    }
  };
  return {
    path: folder.path,
    workspace,
    at,
    async put(name, text) {
      await mkdir(dirname(at(name)), { recursive: true });
      await writeFile(at(name), text);
    },
    command: async (program, ...args) => (await promisify(execFile)(program, args, { cwd: folder.path })).stdout,
    prepare,
    run,
    async refusal(tool, input) {
      const told = await run(tool, input).then(
        (result) => assert.fail(`not refused: ${result.slice(0, 200)}`),
        (error: unknown) => error,
      );
      assert.ok(told instanceof ToolRefusal, String(told));
      return told.message;
    },
    remove: () => folder.remove(),
  };
}

/** Tools whose results hold no text but the person's and ours. */
export const callsWithoutText = Object.fromEntries(
  ["ask_person", "update_plan", "present_plan"].map((name) => [name, { own: [], foreign: [] }]),
);

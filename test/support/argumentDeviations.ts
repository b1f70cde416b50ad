/** Calls as models of other agents write them, each with the call that it means or the remedy that its refusal must name (A10). */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { declaredName, describeUnknownTool } from "../../src/domain/tools/calledTool";
import { type PreparedCall, type Tool, ToolRefusal } from "../../src/domain/tools/tool";
import { createDiskWorkspace } from "./diskWorkspace";
import { createTemporaryFolder } from "./temporaryFolder";
import { searchIn, toolsOver } from "./toolFolder";

type Call = readonly [tool: string, input: unknown];

export interface Deviation {
  readonly call: Call;
  /** The call that has the same effect in the tool's own form; or what the refusal says in addition to the schema. */
  readonly means: Call | RegExp;
}

const read = (input: unknown, means: unknown): Deviation => ({
  call: ["read_file", input],
  means: ["read_file", means],
});
const edit = (input: unknown, means: unknown = edited): Deviation => ({
  call: ["edit_file", input],
  means: ["edit_file", means],
});
const run = (input: unknown, means: unknown): Deviation => ({
  call: ["run_command", input],
  means: ["run_command", means],
});
const find = (input: unknown, means: unknown): Deviation => ({
  call: ["find_text", input],
  means: ["find_text", means],
});
const named = (name: string, input: unknown, means: Call): Deviation => ({ call: [name, input], means });
const refused = (tool: string, input: unknown, means: RegExp): Deviation => ({ call: [tool, input], means });

const path = "src/app.ts";
const whole = { path };
const edited = { path, old_text: "World", new_text: "Sluice" };
const created: Call = ["write_file", { path: "new.txt", text: "hello\n" }];

export const deviations: readonly Deviation[] = [
  // Names of arguments.
  read({ file_path: path }, whole),
  read({ filePath: path }, whole),
  read({ filename: path }, whole),
  read({ file: path }, whole),
  read({ path, startLine: 2, endLine: 3 }, { path, start_line: 2, end_line: 3 }),
  read({ path, offset: 2, limit: 2 }, { path, start_line: 2, end_line: 3 }),
  read({ path, offset: 0, limit: 2 }, { path, start_line: 1, end_line: 2 }),
  read({ path, view_range: [1, 2] }, { path, start_line: 1, end_line: 2 }),
  read({ path, line_range: "1-2" }, { path, start_line: 1, end_line: 2 }),
  edit({ file_path: path, old_string: "World", new_string: "Sluice" }),
  edit({ filePath: path, oldString: "World", newString: "Sluice" }),
  edit({ path, search: "World", replace: "Sluice" }),
  edit({ path, old_str: "World", new_str: "Sluice" }),
  edit({ file_path: path, edits: [{ old_string: "World", new_string: "Sluice" }] }),
  named("write_file", { file_path: "new.txt", content: "hello\n" }, created),
  named("write_file", { path: "new.txt", contents: "hello\n" }, created),
  run({ command: "ls", cwd: "src" }, { command: "ls", folder: "src" }),
  run({ cmd: "ls", workdir: "src" }, { command: "ls", folder: "src" }),
  find({ pattern: "gre+t" }, { text: "gre+t", is_pattern: true }),
  find({ regex: "World|Sluice" }, { text: "World|Sluice", is_pattern: true }),
  find({ query: "World" }, { text: "World" }),
  find({ query: "greet(" }, { text: "greet(" }),
  find({ query: "w.rld", isRegexp: true }, { text: "w.rld", is_pattern: true }),
  find({ pattern: "World", glob: "*.ts" }, { text: "World", include: ["*.ts"] }),
  find({ pattern: "(?i)world", path: "src" }, { text: "world", path: "src" }),
  find({ text: "world", case_sensitive: "true" }, { text: "world", match_case: true }),
  find({ pattern: "WORLD", "-i": true }, { text: "WORLD", match_case: false }),
  find({ pattern: "World", "-C": 1, output_mode: "content" }, { text: "World", context_lines: 1 }),
  named("find_files", { pattern: "**/*.ts" }, ["find_files", { name: "**/*.ts" }]),
  named("list_files", { directory: "src" }, ["list_files", { path: "src" }]),
  named("rename_file", { source: path, destination: "src/main.ts" }, [
    "rename_file",
    { path, new_path: "src/main.ts" },
  ]),
  // Values.
  read({ path, start_line: "2", end_line: "3" }, { path, start_line: 2, end_line: 3 }),
  read({ path, start_line: null, end_line: null }, whole),
  read({ path, start_line: "", end_line: "null" }, whole),
  read({ path, start_line: 1, end_line: -1 }, { path, start_line: 1 }),
  read({ path: `${path}:2` }, { path, start_line: 2 }),
  read({ path: `${path}:2:7` }, { path, start_line: 2 }),
  edit({ path: `${path}:3`, old_text: "World", new_text: "Sluice" }),
  edit({ path, edits: JSON.stringify([{ old_text: "World", new_text: "Sluice" }]) }),
  edit({ path, edits: { old_text: "World", new_text: "Sluice" } }),
  edit({ path, edits: [JSON.stringify({ old_text: "World", new_text: "Sluice" })] }),
  edit({ path, old_text: null, new_text: null, edits: [{ old_text: "World", new_text: "Sluice" }] }),
  run({ command: "ls", timeout: 120_000 }, { command: "ls", timeout: 120 }),
  run({ command: "ls", timeout: "30" }, { command: "ls", timeout: 30 }),
  run({ command: "ls", timeout_ms: 30_000 }, { command: "ls", timeout: 30 }),
  find({ text: "World", is_pattern: "false" }, { text: "World", is_pattern: false }),
  find({ text: "World", include: "*.ts" }, { text: "World", include: ["*.ts"] }),
  find({ text: "World", include: '["*.ts"]' }, { text: "World", include: ["*.ts"] }),
  find({ text: 7 }, { text: "7" }),
  // More than the tool takes.
  read({ path, explanation: "I look at it first." }, whole),
  read({ arguments: { path } }, whole),
  read({ input: JSON.stringify({ path }) }, whole),
  edit({ ...edited, explanation: "", instructions: "say hello to Sluice" }),
  edit({ ...edited, replaceAll: true }),
  run({ command: "ls", description: "lists", requires_approval: false }, { command: "ls" }),
  // Names of tools.
  named("Read", { file_path: path }, ["read_file", whole]),
  named("READ_FILE", whole, ["read_file", whole]),
  named("readFile", whole, ["read_file", whole]),
  named("functions.read_file", whole, ["read_file", whole]),
  named("functions.read_file:0", whole, ["read_file", whole]),
  named("default_api.read_file", whole, ["read_file", whole]),
  named("read_file<|channel|>commentary", whole, ["read_file", whole]),
  named("Bash", { command: "ls", description: "lists", timeout: 60_000 }, [
    "run_command",
    { command: "ls", timeout: 60 },
  ]),
  named("Grep", { pattern: "World", glob: "*.ts", "-n": true }, ["find_text", { text: "World", include: ["*.ts"] }]),
  named("str_replace", { path, old_str: "World", new_str: "Sluice" }, ["edit_file", edited]),
  // These arguments can't be known, or would do more than was meant.
  refused("read_file", {}, /path/),
  refused("read_file", { path: [path] }, /path/),
  refused("read_file", { path, start_line: "the second" }, /start_line/),
  refused("read_file", { path, file_path: "src/other.ts" }, /different things/),
  refused("edit_file", { path, diff: "<<<<<<< SEARCH" }, /old_text/),
  refused("edit_file", { ...edited, dry_run: true }, /dry_run/),
  refused("run_command", { command: "ls", env: { A: "1" } }, /env/),
  refused("run_command", { command: "ls", is_background: true }, /is_background/),
  refused("run_command", { command: "ls", timeout: 900 }, /timeout/),
  refused("submit_task", { type: "video", model: "m", prompt: "a harbour", camera: "pan" }, /camera/),
  refused("load_file", whole, /nearest is read_file/),
  refused("delete_all", {}, /The tools: list_files, find_files/),
];

export type Outcome = "right" | "refused with the remedy" | "neither";

export async function judge({ call, means }: Deviation): Promise<Outcome> {
  const made = await effectOf(call);
  if (means instanceof RegExp) {
    const isHelp = typeof made === "string" && means.test(made) && made.includes(" takes {");
    return isHelp ? "refused with the remedy" : "neither";
  }
  return typeof made !== "string" && isDeepStrictEqual(made, await effectOf(means)) ? "right" : "neither";
}

/** Returns what a person is shown of a call and what it does to a folder with one file, every question allowed; for a refused one the refusal. */
async function effectOf([called, input]: Call): Promise<unknown> {
  const folder = await createTemporaryFolder();
  try {
    const workspace = createDiskWorkspace(folder.path);
    await workspace.create(join(folder.path, "src", "app.ts"), new TextEncoder().encode(source));
    const commands: unknown[] = [];
    const tools = toolsOver(workspace, {
      search: searchIn(workspace),
      clock: { ...stillClock },
      run({ argv, cwd, timeoutMs }) {
        commands.push({ argv, cwd: cwd.slice(folder.path.length), timeoutMs });
        return Promise.resolve({ type: "exited", code: 0 });
      },
    });
    const call = await prepare(tools, called, input);
    const { action, reasons, change } = call;
    const result = await runAll(call);
    const file = await readFile(join(folder.path, "src", "app.ts"), "utf8").catch(() => "(gone)");
    return { action, reasons, after: change?.after, result: withoutNote(result), commands, file };
  } catch (error) {
    if (error instanceof ToolRefusal) return error.message;
    throw error;
  } finally {
    await folder.remove();
  }
}

const source = "import { greet } from './greet';\n\ngreet('World');\n// 7\n";
const stillClock = { monotonic: () => 0, now: () => 0, delay: () => Promise.resolve() };
const never = new AbortController().signal;

async function prepare(tools: readonly Tool[], called: string, input: unknown): Promise<PreparedCall> {
  const declarations = tools.map(({ declaration }) => declaration);
  const name = declaredName(
    called,
    declarations.map((declaration) => declaration.name),
  );
  const tool = tools.find(({ declaration }) => declaration.name === name);
  if (tool === undefined) throw new ToolRefusal(describeUnknownTool(called, declarations));
  return tool.prepare(input, never);
}

async function runAll(call: PreparedCall): Promise<string> {
  const result = await call.run(never);
  return typeof result === "string" ? result : runAll(result);
}

function withoutNote(result: string): string {
  return result.replace(/\n\(There are no such arguments, so they were ignored: .*\)$/, "");
}

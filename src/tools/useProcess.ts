/** Tool: reads, writes to, waits for or ends a command that `run_command` has started in the background. */
import * as z from "zod/mini";
import type { ChildProcesses } from "../domain/tools/childProcesses";
import { type CallEffects, type Tool, ToolRefusal } from "../domain/tools/tool";
import { alias, seconds } from "./base/argumentRules";
import { defineTool } from "./base/defineTool";
import type { Background, BackgroundProcesses } from "./command/backgroundProcesses";
import { describePort, reportProcess } from "./command/reportEnd";
import type { CommandOptions } from "./runCommandLine";

/** Seconds. */
const waits = { usual: 10, longest: 300 };

type ProcessOptions = Pick<CommandOptions, "background" | "results"> & {
  readonly processes: Pick<ChildProcesses, "answers">;
};

export function useProcess(options: ProcessOptions): Tool {
  return defineTool({
    name: "use_process",
    effect: "runs",
    description:
      "Gives what a background process of run_command has written since the last call, and whether it still runs. Use it to wait for a text or a port, to write a line to it, or to end it. It does not start one.",
    parameters: z.strictObject({
      id: z.string().check(z.maxLength(50), z.describe("The id that run_command gave.")),
      text: z.optional(
        z.string().check(z.maxLength(4000), z.describe("A line to write to it; the line end is added.")),
      ),
      wait_for: z.optional(
        z.string().check(z.minLength(1), z.maxLength(500), z.describe("A text to wait for in its new output.")),
      ),
      port: z.optional(
        z.int().check(z.minimum(1), z.maximum(65_535), z.describe("A port of this machine to wait for.")),
      ),
      timeout: z.optional(
        z
          .int()
          .check(z.minimum(1), z.maximum(waits.longest), z.describe(`Seconds to wait: ${waits.usual} unless given.`)),
      ),
      end: z.optional(z.boolean().check(z.describe("End it, without text. Default: false."))),
    }),
    rules: [
      alias("id", "process", "process_id", "session_id", "shell_id", "bash_id"),
      alias("text", "input", "stdin", "chars"),
      alias("timeout", "timeout_seconds"),
      seconds("timeout", waits.longest, "timeout_ms", "yield_time_ms"),
    ],
    exact: ["end"],
    prepare(input, _signal, context) {
      if (input.end === true && input.text !== undefined)
        throw new ToolRefusal("Either write a line or end it: make two calls.");
      const process = processOf(options.background, context?.chat ?? "", input.id);
      const { line: command } = process;
      const run = (signal: AbortSignal, effects?: CallEffects): Promise<string> =>
        use(options, process, input, signal, effects);
      if (input.end === true) return Promise.resolve({ action: { type: "end-process", command }, run });
      if (input.text === undefined)
        return Promise.resolve({ action: { type: "read-process", command }, waits: true, run });
      const action = { type: "write-process", command, text: input.text } as const;
      // The line may be a command itself, so it asks like one.
      return Promise.resolve({ action, reasons: ["runs-command"], run });
    },
  });
}

function processOf(background: BackgroundProcesses, chat: string, id: string): Background {
  const found = background.find(chat, id);
  if (found) return found;
  const running = background.running.filter((one) => one.chat === chat);
  const names = running.map((one) => `${one.id} (${one.line.slice(0, 80)})`).join(", ");
  throw new ToolRefusal(
    `There is no process ${JSON.stringify(id)} in this chat: it has ended, or the window was reloaded. ${names === "" ? "None runs: start it again with run_command and background: true." : `These run: ${names}.`}`,
  );
}

interface ProcessUse {
  readonly text?: string | undefined;
  readonly wait_for?: string | undefined;
  readonly port?: number | undefined;
  readonly timeout?: number | undefined;
  readonly end?: boolean | undefined;
}

async function use(
  { processes, results }: ProcessOptions,
  process: Background,
  { text, wait_for: awaited, port, timeout, end }: ProcessUse,
  signal: AbortSignal,
  effects: CallEffects | undefined,
): Promise<string> {
  process.touch();
  const notes: string[] = [];
  if (text !== undefined && process.child?.write(`${text}\n`) !== true) notes.push("It takes no input any more.");
  if (end === true) {
    process.child?.end();
    await process.child?.ended;
  }
  const ms = (timeout ?? waits.usual) * 1000;
  if (awaited !== undefined) {
    const isThere = await process.waitFor((unread) => unread.includes(awaited), ms, signal);
    if (!isThere) notes.push(`${JSON.stringify(awaited)} did not come within ${ms / 1000} s.`);
  }
  if (port !== undefined)
    notes.push(describePort(port, await process.waitFor(() => processes.answers(port), ms, signal)));
  // The process gets time to react to the line.
  if (text !== undefined && awaited === undefined && port === undefined)
    await process.waitFor(() => false, 1000, signal);
  if (awaited === undefined && port === undefined && text === undefined && timeout !== undefined && end !== true)
    await process.waitFor((unread) => unread !== "", ms, signal);
  return [...notes, reportProcess(process, process.read(), results, effects)].join("\n");
}

/** The result of a command that has ended, for the model. English, as all results. */
import type { ChildEnd } from "../../domain/tools/childProcesses";
import type { TerminalOutcome } from "../../domain/tools/toolPorts";
import { definedFields } from "../../base/definedFields";
import type { CallEffects } from "../../domain/tools/tool";
import type { Argv } from "./readCommandLine";
import { type Background, type ReadOutput, commandLabel } from "./backgroundProcesses";
import { shownOutput } from "./commandOutput";

/** `moved`: the person ended it here and opened a terminal for it. */
export type CommandEnd = ChildEnd | { readonly type: "moved"; readonly outcome: TerminalOutcome };

interface CommandFacts {
  readonly argv?: Argv;
  /** Seconds. */
  readonly limit: number;
  readonly ms: number;
  readonly output: string;
}

export function isSuccess(end: CommandEnd): boolean {
  return end.type === "moved" || (end.type === "exited" && end.code === 0);
}

export function reportEnd(end: CommandEnd, { argv, limit, ms, output }: CommandFacts): string {
  const sentence = describeEnd(end, `${(ms / 1000).toFixed(1)} s`, argv?.[0], limit);
  if (end.type === "not-started" || end.type === "not-confined") return sentence;
  return output === "" ? `${sentence}\n(no output)` : `${sentence}\n${output}`;
}

function describeEnd(end: CommandEnd, time: string, program: string | undefined, limit: number): string {
  switch (end.type) {
    case "exited":
      return `Exit code ${end.code} after ${time}.`;
    case "killed":
      return `Ended by the signal ${end.signal} after ${time}.`;
    case "timed-out":
      return `Ended after its limit of ${limit} s, with all that it had started. It may have had effects.`;
    case "over-limit":
      return `Ended after ${time}, with all that it had started, because it ${describeLimit(end.limit, end.most)}.`;
    case "not-started":
      return describeMissing(end.code, program ?? "the shell");
    case "not-confined":
      return `Nothing was run: it could not be put into the sandbox, because ${end.reason}.`;
    case "moved":
      return `The person ended this command after ${time} and moved it to a terminal of theirs. ${moved[end.outcome]} Until then it wrote:`;
  }
}

function describeLimit(limit: "processes" | "memory" | "disk", most: number): string {
  if (limit === "processes") return `ran more than ${most} processes at once`;
  const size = `${Math.round(most / 1024 ** 3)} GB`;
  return limit === "memory" ? `took more than ${size} of memory` : `filled the disk, or wrote more than ${size}`;
}

function describeMissing(code: string, program: string): string {
  const name = JSON.stringify(program);
  if (code === "ENOENT") return `Nothing was run: there is no program ${name}.`;
  if (code === "EACCES") return `Nothing was run: ${name} may not be executed.`;
  if (code === "E2BIG") return "Nothing was run: its arguments are longer than the system takes.";
  return `Nothing was run: ${name} could not be started (${code}).`;
}

const moved: Readonly<Record<TerminalOutcome, string>> = {
  started: "It was started anew there; you won't see what it writes.",
  typed: "It was typed there but not sent: ask them whether they ran it.",
  opened: "It was not typed there: ask them whether they ran it.",
};

/** A whole output, kept for `read_result`. */
interface KeptOutput {
  readonly tool: string;
  readonly text: string;
  readonly untrusted?: string;
}

/** Describes the state of a process and its output since the last read. Reports untrusted output to `effects`. */
export function reportProcess(
  {
    id,
    line,
    untrusted,
    heldPort,
    begun,
    now,
  }: Pick<Background, "id" | "line" | "untrusted" | "heldPort" | "begun" | "now">,
  { text, dropped, end }: ReadOutput,
  results: { readonly keep: (result: KeptOutput) => string },
  effects: CallEffects | undefined,
): string {
  if (text !== "" && untrusted !== undefined) effects?.untrusted?.(untrusted);
  const tool = commandLabel(line);
  const keep = (whole: string): string => results.keep({ tool, text: whole, ...definedFields({ untrusted }) });
  const room = effects?.room === undefined ? undefined : effects.room - 300;
  const { text: shown, cutFrom } = shownOutput(text, keep, room);
  if (cutFrom !== undefined) effects?.shortened?.(cutFrom);
  const note = dropped === 0 ? "" : `(${dropped} characters before are no longer kept)\n`;
  if (end !== undefined) return reportEnd(end, { limit: 0, ms: now() - begun, output: note + shown });
  const held = heldPort === undefined ? "" : describeHeldPort(heldPort);
  return shown === ""
    ? `${id} runs. It has written nothing new.${held}`
    : `${id} runs. It wrote:\n${note}${shown}${held}`;
}

function describeHeldPort(port: number): string {
  return `\n(It serves in the sandbox, without the network of this machine: no browser reaches it, nor does view_page. To let the person open it, end it and start it again with port: ${port}.)`;
}

export function describePort(port: number, answers: boolean): string {
  return answers ? `127.0.0.1:${port} answers.` : `127.0.0.1:${port} does not answer yet: use_process can wait for it.`;
}

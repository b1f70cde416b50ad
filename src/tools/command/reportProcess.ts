/** What the model reads of a command in the background. English, as all results. */
import { definedFields } from "../../base/definedFields";
import type { CallEffects } from "../../domain/tools/tool";
import { type Background, type ReadOutput, shortLine } from "./backgroundProcesses";
import { reportEnd } from "./reportEnd";
import { shownOutput } from "./wholeOutput";

/** A whole output, kept for `read_result`. */
interface KeptOutput {
  readonly tool: string;
  readonly text: string;
  readonly untrusted?: string;
}

/** Its state, and what it wrote since the last read. Reports to `effects` whose text that is. */
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
  const tool = shortLine(line);
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

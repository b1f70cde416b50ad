/**
 * A code block `calls` in a prompt: tool calls that the built-in model makes as they are written, for people who try tools.
 * Each line is a tool with a JSON object, `read_file {"path": "src/app.ts"}`. A blank line ends an answer: the calls after it
 * belong to the next answer, which is given once all results are there, also those of calls that failed.
 */

export interface PlayedCall {
  readonly name: string;
  /** As it is written, also when it is no JSON. */
  readonly json: string;
}

/** One list for each answer; `undefined` without such a block. */
export function readPlayedCalls(prompt: string): readonly (readonly PlayedCall[])[] | undefined {
  const [, block] = /^```calls[ \t]*\n(.*?)^```/ms.exec(prompt) ?? [];
  const answers = block?.split(/^[ \t]*\n/m).map((lines) =>
    lines.split("\n").flatMap((line): readonly PlayedCall[] => {
      const [, name, json = ""] = /^(\S+)\s*(.*)$/s.exec(line.trim()) ?? [];
      return name === undefined ? [] : [{ name, json: json === "" ? "{}" : json }];
    }),
  );
  return answers?.filter(({ length }) => length > 0);
}

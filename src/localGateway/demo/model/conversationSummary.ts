/** The built-in model's summary of a conversation that a client sends as a text: the first line of each message of the person's. */

/** As Sluice asks for one. `undefined` for any other prompt. */
export function summarizeConversation(prompt: string): string | undefined {
  if (!prompt.startsWith("Below is the earlier part of a conversation ")) return undefined;
  const lines = prompt.split("\n");
  const asked = lines.flatMap((line, index) => (/^Person\b.*:$/.test(line) ? [`- ${lines[index + 1] ?? ""}`] : []));
  const calls = lines.filter((line) => line.startsWith("Tool call ")).length;
  return [
    `A summary by rules, not by a language model: the first line of what was asked, and ${calls} tool calls.`,
    ...asked,
  ].join("\n");
}

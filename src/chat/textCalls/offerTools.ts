/** A request for a model that takes no tools: they are named in the system text, its calls and their results are text (A14). Pure. */
import { fenceCode } from "../../base/text/codeFence";
import type { AssistantPart, Message, ToolDeclaration, UserPart } from "../../domain/chat/message";
import { schemaLine } from "../../domain/tools/rootObject";

/** Valid in every family: a call is a part of the answer's text, its result a part of the next message of the person's side. */
export function withToolsAsText(messages: readonly Message[], tools: readonly ToolDeclaration[]): readonly Message[] {
  const written: Message[] = [];
  let results: readonly string[] = [];
  let images: readonly UserPart[] = [];
  const close = (): void => {
    if (results.length > 0)
      written.push({ role: "user", parts: [{ type: "text", text: results.join("\n\n") }, ...images] });
    results = [];
    images = [];
  };
  for (const message of messages) {
    if (message.role === "tool") {
      results = [
        ...results,
        `${message.isError ? "Error of" : "Result of"} ${message.name}:\n${fenceCode(message.text)}`,
      ];
      images = [...images, ...(message.images ?? [])];
      continue;
    }
    close();
    written.push(message.role === "assistant" ? { ...message, parts: message.parts.map(asTextPart) } : message);
  }
  close();
  return offer(written, tools);
}

/** The end of the system text has the tools, so they are the same in each request. */
function offer(messages: readonly Message[], tools: readonly ToolDeclaration[]): readonly Message[] {
  if (tools.length === 0) return messages;
  const at = messages.findLastIndex(({ role }) => role === "system");
  const text = describeTools(tools);
  const system = messages[at];
  if (system?.role !== "system") return [{ role: "system", text }, ...messages];
  return messages.with(at, { ...system, text: `${system.text}\n\n${text}` });
}

function describeTools(tools: readonly ToolDeclaration[]): string {
  return [
    "# Tools",
    "You can call these tools. To call one, end your answer with a block of this form, and write nothing after it; several calls are several blocks:",
    '<tool_call>\n{"name": "the name of a tool", "arguments": {"an argument": "its value"}}\n</tool_call>',
    "You then get the result in the next message. Never write a result yourself. An argument with ? may be left out. When you need no tool, answer in plain text.",
    ...tools.map(
      ({ name, description, parameters }) =>
        `- ${name} ${schemaLine(parameters)}: ${description.replaceAll("\n", " ")}`,
    ),
  ].join("\n");
}

/** A call that was written as text is sent back unchanged. */
function asTextPart(part: AssistantPart): AssistantPart {
  if (part.type !== "tool-call") return part;
  const { name, input, written } = part;
  const text = written ?? `\n<tool_call>\n${JSON.stringify({ name, arguments: input })}\n</tool_call>`;
  return { type: "text", text };
}

/** The parts of VS Code's language model messages as plain data, and back. */
import * as vscode from "vscode";
import type { ProvidedMessage, ProvidedPart, ReportedPart, ResultPart } from "../models/providedMessage";
import { renderedTexts } from "../../vscode/interface/renderedTexts";

/** VS Code's own callers use roles that the API does not name: those are system prompts. */
function roleOf(role: number): ProvidedMessage["role"] {
  const { User, Assistant }: Readonly<Record<"User" | "Assistant", number>> = vscode.LanguageModelChatMessageRole;
  if (role === User) return "user";
  return role === Assistant ? "assistant" : "system";
}

export function readMessage({ role, content }: vscode.LanguageModelChatRequestMessage): ProvidedMessage {
  return { role: roleOf(role), parts: content.flatMap(readPart) };
}

/** Empty for a part of an unknown kind. */
function readPart(part: unknown): readonly ProvidedPart[] {
  const content = readContent(part);
  if (content !== undefined) return [content];
  if (part instanceof vscode.LanguageModelToolCallPart) {
    const { callId: id, name, input } = part;
    return [{ type: "tool-call", id, name, input: isRecord(input) ? input : {} }];
  }
  if (!(part instanceof vscode.LanguageModelToolResultPart)) return [];
  // Not in the API of all versions.
  const isError = "isError" in part && part.isError === true;
  const read = part.content.flatMap((member) => readContent(member) ?? []);
  return [{ type: "tool-result", id: part.callId, content: read, isError }];
}

function readContent(part: unknown): ResultPart["content"][number] | undefined {
  if (part instanceof vscode.LanguageModelTextPart) return { type: "text", text: part.value };
  if (part instanceof vscode.LanguageModelDataPart) return { type: "data", mimeType: part.mimeType, data: part.data };
  if (part instanceof vscode.LanguageModelPromptTsxPart)
    return { type: "text", text: renderedTexts(part.value).join("") };
  return undefined;
}

/** `undefined` for what this version of VS Code can't carry. */
export function writePart(part: ReportedPart): vscode.LanguageModelResponsePart | undefined {
  switch (part.type) {
    case "text":
      return new vscode.LanguageModelTextPart(part.text);
    case "tool-call":
      return new vscode.LanguageModelToolCallPart(part.id, part.name, part.input);
    case "data":
      return new vscode.LanguageModelDataPart(part.data, part.mimeType);
    case "thinking":
      return writeThinking(part.text);
  }
}

/** The class is not in the API: it is used where it is there. */
function writeThinking(text: string): vscode.LanguageModelResponsePart | undefined {
  const { LanguageModelThinkingPart: Part } = vscode as {
    readonly LanguageModelThinkingPart?: new (text: string) => vscode.LanguageModelResponsePart;
  };
  try {
    return Part && new Part(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

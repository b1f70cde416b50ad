/** The data of VS Code's language models and chat. */
import type * as vscode from "vscode";
import { MarkdownString } from "./dataTypes";

export class McpHttpServerDefinition {
  readonly label: string;
  readonly uri: vscode.Uri;
  readonly headers: Record<string, string>;
  readonly version: string | undefined;
  constructor(label: string, uri: vscode.Uri, headers: Record<string, string> = {}, version?: string) {
    this.label = label;
    this.uri = uri;
    this.headers = headers;
    this.version = version;
  }
}
export class LanguageModelTextPart {
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
}
export class LanguageModelDataPart {
  readonly data: Uint8Array;
  readonly mimeType: string;
  constructor(data: Uint8Array, mimeType: string) {
    this.data = data;
    this.mimeType = mimeType;
  }
  static image(data: Uint8Array, mimeType: string): LanguageModelDataPart {
    return new LanguageModelDataPart(data, mimeType);
  }
  static json(value: unknown, mimeType = "text/x-json"): LanguageModelDataPart {
    return new LanguageModelDataPart(new TextEncoder().encode(JSON.stringify(value)), mimeType);
  }
  static text(value: string, mimeType = "text/plain"): LanguageModelDataPart {
    return new LanguageModelDataPart(new TextEncoder().encode(value), mimeType);
  }
}
export class LanguageModelToolCallPart {
  readonly callId: string;
  readonly name: string;
  readonly input: object;
  constructor(callId: string, name: string, input: object) {
    this.callId = callId;
    this.name = name;
    this.input = input;
  }
}
export class LanguageModelToolResultPart {
  readonly callId: string;
  readonly content: unknown[];
  constructor(callId: string, content: unknown[]) {
    this.callId = callId;
    this.content = content;
  }
}
export class LanguageModelToolResult {
  readonly content: unknown[];
  constructor(content: unknown[]) {
    this.content = content;
  }
}
export class LanguageModelPromptTsxPart {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}
export class LanguageModelError extends Error {
  readonly code: string;
  constructor(message?: string, code = "") {
    super(message);
    this.code = code;
  }
  static NoPermissions(message?: string): LanguageModelError {
    return new LanguageModelError(message, "NoPermissions");
  }
  static Blocked(message?: string): LanguageModelError {
    return new LanguageModelError(message, "Blocked");
  }
  static NotFound(message?: string): LanguageModelError {
    return new LanguageModelError(message, "NotFound");
  }
}
export class ChatRequestTurn {
  readonly prompt: string;
  readonly command: string | undefined;
  readonly references: readonly vscode.ChatPromptReference[];
  readonly participant: string;
  readonly toolReferences: readonly vscode.ChatLanguageModelToolReference[];
  constructor(
    prompt: string,
    command: string | undefined,
    references: readonly vscode.ChatPromptReference[],
    participant: string,
    toolReferences: readonly vscode.ChatLanguageModelToolReference[] = [],
  ) {
    this.prompt = prompt;
    this.command = command;
    this.references = references;
    this.participant = participant;
    this.toolReferences = toolReferences;
  }
}
export class ChatResponseTurn {
  readonly response: readonly unknown[];
  readonly result: vscode.ChatResult;
  readonly participant: string;
  readonly command: string | undefined;
  constructor(response: readonly unknown[], result: vscode.ChatResult, participant: string, command?: string) {
    this.response = response;
    this.result = result;
    this.participant = participant;
    this.command = command;
  }
}
export class ChatResponseMarkdownPart {
  readonly value: vscode.MarkdownString;
  constructor(value: string | vscode.MarkdownString) {
    this.value = typeof value === "string" ? new MarkdownString(value) : value;
  }
}

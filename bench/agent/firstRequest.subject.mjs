// The first request of a chat in this project's own folder, as each family writes it.
import path from "node:path";
import { createMessages } from "../../src/chat/request/history";
import { modelKind, systemPromptFor } from "../../src/chat/request/systemPrompt";
import { isOffered } from "../../src/domain/modes/chatMode";
import { emptyChat } from "../../src/domain/chat/chat";
import { tokensOfText } from "../../src/domain/chat/tokenCount";
import { buildChatCompletionsRequest } from "../../src/gateway/families/chatCompletions/request";
import { buildGenerateContentRequest } from "../../src/gateway/families/generateContent/request";
import { buildMessagesRequest } from "../../src/gateway/families/messages/request";
import { diskFiles } from "../../src/node/diskFiles";
import { readFacts } from "../../src/tools/context/readFacts";
import { createTools } from "../../src/tools/tools";

const builders = {
  "chat-completions": buildChatCompletionsRequest,
  messages: buildMessagesRequest,
  "generate-content": buildGenerateContentRequest,
};

/** @typedef {keyof typeof builders} Family */

/** One of each way of working. @type {readonly (readonly [Family, string])[]} */
const models = [
  ["chat-completions", "gpt-5"],
  ["chat-completions", "deepseek-chat"],
  ["chat-completions", "qwen2.5-coder:7b"],
  ["messages", "claude-sonnet-4-5"],
  ["generate-content", "gemini-3-pro"],
];

const folder = process.cwd();
const workspace = /** @type {any} */ ({
  ...diskFiles,
  roots: () => [{ name: path.basename(folder), path: folder }],
  shownText: () => undefined,
  unsavedTexts: () => [],
  personalIgnoreFile: () => Promise.resolve(undefined),
});

/** Tokens, by estimate. */
export async function firstBodies() {
  const roots = await readFacts(workspace, new AbortController().signal);
  const environment = { system: "Linux", shell: "/bin/sh", day: "2026-11-24", roots, instructions: [] };
  const prompt = { type: /** @type {const} */ ("user"), id: "p", text: "Hi", at: 0 };
  const chat = { ...emptyChat("c"), environment, entries: [prompt] };
  const all = allTools();
  return models.map(([family, id]) => {
    const tools = all
      .filter(({ effect, isFor }) => isOffered(effect, "agent") && (isFor?.(id) ?? true))
      .map(({ declaration }) => declaration);
    const messages = createMessages(chat, systemPromptFor({ id, family }));
    const body = builders[family]({ family, model: id, messages, tools });
    const [system, first] = messages;
    return {
      family,
      kind: modelKind({ id, family }),
      system: tokensOfText(system?.role === "system" ? system.text : ""),
      environment: tokensOfText(JSON.stringify(first)),
      tools: tokensOfText(JSON.stringify(body["tools"])),
      body: tokensOfText(JSON.stringify(body)),
    };
  });
}

/** No tool is called: what they would touch is not there. */
function allTools() {
  const none = /** @type {any} */ ({});
  const processes = { isWindows: false, environment: {} };
  const ports = { workspace, processes, tasks: none, search: none, editor: none, terminals: none, clock: none };
  return createTools(/** @type {any} */ ({ ...ports, moves: new Map(), runsProject: () => false }));
}

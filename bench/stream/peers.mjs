// The official clients to compare with.
import { importFrom } from "../../scripts/setup.mjs";

/** @typedef {any} Module what a package exports; untyped, because none is a dependency */

const key = "sk-bench";
const prompt = "Go";

/** @typedef {{ package: string, limit: number, needs?: string[], create(modules: Module[], origin: string): () => Promise<AsyncIterable<unknown>> }} Peer `limit`: our CPU, times its own */

/** @type {Record<string, Peer[]>} */
export const peers = {
  "chat-completions": [
    {
      package: "openai",
      limit: 0.22,
      create: ([module], origin) => {
        const client = new module.OpenAI({ apiKey: key, baseURL: `${origin}/v1` });
        return () =>
          client.chat.completions.create({ model: "m", stream: true, messages: [{ role: "user", content: prompt }] });
      },
    },
    {
      package: "ai",
      limit: 0.19,
      needs: ["@ai-sdk/openai-compatible"],
      create: ([ai, provider], origin) => {
        const model = provider.createOpenAICompatible({ name: "bench", apiKey: key, baseURL: `${origin}/v1` })("m");
        return async () => ai.streamText({ model, prompt }).fullStream;
      },
    },
  ],
  messages: [
    {
      package: "@anthropic-ai/sdk",
      limit: 1,
      create: ([module], origin) => {
        const client = new module.Anthropic({ apiKey: key, baseURL: origin });
        return () =>
          client.messages.create({
            model: "m",
            max_tokens: 8192,
            stream: true,
            messages: [{ role: "user", content: prompt }],
          });
      },
    },
  ],
  "generate-content": [
    {
      package: "@google/genai",
      limit: 0.25,
      create: ([module], origin) => {
        const client = new module.GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: origin } });
        return () => client.models.generateContentStream({ model: "m", contents: prompt });
      },
    },
  ],
};

/** Reads a stream with that client and counts its chunks. @param {string} home of the packages @param {string} family @param {string} name */
export async function createPeer(home, family, name) {
  const peer = peers[family]?.find((one) => one.package === name);
  if (!peer) throw new Error(`${name} is no client of ${family}`);
  const modules = await Promise.all([name, ...(peer.needs ?? [])].map((needed) => importFrom(home, needed)));
  /** @param {string} url */
  return async (url) => {
    const open = peer.create(modules, new URL(url).origin);
    let count = 0;
    for await (const part of await open()) if (part !== undefined) count += 1;
    return count;
  };
}

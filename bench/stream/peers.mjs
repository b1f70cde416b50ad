// The official clients to compare with, each only if it is installed.

/** @typedef {any} Module what a package exports; untyped, because none is a dependency */

const key = "sk-bench";
const prompt = "Go";

/** @type {Record<string, { package: string, needs?: string[], create(modules: Module[], origin: string): () => Promise<AsyncIterable<unknown>> }[]>} */
const known = {
  "chat-completions": [
    {
      package: "openai",
      create: ([module], origin) => {
        const client = new module.OpenAI({ apiKey: key, baseURL: `${origin}/v1` });
        return () =>
          client.chat.completions.create({ model: "m", stream: true, messages: [{ role: "user", content: prompt }] });
      },
    },
    {
      package: "ai",
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
      create: ([module], origin) => {
        const client = new module.GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: origin } });
        return () => client.models.generateContentStream({ model: "m", contents: prompt });
      },
    },
  ],
};

/** @param {string} name */
const load = (name) => import(name).catch(() => undefined);

/** @param {string} family @returns {Promise<{ found: string[], missing: string[] }>} */
export async function findPeers(family) {
  /** @type {string[]} */
  const found = [];
  /** @type {string[]} */
  const missing = [];
  for (const { package: name, needs = [] } of known[family] ?? []) {
    const modules = await Promise.all([name, ...needs].map(load));
    const absent = [name, ...needs].filter((_, at) => modules[at] === undefined);
    missing.push(...absent);
    if (absent.length === 0) found.push(name);
  }
  return { found, missing };
}

/** Reads a stream with that client and counts its chunks. @param {string} family @param {string} name */
export async function createPeer(family, name) {
  const peer = known[family]?.find((one) => one.package === name);
  if (!peer) throw new Error(`${name} is no client of ${family}`);
  const modules = await Promise.all([name, ...(peer.needs ?? [])].map(load));
  /** @param {string} url */
  return async (url) => {
    const open = peer.create(modules, new URL(url).origin);
    let count = 0;
    for await (const part of await open()) if (part !== undefined) count += 1;
    return count;
  };
}

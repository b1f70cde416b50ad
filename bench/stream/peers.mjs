// The official clients, each only if it is installed: they are no part of the product.

/** @typedef {{ name: string, run(url: string): Promise<number> }} Subject */
/** @typedef {Record<string, any>} Module what a package exports; none of them is a dependency, so none has types here */

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

/** @param {string} family @returns {Promise<{ peers: Subject[], missing: string[] }>} */
export async function loadPeers(family) {
  /** @type {Subject[]} */
  const peers = [];
  /** @type {string[]} */
  const missing = [];
  for (const peer of known[family] ?? []) {
    const names = [peer.package, ...(peer.needs ?? [])];
    const modules = await Promise.all(names.map((name) => import(name).catch(() => undefined)));
    const absent = names.filter((_, at) => modules[at] === undefined);
    missing.push(...absent);
    if (absent.length > 0) continue;
    peers.push({
      name: peer.package,
      async run(url) {
        const open = peer.create(modules, new URL(url).origin);
        let count = 0;
        for await (const part of await open()) if (part !== undefined) count += 1;
        return count;
      },
    });
  }
  return { peers, missing };
}

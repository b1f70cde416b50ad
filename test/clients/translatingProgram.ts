/**
 * Serves `@musistudio/llms`, the core of Claude Code Router, as a program: it takes requests in the families messages and chat-completions, and sends
 * them on in chat-completions. Arguments: a folder whose `node_modules` has it, and the gateways behind it as JSON. Prints its address.
 */
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import path from "node:path";

interface ServerOfPackage {
  readonly app: { readonly server: { address(): AddressInfo } };
  start(): Promise<void>;
}

const [, , packages = "", gateways = ""] = process.argv;
const { default: TranslatingServer } = createRequire(path.join(packages, "package.json"))("@musistudio/llms") as {
  readonly default: new (options: object) => ServerOfPackage;
};
const behind = JSON.parse(gateways) as Readonly<Record<string, { readonly url: string; readonly key: string }>>;
const server = new TranslatingServer({
  logger: false,
  initialConfig: {
    ...{ HOST: "127.0.0.1", PORT: "0", LOG: false },
    providers: Object.entries(behind).map(([name, { url, key }]) => ({
      ...{ name, api_base_url: `${url}/v1/chat/completions`, api_key: key },
      ...{ models: ["demo-chat"], transformer: { use: [] } },
    })),
  },
});
await server.start();
console.log(`listening on http://127.0.0.1:${server.app.server.address().port}`);

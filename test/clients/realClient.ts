/** Agents of other makers from npm, run as their users run them: with a home, a project and an environment of their own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Family } from "../../src/domain/chat/family";

/** A gateway as a client is told of it. */
export interface GatewayOfClient {
  /** Without a path. */
  readonly url: string;
  readonly key: string;
  /** In place of the demo model of the client's family. */
  readonly model?: string;
}

/** An MCP server as a client is told of it. */
export interface ServerOfClient {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ClientRun {
  /** What it printed. */
  readonly said: string;
  readonly code: number | null;
}

interface Setup {
  readonly home: string;
  readonly project: string;
  readonly gateway: GatewayOfClient;
  readonly prompt: string;
  readonly mcp: ServerOfClient | undefined;
}

interface Started {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** What it reads from its standard input. */
  readonly input?: string;
}

export interface RealClient {
  readonly name: string;
  /** Its program in `node_modules`: what ends in `js` runs on this Node. No package runs its script after it was installed. */
  readonly program: string;
  readonly family: Family;
  /** What a tool of an MCP server `sluice` is called there; missing where the client is tried without one. */
  readonly mcpTool?: (name: string) => string;
  /** Writes its settings; the result is its command line. */
  setUp(setup: Setup): Promise<Started>;
}

const models = {
  "chat-completions": "demo-chat",
  messages: "demo-messages",
  "generate-content": "demo-generate",
} as const satisfies Readonly<Record<Family, string>>;

const claudeCode: RealClient = {
  name: "claude",
  program: "@anthropic-ai/claude-code/cli-wrapper.cjs",
  family: "messages",
  mcpTool: (name) => `mcp__sluice__${name}`,
  setUp({ gateway, prompt, mcp }) {
    const servers = { mcpServers: { sluice: { type: "http", ...mcp } } };
    const withServer = mcp ? ["--mcp-config", JSON.stringify(servers), "--allowedTools", "mcp__sluice"] : [];
    return Promise.resolve({
      args: ["-p", prompt, ...withServer],
      env: {
        ANTHROPIC_BASE_URL: gateway.url,
        ANTHROPIC_API_KEY: gateway.key,
        ANTHROPIC_MODEL: gateway.model ?? models.messages,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      },
    });
  },
};

const geminiCli: RealClient = {
  name: "gemini",
  program: "@google/gemini-cli/bundle/gemini.js",
  family: "generate-content",
  async setUp({ home, gateway, prompt }) {
    const settings = { security: { auth: { selectedType: "gemini-api-key" } }, general: { disableAutoUpdate: true } };
    await writeSettings(join(home, ".gemini", "settings.json"), settings);
    return {
      args: ["-m", models["generate-content"], "--yolo", "--skip-trust", "-p", prompt],
      env: { GOOGLE_GEMINI_BASE_URL: gateway.url, GEMINI_API_KEY: gateway.key },
    };
  },
};

const qwenCode: RealClient = {
  name: "qwen",
  program: "@qwen-code/qwen-code/cli-entry.js",
  family: "chat-completions",
  setUp: ({ gateway, prompt }) =>
    Promise.resolve({
      args: ["--auth-type", "openai", "--yolo", "-p", prompt],
      env: {
        OPENAI_BASE_URL: `${gateway.url}/v1`,
        OPENAI_API_KEY: gateway.key,
        OPENAI_MODEL: models["chat-completions"],
      },
    }),
};

function openCode(family: Family, npm: string, path: string): RealClient {
  return {
    name: "opencode",
    program: `opencode-${process.platform}-${process.arch}/bin/opencode`,
    family,
    mcpTool: (name) => `sluice_${name}`,
    async setUp({ project, gateway, prompt, mcp }) {
      const options = { baseURL: `${gateway.url}${path}`, apiKey: gateway.key };
      const withImages = { attachment: true, modalities: { input: ["text", "image"], output: ["text"] } };
      await writeSettings(join(project, "opencode.json"), {
        autoupdate: false,
        share: "disabled",
        provider: { local: { npm, options, models: { [models[family]]: withImages } } },
        ...(mcp ? { mcp: { sluice: { type: "remote", ...mcp, enabled: true } } } : {}),
      });
      // As an argument with a space in it, it would be sent in quotation marks.
      const args = ["run", "-m", `local/${models[family]}`];
      return { args, env: { OPENCODE_DISABLE_AUTOUPDATE: "1" }, input: prompt };
    },
  };
}

export const realClients: readonly RealClient[] = [
  claudeCode,
  geminiCli,
  qwenCode,
  openCode("chat-completions", "@ai-sdk/openai-compatible", "/v1"),
  openCode("messages", "@ai-sdk/anthropic", "/v1"),
  openCode("generate-content", "@ai-sdk/google", "/v1beta"),
];

/** `packages`: the folder that has their `node_modules`. `folder`: of the test; its `home` and `project` are the client's. */
export async function runClient(
  client: RealClient,
  packages: string,
  folder: string,
  asked: Pick<Setup, "gateway" | "prompt"> & { readonly mcp?: ServerOfClient },
): Promise<ClientRun> {
  const [home, project] = [join(folder, "home"), join(folder, "project")];
  for (const path of [home, project]) await mkdir(path, { recursive: true });
  const { args, env, input = "" } = await client.setUp({ home, project, mcp: undefined, ...asked });
  const program = join(packages, "node_modules", client.program);
  const [command = program, ...first] = program.endsWith("js") ? [process.execPath, program] : [];
  const child = spawn(command, [...first, ...args], {
    cwd: project,
    env: { PATH: process.env["PATH"] ?? "", HOME: home, CI: "1", ...env },
    stdio: "pipe",
  });
  // Of a client that ends without reading it, its end says enough.
  child.stdin.on("error", () => undefined).end(input);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => (said += data.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { said, code };
}

async function writeSettings(file: string, settings: object): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(settings));
}

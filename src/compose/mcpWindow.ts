/**
 * The MCP server of this window while it is on. Its port is stored for the workspace and its token for the person, so the configuration
 * that a program was given is valid after a reload.
 */
import { randomBytes } from "node:crypto";
import type * as vscode from "vscode";
import type { Disposable } from "../base/disposable";
import { Emitter } from "../base/event";
import { SerialQueue } from "../base/async/serialQueue";
import type { McpPorts } from "../domain/tools/mcpTool";
import type { Log } from "../domain/ports";
import type { McpCounts, McpServer } from "../mcp/mcpServer";

/** In the secret storage, the same in all windows: a new one revokes the old one everywhere. */
const tokenKey = "mcpToken";
/** In the workspace's state: each window has a server of its own, and no two windows have the same workspace. */
const portKey = "mcpPort";

export interface McpWindowPorts extends McpPorts {
  readonly secrets: vscode.SecretStorage;
  readonly workspaceState: vscode.Memento;
  readonly log: Log;
  /** The setting is on, and the workspace is trusted. */
  readonly isOn: () => boolean;
}

export class McpWindow implements Disposable {
  readonly #ports: McpWindowPorts;
  readonly #queue = new SerialQueue();
  readonly #changed = new Emitter<void>();
  readonly #registration: vscode.Disposable;
  #server: McpServer | undefined;
  #token = "";
  #isDisposed = false;

  constructor(ports: McpWindowPorts) {
    this.#ports = ports;
    this.#registration = ports.secrets.onDidChange(({ key }) => {
      if (key === tokenKey) void this.#readToken();
    });
  }

  /** Fires when it was started or stopped, and with each new token. */
  readonly onDidChange = this.#changed.event;

  /** While it runs. */
  get current(): (McpCounts & { readonly url: string; readonly token: string }) | undefined {
    return this.#server && { url: this.#server.url, token: this.#token, ...this.#server.counts };
  }

  /** Starts or stops it, as it should be now. Rejects when it can't be started. */
  follow(): Promise<void> {
    return this.#queue.run(async () => {
      const isOn = !this.#isDisposed && this.#ports.isOn();
      if (isOn === (this.#server !== undefined)) return;
      await (isOn ? this.#start() : this.#stop());
      this.#changed.fire();
    });
  }

  /** The old one is worth nothing from then on, and every session ends. */
  async renewToken(): Promise<void> {
    this.#token = randomBytes(32).toString("base64url");
    await this.#ports.secrets.store(tokenKey, this.#token);
    await this.#server?.endSessions();
    this.#changed.fire();
  }

  dispose(): void {
    this.#isDisposed = true;
    void this.#registration.dispose();
    void this.follow();
  }

  async #start(): Promise<void> {
    const { secrets, workspaceState, log, version, clock, tools } = this.#ports;
    const { McpServer } = await import("../mcp/mcpServer");
    this.#token = (await secrets.get(tokenKey)) ?? "";
    if (this.#token === "") await this.renewToken();
    const last = workspaceState.get<unknown>(portKey);
    try {
      this.#server = await McpServer.start({
        ...{ version, clock, tools, token: () => this.#token },
        call: (call, signal) => this.#ports.call(call, signal),
        port: typeof last === "number" ? last : 0,
      });
    } catch (error) {
      log.error("The MCP server could not be started.", { message: String(error) });
      throw error;
    }
    const { port } = this.#server;
    if (port !== last) await workspaceState.update(portKey, port);
    log.info("The MCP server listens.", { port });
  }

  async #stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    await server?.close();
    const { calls = 0, refused = 0 } = server?.counts ?? {};
    this.#ports.log.info("The MCP server was stopped.", { calls, refused });
  }

  /** Another window has made a new one. */
  async #readToken(): Promise<void> {
    const stored = await this.#ports.secrets.get(tokenKey);
    if (stored === undefined || stored === this.#token) return;
    this.#token = stored;
    await this.#server?.endSessions();
    this.#changed.fire();
  }
}

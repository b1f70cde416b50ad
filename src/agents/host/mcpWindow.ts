/**
 * Runs the MCP server of this window while it is switched on. Its port is stored for the workspace and its token for the person, so the configuration
 * that a program was given is valid after a reload. Programs send the token to whatever process listens at that port: where another process has taken
 * the port, the server gets another port and a new token.
 */
import { randomBytes } from "node:crypto";
import type * as vscode from "vscode";
import type { Disposable } from "../../base/disposable";
import { Emitter } from "../../base/event";
import { SerialQueue } from "../../base/async/serialQueue";
import type { McpPorts, McpTaskPorts } from "../../domain/tools/mcpTool";
import type { Log } from "../../domain/ports";
import type { McpCounts, McpServer } from "../mcp/mcpServer";

/** The key of the token in the secret storage. All windows have the same token, so a new one revokes the old one everywhere. */
const tokenKey = "mcpToken";
/** The key of the port in the workspace's state: each window has a server of its own, and no two windows have the same workspace. */
const portKey = "mcpPort";

/**
 * How often the stored port is tried, and the milliseconds between. After a reload the former extension host still listens there, on a slow machine for
 * many seconds, and a new token would cut off every agent in all windows.
 */
const maxTries = 30;
const retryInterval = 500;

export interface McpWindowOptions extends Omit<McpPorts, "tasks"> {
  /** `token`: returns the token that is valid at the time of a request. */
  readonly createTasks: (token: () => string) => McpTaskPorts;
  readonly secrets: vscode.SecretStorage;
  readonly workspaceState: vscode.Memento;
  readonly log: Log;
  /** Whether the setting is on and the workspace is trusted. */
  readonly isOn: () => boolean;
  /** Called when another program had the stored port, so that port and token were replaced: programs need the new configuration. */
  readonly onMoved: () => void;
}

export class McpWindow implements Disposable {
  readonly #options: McpWindowOptions;
  readonly #queue = new SerialQueue();
  readonly #changed = new Emitter<void>();
  readonly #registration: vscode.Disposable;
  #server: McpServer | undefined;
  #token = "";
  #isDisposed = false;

  constructor(options: McpWindowOptions) {
    this.#options = options;
    this.#registration = options.secrets.onDidChange(({ key }) => {
      if (key === tokenKey) void this.#readToken();
    });
  }

  /** Fires when the server was started or stopped, and with each new token. */
  readonly onDidChange = this.#changed.event;

  /** The address, the token and the counts of the server; `undefined` while it does not run. */
  get current(): (McpCounts & { readonly url: string; readonly token: string }) | undefined {
    return this.#server && { url: this.#server.url, token: this.#token, ...this.#server.counts };
  }

  /** Starts or stops the server so that it follows `isOn`. Rejects when it can't be started. */
  follow(): Promise<void> {
    return this.#queue.run(async () => {
      const isOn = !this.#isDisposed && this.#options.isOn();
      if (isOn === (this.#server !== undefined)) return;
      await (isOn ? this.#start() : this.#stop());
      this.#changed.fire();
    });
  }

  /** Makes a new token. The old one is no longer accepted, and every session ends. */
  async renewToken(): Promise<void> {
    this.#token = randomBytes(32).toString("base64url");
    await this.#options.secrets.store(tokenKey, this.#token);
    await this.#server?.endSessions();
    this.#changed.fire();
  }

  dispose(): void {
    this.#isDisposed = true;
    void this.#registration.dispose();
    void this.follow();
  }

  async #start(): Promise<void> {
    const { secrets, workspaceState, log, onMoved } = this.#options;
    this.#token = (await secrets.get(tokenKey)) ?? "";
    if (this.#token === "") await this.renewToken();
    const stored = workspaceState.get<unknown>(portKey);
    const last = typeof stored === "number" ? stored : undefined;
    try {
      this.#server = await (last === undefined ? this.#listen(0) : this.#listenAgain(last));
    } catch (error) {
      log.error("The MCP server could not be started.", { message: String(error) });
      throw error;
    }
    const { port } = this.#server;
    log.info("The MCP server listens.", { port });
    if (port === last) return;
    await workspaceState.update(portKey, port);
    if (last !== undefined) onMoved();
  }

  /** Listens at the stored port or, if that stays taken, at any other one with a new token. */
  async #listenAgain(last: number): Promise<McpServer> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#listen(last);
      } catch (error) {
        if (this.#isDisposed || !this.#options.isOn()) throw error;
        if (tries === maxTries) break;
        await this.#options.clock.delay(retryInterval);
      }
    }
    this.#options.log.warn("Another program has the MCP server's port: the token is replaced.", { port: last });
    await this.renewToken();
    return this.#listen(0);
  }

  async #listen(port: number): Promise<McpServer> {
    const { version, clock, tools, createTasks } = this.#options;
    const { McpServer } = await import("../mcp/mcpServer");
    return McpServer.start({
      version,
      clock,
      tools,
      tasks: createTasks(() => this.#token),
      port,
      token: () => this.#token,
      call: (call, signal) => this.#options.call(call, signal),
    });
  }

  async #stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    await server?.close();
    const { calls = 0, refused = 0 } = server?.counts ?? {};
    this.#options.log.info("The MCP server was stopped.", { calls, refused });
  }

  /** Takes the new token that another window has made. */
  async #readToken(): Promise<void> {
    const stored = await this.#options.secrets.get(tokenKey);
    if (stored === undefined || stored === this.#token) return;
    this.#token = stored;
    await this.#server?.endSessions();
    this.#changed.fire();
  }
}

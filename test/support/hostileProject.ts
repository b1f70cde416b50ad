/** A project over the whole client with every request recorded: what a person was asked, what was sent, what the disk holds. */
import { join } from "node:path";
import type { ChatSession } from "../../src/chat/session/session";
import { type ToolCallBlock, toolCalls, type WaitingCall } from "../../src/domain/chat/chat";
import type { TestServer } from "../loopback/gateway/rawServer";
import { type AppOverGateway, openAppOverGateway } from "./appOverGateway";
import { until } from "./builders";
import { answers } from "./chatSessions";
import { treeOf } from "./hostileFolder";
import { recordRequests } from "./recordedRequests";

/** A question about a call, with the place of that call among all of the chat. */
export type Approval = WaitingCall["approval"] & { readonly call: number };

export class HostileProject {
  readonly over: AppOverGateway;
  readonly gateway: TestServer;

  private constructor(over: AppOverGateway, gateway: TestServer) {
    this.over = over;
    this.gateway = gateway;
  }

  static async open(): Promise<HostileProject> {
    const over = await openAppOverGateway({ inside: "project" });
    return new HostileProject(over, await recordRequests(over));
  }

  async close(): Promise<void> {
    await this.over.close();
    await this.gateway.close();
  }

  get session(): ChatSession {
    return this.over.app.session.current;
  }

  openChat(): void {
    this.over.app.chats.create();
  }

  /** Opens a new chat, and forgets the requests that were received so far. */
  begin(): void {
    this.openChat();
    this.gateway.received.length = 0;
  }

  /** The files of the project and of the folder next to it. */
  async files(): Promise<unknown> {
    return Promise.all(["project", "outside"].map((name) => treeOf(join(this.over.folder, name))));
  }

  isSent(text: string): boolean {
    return this.gateway.received.some(({ body }) => body.includes(text));
  }

  /** Requests to submit or read a task. */
  get taskRequests(): number {
    return this.gateway.received.filter(({ url }) => url.includes("/tasks")).length;
  }

  /** The states of the calls of the chat. */
  states(): readonly string[] {
    return this.#calls.map(({ progress }) => progress.state);
  }

  get #calls(): readonly ToolCallBlock[] {
    return answers(this.session).flatMap((answer) => [...toolCalls(answer)]);
  }

  get #waiting(): readonly Approval[] {
    return this.#calls.flatMap(({ progress }, call) =>
      progress.state === "waiting" ? [{ ...progress.approval, call }] : [],
    );
  }

  /** Resolves with the questions of the turn, each answered alike. */
  async answerAll(
    prompt: string,
    allow: boolean,
    references?: Parameters<ChatSession["submit"]>[1],
  ): Promise<readonly Approval[]> {
    const { session } = this;
    const asked: Approval[] = [];
    let ended = false;
    const turn = session.submit(prompt, references).then(() => (ended = true));
    for (;;) {
      const open = (): readonly Approval[] => this.#waiting.filter(({ id }) => asked.every((one) => one.id !== id));
      await until(() => ended || open().length > 0);
      const [approval] = open();
      if (!approval) return turn.then(() => asked);
      asked.push(approval);
      session.approvals.decide(approval.id, { allow });
    }
  }

  /** Answers the first question of the turn with a longer yes. */
  async grant(prompt: string, scope: "session" | "workspace"): Promise<void> {
    const { session } = this;
    const turn = session.submit(prompt);
    await until(() => this.#waiting.length > 0);
    session.approvals.decide(this.#waiting[0]!.id, { allow: true, scope });
    await turn;
  }
}

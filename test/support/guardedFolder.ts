/** Sessions with a guard over a temporary workspace: the real tools, and three that take the place of a command, a paid task and another extension's tool. */
import { link, readFile, symlink } from "node:fs/promises";
import { GrantRules, RuleFiles } from "../../src/chat/approval/grantRules";
import { ChatSession } from "../../src/chat/session/session";
import type { ChatEvent } from "../../src/domain/chat/chatEvent";
import type { GrantSubject, RuleScope } from "../../src/domain/tools/grant";
import { type AskReason, type Chat, type ToolProgress, type WaitingCall, toolCalls } from "../../src/domain/chat/chat";
import type { CallToApprove, Tool } from "../../src/domain/tools/tool";
import { filePolicyOf } from "../../src/tools/gate/changeReasons";
import { areTracked } from "../../src/tools/gate/trackedFiles";
import { answersOf, callingAnswer, connectTo, keptLog, makeGateway, textAnswer, until } from "./builders";
import { answers, model, waiting } from "./chatSessions";
import { createMovedClock } from "./movedClock";
import type { SessionOptions } from "../../src/chat/session/sessionOptions";
import type { Workspace } from "../../src/domain/tools/workspace";
import { createToolFolder, type ToolExtras, toolsOver, type ToolFolder } from "./toolFolder";
import { plainChanges, plainSessionOptions } from "./plainOptions";

type Approval = WaitingCall["approval"];
type Decision = "once" | RuleScope | "no";
type Call = { readonly name: string; readonly input: Readonly<Record<string, unknown>> };

interface GuardWindow {
  readonly rules: GrantRules;
  open(stored?: Chat): { readonly session: ChatSession; readonly rules: GrantRules };
}

export interface GuardedFolder extends GuardWindow, Pick<ToolFolder, "put" | "remove"> {
  read(name: string): Promise<string>;
  link(from: string, to: string): Promise<void>;
  symlink(target: string, at: string): Promise<void>;
  openWindow(): GuardWindow;
  /** The questions that were asked, all together. */
  readonly questions: readonly Approval[];
  /** The path of a file in the workspace. */
  at(name: string): string;
  git(...args: string[]): Promise<string>;
  /** A prompt whose answers make these calls. Resolves with how many questions were asked; each is decided in turn. */
  turn(
    session: ChatSession,
    rounds: readonly (readonly Call[])[],
    decisions: readonly (Decision | (() => Promise<Decision>))[],
    by?: "submit" | "continueTurn" | ((session: ChatSession) => Promise<unknown>),
  ): Promise<number>;
  /** What allowed each call of the last turn, such as a yes of the person or a rule. */
  allowed(session: ChatSession): readonly (string | undefined)[];
  states(session: ChatSession): readonly ToolProgress["state"][];
}

/** `others`: instead of the tools that replace a command, a paid task and the tool of another extension. */
export async function createGuard({
  extras,
  others = [runTool, orderTool, foreignTool],
  options: more = () => ({}),
}: {
  readonly extras?: ToolExtras;
  readonly others?: readonly Tool[];
  readonly options?: (workspace: Workspace) => Partial<SessionOptions>;
} = {}): Promise<GuardedFolder> {
  const folder = await createToolFolder({ inside: "project" });
  const clock = createMovedClock();
  const questions: Approval[] = [];
  let scripted: readonly (readonly ChatEvent[])[] = [];
  const tools = [...toolsOver(folder.workspace, extras), ...others];
  const openWindow = (): GuardWindow => {
    const roots = (): Promise<readonly string[]> => Promise.resolve([folder.at("project")]);
    const rules = new GrantRules(new RuleFiles(folder.at("rules"), roots, clock), clock);
    return {
      rules,
      open(stored) {
        let current = answersOf();
        const connections = connectTo(
          makeGateway({
            async *streamChat(request, signal, listener) {
              if (scripted.length > 0) current = answersOf(...scripted);
              scripted = [];
              yield* current.streamChat(request, signal, listener);
            },
          }),
        );
        const options = {
          ...plainSessionOptions,
          changes: plainChanges(folder.workspace),
          connections,
          clock,
          log: keptLog(),
          model: () => Promise.resolve(model),
          tools: () => tools,
          guard: {
            rules,
            files: {
              ...filePolicyOf(folder.workspace),
              areTracked: (paths: readonly string[]) => areTracked(folder.workspace, paths),
              returnsTakenBack: () => Promise.resolve(false),
            },
            log: keptLog(),
          },
          ...more(folder.workspace),
        };
        return { session: new ChatSession(options, stored), rules };
      },
    };
  };
  const lastTurn = (session: ChatSession): readonly ToolProgress[] => {
    const from = session.chat.entries.findLastIndex(({ type }) => type === "user");
    const those = new Set(session.chat.entries.slice(from));
    return answers(session)
      .flatMap((answer) => (those.has(answer) ? toolCalls(answer) : []))
      .map(({ progress }) => progress);
  };
  return {
    ...openWindow(),
    put: (name, text) => folder.put(`project/${name}`, text),
    remove: () => folder.remove(),
    read: (name) => readFile(folder.at(`project/${name}`), "utf8"),
    link: (from, to) => link(folder.at(`project/${from}`), folder.at(`project/${to}`)),
    symlink: (target, at) => symlink(folder.at(`project/${target}`), folder.at(`project/${at}`)),
    openWindow,
    questions,
    at: (name) => folder.at(`project/${name}`),
    git: (...args) => folder.command("git", "-C", "project", "-c", "user.name=a", "-c", "user.email=a@b", ...args),
    async turn(session, rounds, decisions, by = "submit") {
      scripted = [...rounds.map((calls) => callingAnswer(...calls)), textAnswer("done")];
      const before = questions.length;
      const open = (): readonly Approval[] =>
        waiting(session).filter(({ id }) => questions.every((asked) => asked.id !== id));
      let ended = false;
      const begin = typeof by === "function" ? by : (): Promise<unknown> => beginnings[by](session);
      const running = begin(session).then(() => (ended = true));
      for (const decision of decisions) {
        await until(() => ended || open().length > 0);
        const [approval] = open();
        if (!approval) break;
        questions.push(approval);
        const made = typeof decision === "string" ? decision : await decision();
        const scope = made === "once" || made === "no" ? {} : { scope: made };
        session.approvals.decide(approval.id, { allow: made !== "no", ...scope });
      }
      await until(() => ended || open().length > 0);
      if (open().length > 0) throw new Error(`There was another question: ${JSON.stringify(open()[0])}`);
      await running;
      return questions.length - before;
    },
    allowed: (session) => lastTurn(session).map((progress) => ("allowed" in progress ? progress.allowed : undefined)),
    states: (session) => lastTurn(session).map(({ state }) => state),
  };
}

const beginnings = {
  submit: (session: ChatSession) => session.submit("go"),
  continueTurn: (session: ChatSession) => session.continueTurn(),
};

function askingTool(
  name: string,
  prepare: (input: Record<string, unknown>) => Pick<CallToApprove, "reasons" | "grant" | "untrusted">,
): Tool {
  return {
    declaration: { name, description: name, parameters: { type: "object" } },
    effect: "changes",
    prepare: (input) =>
      Promise.resolve({
        action: { type: "call", name },
        ...prepare(input as Record<string, unknown>),
        run: () => Promise.resolve("done"),
      }),
  };
}

// The reasons that the tools for these use; the guard compares them by name.
const reason = (name: string): AskReason => name as AskReason;
const grant = (subject: GrantSubject): Pick<CallToApprove, "grant"> => ({ grant: subject });

const runTool = askingTool("run", ({ argv, parts = [argv], folder, shell, files = [] }) => ({
  reasons: [reason("runs-command"), ...(shell === true ? [reason("shell")] : [])],
  ...grant({
    ...{ type: "command", folder: typeof folder === "string" ? folder : ".", isOwnFolder: true },
    parts: (parts as string[][]).map((words) => ({
      argv: words,
      paths: { files: files as string[], folders: [], modules: [], writable: [], foreign: [] },
    })),
  }),
}));
const orderTool = askingTool("order", ({ taskType, model = "m", options = {} }) => ({
  reasons: [reason("submits-task")],
  ...grant({
    ...{ type: "submit-task", taskType: String(taskType), model: String(model) },
    options: options as Readonly<Record<string, unknown>>,
  }),
}));
const foreignTool = askingTool("foreign", ({ promise = "as it was" }) => ({
  reasons: [reason("foreign-tool")],
  ...grant({ type: "foreign-tool", name: "Foreign", promise: String(promise) }),
  untrusted: "Foreign",
}));

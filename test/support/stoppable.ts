/** Work that Stop has to end, begun in a chat of the whole client and reported once it runs. The tests of Stop and `npm run bench -- stop` use it. */
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { toolCalls, type ToolCallBlock } from "../../src/domain/chat/chat";
import type { AppOverGateway } from "./appOverGateway";
import { until } from "./builders";
import { answers, progressOf, waiting } from "./chatSessions";

interface Begun {
  readonly turn: Promise<unknown>;
  /** Whether nothing of it is left. */
  readonly isGone: () => boolean;
}

type Begin = (over: AppOverGateway) => Promise<Begun>;

export const stoppable = {
  "a request in flight": async (over) => {
    over.gateway.faults.arm({ name: "http.hang", times: 1, route: "POST /v1/chat/completions" });
    const turn = over.app.session.current.submit("hello");
    const request = lastRequest(over);
    await until(() => request() !== undefined);
    return { turn, isGone: () => request()?.aborted === true };
  },
  "an answer that streams": async (over) => {
    const turn = over.app.session.current.submit("Write a long story about a harbour.");
    const request = lastRequest(over);
    await until(
      () =>
        answers(over.app.session.current)
          .at(-1)
          ?.blocks.some(({ type }) => type === "text") === true,
    );
    return { turn, isGone: () => request()?.aborted === true };
  },
  "a search whose pattern never ends": async (over) => {
    await writeFile(join(over.folder, "a.txt"), `${"a".repeat(200)}!\n`);
    const turn = over.app.session.current.submit('call find_text {"text":"^(a+)+$","is_pattern":true}');
    await until(() => stateOf(over) === "running");
    return { turn, isGone: () => stateOf(over) === "stopped" };
  },
  "a tree of processes that ignore polite signals": async (over) => {
    const deaf = 'trap "" TERM INT HUP; ';
    const tree = `${deaf} sh -c '${deaf} setsid sleep 1000 & echo $! $$; wait' & echo $$; wait`;
    const turn = over.app.session.current.submit(`call run_command ${JSON.stringify({ command: tree })}`);
    await allow(over);
    const pids = (): readonly string[] => (block(over)?.output?.head ?? "").split(/\s+/).filter((word) => word !== "");
    await until(() => pids().length === 3);
    return { turn, isGone: () => !pids().some(isAlive) };
  },
  "an open question": async (over) => {
    const turn = over.app.session.current.submit('call write_file {"path":"new.ts","text":"x"}');
    await until(() => waiting(over.app.session.current).length > 0);
    return { turn, isGone: () => stateOf(over) === "stopped" };
  },
} satisfies Readonly<Record<string, Begin>>;

async function allow({ app }: AppOverGateway): Promise<void> {
  const session = app.session.current;
  await until(() => waiting(session).length > 0);
  session.approvals.decide(waiting(session)[0]?.id ?? "", { allow: true });
}

function lastRequest({ gateway }: AppOverGateway) {
  const before = gateway.requests.length;
  return () => gateway.requests.slice(before).findLast(({ path }) => path === "/v1/chat/completions");
}

function block({ app }: AppOverGateway): ToolCallBlock | undefined {
  return answers(app.session.current).flatMap(toolCalls).at(-1);
}

function stateOf({ app }: AppOverGateway): string | undefined {
  return progressOf(app.session.current).at(-1);
}

/** A zombie does not count: a killed process stays until its parent has read how it ended. */
function isAlive(pid: string): boolean {
  try {
    process.kill(Number(pid), 0);
    return process.platform !== "linux" || !readFileSync(`/proc/${pid}/stat`, "latin1").includes(") Z ");
  } catch {
    return false;
  }
}

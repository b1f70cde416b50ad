// Refusals for length, in the words of each service, by a local gateway to a session of ours; and random chats with a model of a small context.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { systemClock } from "../../src/base/async/systemClock";
import { ChatSession } from "../../src/chat/session/session";
import { connectGateway } from "../../src/gateway/httpGateway";
import { startFaultyGateway } from "../../test/faults/faultyGateway";
import { overflowBodies } from "../../test/fixtures/overflowBodies";
import { connectTo, keptLog } from "../../test/support/builders";
import { answers } from "../../test/support/chatSessions";
import { plainEndpoint, plainSessionPorts } from "../../test/support/plainPorts";

export { playBoundedChat } from "../../test/support/boundedChats";

/** Tokens. */
const context = 12_000;

/** Of each service whether the chat went on to an answer after exactly one refusal. */
export async function playRefusals() {
  const folder = await mkdtemp(path.join(tmpdir(), "bench-overflow-"));
  const options = { tokensPerSecond: Infinity, firstTokenMs: 0, deposit: 10_000_000 };
  const local = await startFaultyGateway({ ...options, stateDir: folder });
  try {
    const endpoint = { ...plainEndpoint, baseUrl: local.url, key: local.key, clock: systemClock, random: () => 0.5 };
    /** @type {{ service: string, isAnswered: boolean }[]} */
    const played = [];
    for (const [service, [status, body]] of Object.entries(overflowBodies)) {
      local.faults.arm({ name: "http.context", value: { tokens: context, status, body } });
      const family = service.startsWith("Anthropic") ? "messages" : "chat-completions";
      const id = family === "messages" ? "demo-messages" : "demo-chat";
      const session = new ChatSession({
        ...plainSessionPorts,
        connections: connectTo(connectGateway(endpoint)),
        clock: systemClock,
        log: keptLog(),
        model: () => Promise.resolve({ id, family }),
      });
      for (let turn = 0; turn < 3; turn += 1) await session.submit(`write 1 paragraph ${"and so on ".repeat(1800)}`);
      local.faults.clear();
      const refused = answers(session).filter(({ failure }) => failure?.type === "context-full").length;
      played.push({ service, isAnswered: refused === 1 && answers(session).at(-1)?.state === "complete" });
    }
    return played;
  } finally {
    await local.close();
    await rm(folder, { recursive: true, force: true });
  }
}

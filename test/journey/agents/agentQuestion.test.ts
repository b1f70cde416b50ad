/** A program of this machine orders a picture over MCP (V6): the window asks, and the person's answer decides. */
import assert from "node:assert/strict";
import { agentToolNames } from "../../../src/agents/tasks/agentToolNames";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";
import { type McpAgent, startMcpAgent } from "../../support/mcpAgent";

const image = { type: "async-image", model: "demo-image", prompt: "A harbour at dawn." };
const asks = "“test-agent” asks over MCP";

interface CopiedServer {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

describe("a program that asks over MCP", () => {
  let opened: OpenedWindow;
  let agent: McpAgent;
  /** Whether the window says that an agent asks, by a notification and in the status bar. */
  const shown = (): readonly boolean[] => [
    opened.window.messages.progress.some(({ title = "" }) => title.includes(asks)),
    opened.window.messages.status.some(({ id }) => id === "sluice.agents"),
  ];
  const asked = async (): Promise<void> => {
    await opened.window.until("an agent asks", () => shown().every(Boolean));
    await opened.window.settled();
  };
  const submit = (): Promise<string> =>
    opened.window.during(
      "the program has its answer",
      agent.call(agentToolNames.submit, image).then(({ text = "" }) => text),
    );
  const review = async (answer: string | undefined): Promise<void> => {
    await asked();
    const reviewing = opened.person.palette("Sluice: Review What an Agent Asks…");
    await opened.person.answer(asks, answer);
    await reviewing.ended();
  };
  const orders = (): number => opened.inside.app.board.listed.size;

  before(async () => {
    opened = await openWindow();
    const { window, person } = opened;
    const copying = person.palette("Sluice: Copy MCP Configuration");
    await person.answer("The MCP server is off", "Switch On");
    await person.answer("on the clipboard");
    await copying.ended();
    const { mcpServers } = JSON.parse(window.clipboard) as { readonly mcpServers: { readonly sluice: CopiedServer } };
    agent = await startMcpAgent(mcpServers.sluice.url, mcpServers.sluice.headers);
  });
  after(async () => {
    await agent.close();
    await closeWindows();
  });

  it("V6: when the program withdraws what it asked its question goes, too, and nothing was ordered", async () => {
    const withdrawn = new AbortController();
    void agent.callUntil(withdrawn.signal, agentToolNames.submit, image);
    await asked();
    withdrawn.abort();
    await opened.window.until("the question has gone", () => !shown().includes(true));
    assert.equal(orders(), 0);
  });

  it("V6 (finding H13): after Refuse This and Later Ones no program asks any more, until its configuration is copied again", async () => {
    const { person } = opened;
    const ordered = submit();
    await review("Refuse This and Later Ones");
    assert.match(await ordered, /said no: nothing was done/);
    await person.answer("Programs ask nothing more over MCP");
    assert.match(await submit(), /no more questions/);
    assert.deepEqual(shown(), [false, false]);
    const copying = person.palette("Sluice: Copy MCP Configuration");
    await person.answer("on the clipboard");
    await copying.ended();
    const again = submit();
    await review(undefined);
    assert.match(await again, /said no: nothing was done/);
    assert.equal(orders(), 0);
  });
});

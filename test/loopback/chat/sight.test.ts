/** Images that a model sees through the whole client: from files, and from tasks that it has submitted, in three families. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ChatSession } from "../../../src/chat/session/session";
import { toolCalls, type ToolCallBlock } from "../../../src/domain/chat/chat";
import { type AppOverGateway, openAppOverGateway } from "../../support/appOverGateway";
import { createFastClock } from "../../support/fastClock";
import { pngOf } from "../../support/testImages";

const callsOf = ({ chat }: ChatSession): readonly ToolCallBlock[] =>
  chat.entries.flatMap((entry) => (entry.type === "answer" ? toolCalls(entry) : []));

function lastText({ chat }: ChatSession): string {
  const last = chat.entries.at(-1);
  assert.ok(last?.type === "answer" && last.state === "complete", JSON.stringify(last));
  return last.blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

/** Allows every question. */
async function play(session: ChatSession, prompt: string): Promise<string> {
  const listening = session.onDidEmit(({ type }) => {
    if (type !== "tool-progress") return;
    setImmediate(() => {
      for (const { progress } of callsOf(session))
        if (progress.state === "waiting") session.approvals.decide(progress.approval.id, { allow: true });
    });
  });
  await session.submit(prompt);
  listening.dispose();
  return lastText(session);
}

describe("what a model sees", () => {
  let over: AppOverGateway;
  beforeEach(async () => {
    // The first read of a task is due after seconds. By a fast clock one that the machine holds up makes the next look hasty.
    // The limit for a thumbnail takes its time: a twentieth of it would be over before a busy machine has fetched one.
    const clock = createFastClock(Date.now(), 20, 4000);
    const fast = { clock, pollClock: clock, provokes: ["polled-too-fast"] } as const;
    over = await openAppOverGateway({ inside: "project", speed: 100, fetchUpTo: 50_000_000, ...fast });
    void over.app.fetcher.run();
    await writeFile(join(over.root, "sea.png"), await pngOf(40, 30, [50, 90, 200]));
    await writeFile(join(over.root, "barn.png"), await pngOf(20, 10, [220, 40, 40]));
  });
  afterEach(async () => {
    await over.close();
  });

  const choose = (family: string): ChatSession => {
    const model = over.app.models.models.current.list.find((one) => one.family === family && !one.taskTypes);
    over.app.models.choose(model!.id);
    return over.app.session.current;
  };

  for (const family of ["chat-completions", "messages", "generate-content"] as const) {
    it(`A12, L4: ${family}: images that are read are seen with their sizes and colours, and the chat goes on`, async () => {
      const session = choose(family);
      const said = await play(session, "Read sea.png and barn.png");
      const seen =
        family === "messages"
          ? [
              /With it I was given a PNG of 40 × 30, mostly blue\./,
              /With it I was given a PNG of 20 × 10, mostly red\./,
            ]
          : [/a PNG of 40 × 30, mostly blue and a PNG of 20 × 10, mostly red/];
      for (const words of seen) assert.match(said, words);
      assert.match(await play(session, "Read barn.png"), /a PNG of 20 × 10, mostly red/);
      assert.equal(session.chat.images?.length, 2);
    });

    it(`A12, T8: ${family}: from the prompt over the paid picture to the model that sees it`, async () => {
      const session = choose(family);
      const submit = { type: "image", model: "demo-image", prompt: "a lighthouse", options: { seed: 3 } };
      await play(session, `\`\`\`calls\nsubmit_task ${JSON.stringify(submit)}\n\`\`\``);
      const [submitted] = callsOf(session);
      assert.ok(submitted?.progress.state === "done", JSON.stringify(submitted?.progress));
      const [id] = submitted.progress.tasks ?? [];
      const said = await play(session, `\`\`\`calls\nget_task ${JSON.stringify({ id, wait_seconds: 60 })}\n\`\`\``);
      assert.match(said, /The result is shown: PNG image, 768 × 512 pixels\./);
      assert.match(said, /With it I was given a PNG of 768 × 512, mostly \w+\./);
    });
  }

  it("A12, T8: of a finished video the model sees the thumbnail", async () => {
    const session = choose("messages");
    const submit = { type: "video", model: "demo-video", prompt: "a lighthouse" };
    await play(session, `\`\`\`calls\nsubmit_task ${JSON.stringify(submit)}\n\`\`\``);
    const [submitted] = callsOf(session);
    assert.ok(submitted?.progress.state === "done");
    const [id] = submitted.progress.tasks ?? [];
    const said = await play(session, `\`\`\`calls\nget_task ${JSON.stringify({ id, wait_seconds: 60 })}\n\`\`\``);
    assert.match(said, /The thumbnail of the video is shown: PNG image, 240 × 160 pixels\./);
    assert.match(said, /With it I was given a PNG of 240 × 160, mostly \w+\./);
  });

  it("A12, S4: the request that Show Request has holds every byte of the image", async () => {
    const session = choose("messages");
    await play(session, "Read sea.png");
    const last = session.chat.entries.at(-1);
    const [request] = session.requests.of(last!.id);
    assert.ok(request);
    assert.ok(request.trace.body.includes((await pngOf(40, 30, [50, 90, 200])).toString("base64")));
  });

  it("A12, T10: several results of one call count for the cap of a day, and beyond it nothing is sent", async () => {
    await over.close();
    over = await openAppOverGateway({ inside: "project", speed: 100, tasksPerDay: () => 2 });
    const session = choose("messages");
    const submit = { type: "image", model: "demo-image", prompt: "a lighthouse", n: 3 };
    await session.submit("Hello");
    const listening = session.onDidEmit(() =>
      setImmediate(() => {
        for (const { progress } of callsOf(session))
          if (progress.state === "waiting") session.approvals.decide(progress.approval.id, { allow: true });
      }),
    );
    await session.submit(`\`\`\`calls\nsubmit_task ${JSON.stringify(submit)}\n\`\`\``);
    listening.dispose();
    const creates = over.gateway.requests.filter(({ method, path }) => method === "POST" && path === "/v1/tasks");
    assert.equal(creates.length, 0);
    const last = session.chat.entries.at(-1);
    assert.ok(last?.type === "answer" && last.failure?.type === "task-cap");
  });
});

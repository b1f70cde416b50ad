/** What a chat sends with its first prompt, in three families, and that it stays the same to the byte as the chat goes on. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { asRecord, asText, type JsonRecord } from "../../../src/base/jsonValue";
import type { PromptContext } from "../../../src/domain/chat/environmentSchema";
import { families } from "../../../src/domain/chat/family";
import { type AppOverGateway, openAppOverGateway } from "../../support/appOverGateway";
import { until } from "../../support/builders";
import { answers } from "../../support/chatSessions";
import { demoModels } from "../../support/gatewayTap";
import { createMovedClock } from "../../support/movedClock";
import { plainPlace } from "../../support/plainOptions";
import { recordRequests } from "../../support/recordedRequests";
import { isFullRun } from "../../support/runs";
import type { TestServer } from "../gateway/rawServer";

const fixtures = join("test", "fixtures", "first-request");

describe("the first request of a chat", () => {
  let over: AppOverGateway;
  let gateway: TestServer;
  let editor: PromptContext["editor"];
  beforeEach(async () => {
    editor = { path: "src/app.ts", lines: { first: 3, last: 9 } };
    const place = { ...plainPlace, instructions: () => "Answer in English.", activeEditor: () => editor };
    over = await openAppOverGateway({ inside: "project", place });
    const put = async (path: string, text: string): Promise<void> => {
      await mkdir(join(over.root, path, ".."), { recursive: true });
      await writeFile(join(over.root, path), text);
    };
    for (const name of ["src/app.ts", "packages/a/x.ts", "README.md"]) await put(name, "x\n");
    await put("AGENTS.md", "# Style\n\nUse tabs.\n\n```sh\nnpm test\n```\n");
    await put("packages/a/AGENTS.md", "Use blanks.\n");
    execFileSync("git", ["-C", over.root, "init", "-q", "-b", "main"]);
    execFileSync("git", ["-C", over.root, "add", "-A"]);
    gateway = await recordRequests(over);
  });
  afterEach(async () => {
    await over.close();
    await gateway.close();
  });

  /** Those for answers, in order. */
  const bodies = (): readonly JsonRecord[] =>
    gateway.received.flatMap(({ method, body }) => {
      const record = method === "POST" && body !== "" ? asRecord(JSON.parse(body)) : undefined;
      return record && ("messages" in record || "contents" in record) ? [record] : [];
    });
  const turnsOf = (body: JsonRecord): readonly unknown[] =>
    (body["messages"] ?? body["contents"]) as readonly unknown[];
  /** Without the marks for the cache, which move. */
  const plain = (value: unknown): string =>
    JSON.stringify(value, (key, inner: unknown) => (key === "cache_control" ? undefined : inner));
  const session = (): AppOverGateway["app"]["session"]["current"] => over.app.session.current;

  for (const family of families) {
    it(`A9, S1: its bytes in ${family}`, async () => {
      over.app.models.choose(demoModels[family]);
      await session().submit("What is this project about?");
      const [body] = bodies();
      assert.ok(body);
      // Tools have tests of their own: one shows the form.
      const [first] = body["tools"] as readonly JsonRecord[];
      const declared = first?.["functionDeclarations"];
      const tools = Array.isArray(declared) ? [{ functionDeclarations: declared.slice(0, 1) as unknown }] : [first];
      const today = /\d{4}-\d{2}-\d{2}/;
      const written = `${JSON.stringify({ ...body, tools }, undefined, 1)}\n`
        .replaceAll(over.root, "/work/project")
        .replace(today, "2026-11-24");
      const file = join(fixtures, `${family}.json`);
      if (process.env["RESET_RESULTS"] === "1") {
        await mkdir(fixtures, { recursive: true });
        await writeFile(file, written);
      }
      assert.equal(written, await readFile(file, "utf8"));
    });

    const [many, more, rest] = family === "messages" && isFullRun ? ([48, 6, 2] as const) : ([4, 6, 2] as const);
    it(`A9, A8: over more than ${many + rest} rounds, a steer, a reload and an edited prompt each request of ${family} begins with the one before`, async () => {
      over.app.models.choose(demoModels[family]);
      const rounds = (count: number): string =>
        `\`\`\`calls\n${Array.from({ length: count }, (_, index) => `read_file {"path": "src/app.ts", "start_line": 1, "end_line": ${index + 1}}\n`).join("\n")}\`\`\``;
      await session().submit(rounds(many));
      editor = undefined;
      const turn = session().submit(rounds(more));
      await until(() => answers(session()).length > many + 2);
      await session().submit(rounds(rest), undefined, { isNow: true });
      await turn;
      assert.ok(session().chat.entries.some((entry) => entry.type === "user" && entry.steers === true));
      await writeFile(join(over.root, "AGENTS.md"), "Changed.\n");
      await over.restartApp();
      over.app.models.choose(demoModels[family]);
      await session().submit(rounds(rest));
      const all = bodies();
      assert.ok(all.length > many + rest + 2, String(all.length));
      const [first] = all;
      for (const [index, body] of all.entries()) {
        assert.equal(
          plain(body["system"] ?? body["systemInstruction"]),
          plain(first?.["system"] ?? first?.["systemInstruction"]),
        );
        assert.equal(plain(body["tools"]), plain(first?.["tools"]));
        const before = turnsOf(all[Math.max(0, index - 1)]!);
        assert.equal(plain(turnsOf(body).slice(0, before.length)), plain(before), `request ${index + 1}`);
      }
      const prompt = session().chat.entries.findLast(({ type }) => type === "user")!;
      await session().resend(prompt.id, "What is this project about?");
      const fork = turnsOf(bodies().at(-1)!);
      const same = turnsOf(all.at(-1)!);
      const common = fork.length - 1;
      assert.equal(plain(fork.slice(0, common)), plain(same.slice(0, common)));
      await session().summarize();
      await session().submit("What is this project about?");
      const start = (body: JsonRecord): string =>
        textOf(turnsOf(body).find((one) => asRecord(one)?.["role"] === "user"));
      const block = start(all[0]!).slice(0, start(all[0]!).indexOf("The conversation begins here."));
      assert.ok(block.includes("Use tabs."));
      assert.ok(start(bodies().at(-1)!).startsWith(block));
    });
  }

  it("A9: the day is named when it is another one, and the active editor with each prompt", async () => {
    await over.close();
    await gateway.close();
    const clock = createMovedClock();
    over = await openAppOverGateway({
      pollClock: clock,
      polls: false,
      place: { ...plainPlace, activeEditor: () => editor },
    });
    gateway = await recordRequests(over);
    await session().submit("What is this?");
    editor = { path: "README.md" };
    await clock.advance(24 * 3_600_000);
    await session().submit("And this?");
    const users = turnsOf(bodies().at(-1)!)
      .filter((one) => asRecord(one)?.["role"] === "user")
      .map(textOf);
    assert.match(
      users[0] ?? "",
      /\n\n\(The person's active editor: src\/app\.ts, selected: src\/app\.ts:3-9\)\n\nWhat is this\?$/,
    );
    assert.match(
      users[1] ?? "",
      /^\(Today is \d{4}-\d{2}-\d{2}\.\)\n\n\(The person's active editor: README\.md\)\n\nAnd this\?$/,
    );
  });

  it("A9: instructions of a folder inside come once, with the first result from there", async () => {
    await session().submit("Read packages/a/x.ts then read packages/a/x.ts then read src/app.ts");
    const last = plain(turnsOf(bodies().at(-1)!));
    assert.equal(last.split("from packages/a/AGENTS.md").length - 1, 1);
    assert.ok(last.indexOf("Use blanks.") > last.indexOf("Use tabs."));
  });

  it("A9: what the person removes is sent no more, and what they let in is", async () => {
    await writeFile(join(over.root, "packages/a/AGENTS.md"), "Use blanks.\n");
    await mkdir(join(over.root, "new"));
    await writeFile(join(over.root, "new/AGENTS.md"), "Use dots.\n");
    await writeFile(join(over.root, "new/y.ts"), "y\n");
    await session().submit("Read packages/a/x.ts then read new/y.ts");
    assert.deepEqual(session().chat.environment?.offered, ["new/AGENTS.md"]);
    assert.ok(!plain(bodies().at(-1)).includes("Use dots."));
    for (const path of ["", "AGENTS.md", "packages/a/AGENTS.md"])
      assert.ok(await session().removeInstructions(path), path);
    assert.equal(await session().removeInstructions("none"), false);
    assert.equal(await session().allowInstructions("src/app.ts"), false);
    assert.equal(await session().allowInstructions("new/AGENTS.md"), true);
    await over.restartApp();
    await session().submit("Read packages/a/x.ts");
    // The demo model quotes results in its answers.
    const last = plain(turnsOf(bodies().at(-1)!).filter((one) => asRecord(one)?.["role"] !== "assistant"));
    for (const gone of ["Answer in English.", "Use tabs.", "Use blanks."]) assert.ok(!last.includes(gone), gone);
    assert.ok(last.includes("Use dots."));
  });
});

/** Of a message of any family. */
function textOf(message: unknown): string {
  const { content, parts } = asRecord(message) ?? {};
  if (typeof content === "string") return content;
  const list = (content ?? parts) as readonly JsonRecord[];
  return list.map((part) => asText(part["text"]) ?? "").join("\n\n");
}

/** Another extension's 20 turns with the gateway's models in all families: what a model needs back comes back byte by byte. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { systemClock } from "../../../src/base/async/systemClock";
import { families } from "../../../src/domain/chat/family";
import { AppFailure } from "../../../src/domain/errors/appError";
import { type ProvidedRequest, type ReportedPart, usageType } from "../../../src/agents/models/providedMessage";
import { AnswerCache } from "../../../src/agents/models/answerCache";
import { type AnswerOptions, provideAnswer, ProvidedFailure } from "../../../src/agents/models/provideAnswer";
import { type AppOverGateway, openAppOverGateway } from "../../support/appOverGateway";
import { keptLog, until } from "../../support/builders";
import {
  demoModels,
  dotPicture,
  type GatewayTap,
  openGatewayTap,
  promptForCalls,
  sentBack,
  toSendBack,
  weatherTool,
} from "../../support/gatewayTap";
import { type Ask, type Keeps, ModelCaller, textOf } from "../../support/modelCaller";
import { startOwnTime } from "../../support/ownTime";

type Asked = Partial<ProvidedRequest> & Pick<ProvidedRequest, "model" | "messages">;
const text = (words: string): ProvidedRequest["messages"][number] => ({
  role: "user",
  parts: [{ type: "text", text: words }],
});

const noCache: AnswerOptions["cache"] = {
  find: () => Promise.resolve(undefined),
  save: () => Promise.resolve(),
  markerKey: () => Promise.resolve(new Uint8Array(32)),
};

describe("the gateway's models for other extensions", () => {
  let over: AppOverGateway;
  let tap: GatewayTap;

  before(async () => {
    over = await openAppOverGateway({
      configured: Object.values(demoModels).map((id) => ({ id, thinking: "low" })),
      provokes: ["asked-after-401"],
    });
  });
  after(() => over.close());
  beforeEach(async () => {
    tap = await openGatewayTap(over.gateway.url);
    over.setKey(over.gateway.key);
    over.baseUrl.set(tap.url);
    await over.connections.ready();
    await over.app.models.loaded();
  });
  afterEach(() => tap.close());

  /** Of a window that has just been opened. */
  const openOptions = (): AnswerOptions => ({
    connections: over.connections,
    clock: systemClock,
    log: keptLog(),
    cache: new AnswerCache({ folder: join(over.folder, "answers"), clock: systemClock, log: keptLog() }),
    findModel: (id) => {
      const model = over.app.models.models.current.list.find((one) => one.id === id);
      if (model) return Promise.resolve(model);
      return Promise.reject(new AppFailure({ kind: "not-found", message: id, notSent: true }));
    },
    learnWithoutTools: () => undefined,
  });
  const ask = async (
    options: AnswerOptions,
    request: Asked,
    signal = new AbortController().signal,
    report: (part: ReportedPart) => void = () => undefined,
  ): Promise<readonly ReportedPart[]> => {
    const parts: ReportedPart[] = [];
    const whole = { tools: [], mustCallTool: false, options: undefined, ...request };
    const keep = (part: ReportedPart): void => {
      parts.push(part);
      report(part);
    };
    await provideAnswer(options, whole, keep, signal);
    return parts;
  };

  for (const family of families) {
    const model = demoModels[family];
    for (const keeps of ["everything", "text and calls"] satisfies Keeps[]) {
      it(`V1, S2: ${family}: 20 turns by a caller that keeps ${keeps}, over a reload`, async () => {
        const caller = new ModelCaller(keeps);
        // Only the marker is left to a caller that keeps everything.
        const open = (): AnswerOptions => ({ ...openOptions(), ...(keeps === "everything" ? { cache: noCache } : {}) });
        let options = open();
        const asking: Ask = (messages) => ask(options, { model, messages, tools: [weatherTool] });
        const resultOf = (input: unknown): string => `rain: ${JSON.stringify(input)}`;
        for (const half of [0, 1]) {
          await caller.turn(`What is ${half}?`, asking, resultOf);
          const cities = Array.from({ length: 10 }, (_, index) => `Bern ${half}${index}`);
          const answer = await caller.turn(promptForCalls(cities), asking, resultOf);
          for (const city of cities) assert.ok(answer.includes(city), answer);
          // It has nothing but the folder.
          options = open();
        }
        await caller.turn("What is last?", asking, resultOf);
        const wanted = toSendBack(family, tap.answered.slice(0, -1));
        assert.ok(wanted.length >= 20, `${wanted.length} signatures and ids`);
        assert.deepEqual(sentBack(family, tap.asked.at(-1)!), wanted);
      });
    }

    it(`V1: ${family}: a forced call is made, usage comes as VS Code reads it, pictures are sent and come back`, async () => {
      const forced = await ask(openOptions(), {
        model,
        messages: [text("Hello")],
        tools: [weatherTool],
        mustCallTool: true,
      });
      assert.deepEqual(
        forced.flatMap((part) => (part.type === "tool-call" ? [part.name] : [])),
        ["weather"],
      );
      const usage = forced.find((part) => part.type === "data" && part.mimeType === usageType);
      assert.ok(usage?.type === "data");
      const counts = JSON.parse(Buffer.from(usage.data).toString()) as Record<string, number>;
      assert.ok(counts["prompt_tokens"]! > 0 && counts["total_tokens"]! > counts["prompt_tokens"]!);
      const image = { type: "data" as const, mimeType: "image/png", data: Buffer.from(dotPicture, "base64") };
      const painted = await ask(openOptions(), {
        model,
        messages: [{ role: "user", parts: [...text("Paint a lighthouse").parts, image] }],
      });
      assert.ok(tap.asked.at(-1)!.includes(dotPicture));
      const pictures = painted.filter((part) => part.type === "data" && part.mimeType.startsWith("image/"));
      assert.equal(pictures.length, family === "messages" ? 0 : 1, textOf(painted));
    });
  }

  it("V1, S5: a cancel ends the request at the gateway within 100 ms, and nothing is reported after it", async () => {
    const slow = await openAppOverGateway({ tokensPerSecond: 50 });
    try {
      const stop = new AbortController();
      const options = { ...openOptions(), connections: slow.connections };
      let count = 0;
      let time = (): number => 0;
      const asked = ask(options, { model: "demo-chat", messages: [text("Tell me a long story")] }, stop.signal, () => {
        count += 1;
        if (count > 1) return;
        time = startOwnTime();
        stop.abort();
      });
      await assert.rejects(asked, { name: "AbortError" });
      await until(() => slow.gateway.requests.at(-1)?.aborted === true);
      const ms = time();
      assert.ok(ms <= 100, `${ms} ms`);
      assert.equal(count, 1);
    } finally {
      await slow.close();
    }
  });

  it("V1: an unknown model, a refused key: an error that VS Code's callers can tell apart, without the key", async () => {
    const failureOf = async (model: string, options = openOptions()): Promise<ProvidedFailure> => {
      const failure: unknown = await ask(options, { model, messages: [text("Hi")] }).then(
        () => assert.fail("it did not fail"),
        (reason: unknown) => reason,
      );
      assert.ok(failure instanceof ProvidedFailure, String(failure));
      return failure;
    };
    assert.equal((await failureOf("nobody's")).code, "not-found");
    over.setKey("sk-wrong-0123456789abcdef");
    await over.connections.refresh();
    await over.app.models.loaded();
    const known = () => Promise.resolve({ id: "demo-chat", family: "chat-completions" as const });
    for (const key of ["sk-wrong-0123456789abcdef", undefined]) {
      over.setKey(key);
      await over.connections.refresh();
      const { code, message } = await failureOf("demo-chat", { ...openOptions(), findModel: known });
      assert.equal(code, "no-permissions");
      assert.doesNotMatch(message, /sk-wrong/);
    }
  });
});

/** What the client reads of amounts: of the local gateway in the words of each gateway that it can play, and of balances that are none. */
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import type { Chat } from "../../../src/domain/chat/chat";
import type { Message } from "../../../src/domain/chat/message";
import type { BillVerdict } from "../../../src/gateway/bills";
import { createHttpGateway } from "../../../src/gateway/httpGateway";
import type { AmountSource, Price } from "../../../src/domain/prices/priceList";
import type { StatedBalance } from "../../../src/domain/ports";
import { acceptedOf } from "../../../src/domain/task/phase";
import { type DialectName, dialectNames } from "../../../src/localGateway/demo/spokenDialects";
import { type AppOverGateway, openAppOverGateway } from "../../support/appOverGateway";
import { until } from "../../support/builders";
import { createFastClock } from "../../support/fastClock";
import { plainEndpoint } from "../../support/plainOptions";
import { createMovedClock } from "../../support/movedClock";
import { createHarness, json } from "./harness";

/** What each one states: of a streamed answer and of a task in which currency, the prices of a model, and what is left. */
const stated = {
  openrouter: { answer: "gateway", task: "USD", token: true, image: undefined, balance: true },
  litellm: { answer: "gateway", task: "USD", token: false, image: undefined, balance: true },
  "new-api": { answer: undefined, task: undefined, token: false, image: undefined, balance: true },
  vercel: { answer: "gateway", task: undefined, token: true, image: 0.03, balance: true },
  requesty: { answer: "gateway", task: undefined, token: true, image: undefined, balance: false },
  comfy: { answer: undefined, task: "credits", token: false, image: undefined, balance: false },
} as const satisfies Readonly<
  Record<
    DialectName,
    {
      readonly answer: AmountSource | undefined;
      readonly task: string | undefined;
      readonly token: boolean;
      readonly image: number | undefined;
      readonly balance: boolean;
    }
  >
>;

const inDollars = (units: number): number => units / 10_000;
const isNear = (one: number, other: number): void => assert.ok(Math.abs(one - other) < 1e-9, `${one} ${other}`);

describe("amounts of the local gateway in the words of others", () => {
  let over: AppOverGateway;
  afterEach(() => over.close());

  const chatOf = (): Chat => over.app.session.current.chat;
  const spentOn = async (work: () => Promise<unknown>): Promise<number> => {
    await over.gateway.flushed();
    const before = over.gateway.balance.spent;
    await work();
    await until(() => over.gateway.balance.held === 0);
    return over.gateway.balance.spent - before;
  };

  for (const dialect of dialectNames) {
    it(`T18: ${dialect}: the sum of what the rows cost is what the gateway has charged`, async () => {
      // The first read of a task is due after seconds. By a fast clock one that the machine holds up makes the next look hasty.
      const clock = createFastClock(Date.now(), 20);
      over = await openAppOverGateway({ dialect, speed: 20, clock, pollClock: clock, provokes: ["polled-too-fast"] });
      const { answer, task, token, image, balance } = stated[dialect];
      const { gateway } = await over.connections.ready();
      const charged = await spentOn(async () => {
        for (const prompt of ["write 2 paragraphs", "and one more"]) await over.app.session.current.submit(prompt);
      });
      const { costs = [], spent = [] } = chatOf();
      if (answer === undefined) {
        assert.deepEqual(costs, [], "nothing is said of what it cost");
        assert.ok(spent[0]!.input > 0, "so the person's list can say it");
      } else {
        const [only, ...others] = costs;
        assert.deepEqual([others, only?.source, only?.currency], [[], answer, "USD"]);
        isNear(only!.amount, inDollars(charged));
        assert.deepEqual(spent, [], "what was stated is not priced again");
      }

      const { list } = over.app.models.models.current;
      const priced = list.find(({ id }) => id === "demo-chat")?.prices;
      assert.deepEqual(
        [priced?.source, priced?.entries[0]?.input],
        token ? ["gateway-list", 1] : [undefined, undefined],
      );
      const order = { type: "async-image", model: "demo-image", prompt: "a harbour in fog" } as const;
      const estimate = over.app.outbox.priceOf(order, { origin: over.gateway.url });
      const byList = image && { amount: image, currency: "USD", source: "gateway-list" };
      assert.deepEqual(estimate, byList);

      let id = "";
      const ofTask = await spentOn(async () => {
        [id = ""] = await over.app.outbox.submit([order]);
        await until(() => acceptedOf(over.app.board.listed.get(id))?.remote.state === "succeeded");
      });
      const cost = acceptedOf(over.app.board.listed.get(id))?.remote.cost;
      const amount = task === "credits" ? ofTask / 100 : inDollars(ofTask);
      assert.deepEqual(cost, task && { amount, currency: task, source: "gateway" });
      assert.deepEqual(over.app.board.listed.get(id)?.intent.price, byList, "the estimate stays beside it");

      const { left = [], spent: used } = (await balanceOf(gateway.readBalance.bind(gateway))) ?? {};
      if (balance) {
        const { available, deposited } = over.gateway.balance;
        isNear(left[0]!.amount, inDollars(available));
        isNear(used!.amount, inDollars(deposited - available));
      } else assert.deepEqual([left, used], [[], undefined]);
      const asked = over.gateway.requests.filter(({ path }) => /credits|key|usage|balance/.test(path));
      assert.equal(asked.length, dialect === "openrouter" ? 2 : balance ? 1 : 0, "no request that was not made before");
    });
  }

  it("T18, S2: each family states what an answer cost, streamed or not", async () => {
    over = await openAppOverGateway({ dialect: "litellm" });
    for (const model of ["demo-chat", "demo-messages", "demo-generate"]) {
      for (const options of [{}, { extraBody: { stream: false } }]) {
        const { gateway } = await over.connections.ready();
        const family = over.app.models.models.current.list.find(({ id }) => id === model)!.family;
        if (family === "generate-content" && "extraBody" in options) continue;
        let cost: Price | undefined;
        const charged = await spentOn(async () => {
          const parts = [{ type: "text", text: "write 2 paragraphs" }] as const;
          const request = { family, model, messages: [{ role: "user", parts }], tools: [], options } as const;
          for await (const event of gateway.streamChat(request)) if (event.type === "usage") cost = event.cost;
        });
        assert.equal(cost?.source, "gateway", model);
        isNear(cost.amount, inDollars(charged));
      }
    }
  });

  it("T18: the counts of chats with the local gateway are compared, and nothing is out of bounds", async () => {
    over = await openAppOverGateway({});
    const verdicts: BillVerdict[] = [];
    const gateway = createHttpGateway({
      ...plainEndpoint,
      baseUrl: over.gateway.url,
      key: over.gateway.key,
      bill: (verdict) => verdicts.push(verdict),
    });
    try {
      for (const model of ["demo-chat", "demo-messages", "demo-generate"]) {
        const { family } = over.app.models.models.current.list.find(({ id }) => id === model)!;
        const system = { role: "system", text: "You work in the developer's workspace. ".repeat(600) } as const;
        const messages: Message[] = [system];
        for (const prompt of ["write a paragraph", "another one", "and one more", "and the last one"]) {
          messages.push({ role: "user", parts: [{ type: "text", text: prompt }] });
          let text = "";
          for await (const event of gateway.streamChat({ family, model, messages, tools: [] }))
            if (event.type === "text-delta") text += event.text;
          messages.push({ role: "assistant", family, model, parts: [{ type: "text", text }] });
        }
      }
    } finally {
      await gateway.close();
    }
    assert.deepEqual(
      verdicts.filter(({ isOut }) => isOut),
      [],
    );
    const counted = (check: string): number => verdicts.filter((one) => one.check === check).length;
    assert.ok(counted("input") >= 9, `${counted("input")} were measured`);
    assert.equal(counted("cache"), 3, "one family marks its beginnings");
  });

  it("T18: without a dialect nothing is stated, and nothing is asked", async () => {
    over = await openAppOverGateway({});
    await over.app.session.current.submit("hello");
    const { gateway } = await over.connections.ready();
    assert.equal(chatOf().costs, undefined);
    assert.deepEqual([gateway.amounts.name, gateway.amounts.hasBalance], [undefined, false]);
    assert.equal(await gateway.readBalance(undefined), undefined);
  });
});

/** Two turns: a place that states nothing gives way to the next one. */
async function balanceOf(
  read: (own: undefined) => Promise<StatedBalance | undefined>,
): Promise<StatedBalance | undefined> {
  const first = await read(undefined);
  return (first?.left.length ?? 0) > 0 ? first : read(undefined);
}

describe("a balance that is none", () => {
  const harness = createHarness();
  const own = { path: "/balance?of=me", field: "left", currency: "USD" };

  const serveBalance = (answer: (response: ServerResponse) => void) =>
    harness.start((response, { url }) => {
      if (url.startsWith("/balance")) answer(response);
      else json(response, 200, { data: [] });
    });

  const odd: Readonly<Record<string, (response: ServerResponse) => void>> = {
    "1e309": (response) => response.end('{"left":1e309}'),
    "-1": (response) => json(response, 200, { left: -1 }),
    NaN: (response) => json(response, 200, { left: "NaN" }),
    "Unicode digits": (response) => json(response, 200, { left: "１２" }),
    "another field": (response) => json(response, 200, { right: 1 }),
    "a list": (response) => json(response, 200, [{ left: 1 }]),
    "an empty body": (response) => response.end(),
    HTML: (response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>left: 5</html>"),
    "an error": (response) => json(response, 500, { left: 5 }),
    "an error of the request": (response) => json(response, 404, { left: 5 }),
    "a cut body": (response) => {
      response.writeHead(200, { "content-length": 100 }).write('{"left":1');
      setImmediate(() => response.destroy());
    },
  };
  for (const [name, answer] of Object.entries(odd)) {
    it(`T18: ${name} is not known`, async () => {
      const server = await serveBalance(answer);
      const gateway = harness.connect(server.url);
      assert.deepEqual(await gateway.readBalance(own), { left: [] });
      assert.equal(server.received.length, 1, "it is asked once");
    });
  }

  it("T18, C2: a redirect is not followed: the key goes nowhere else", async () => {
    const other = await harness.start((response) => json(response, 200, { left: 5 }));
    const server = await serveBalance((response) =>
      response.writeHead(302, { location: `${other.url}/balance` }).end(),
    );
    assert.deepEqual(await harness.connect(server.url).readBalance(own), { left: [] });
    assert.equal(other.received.length, 0);
  });

  it("T18, C2: a path that leads to another host is not asked", async () => {
    const server = await serveBalance((response) => json(response, 200, { left: 5 }));
    const gateway = harness.connect(server.url);
    for (const path of ["//evil.example/balance", "/\\evil.example/balance", "https://evil.example/balance"])
      assert.deepEqual(await gateway.readBalance({ ...own, path }), { left: [] }, path);
    assert.equal(server.received.length, 0);
  });

  it("T18: one that hangs ends by the limit of reads, and 10 MB are not read through", async () => {
    const clock = createMovedClock();
    const hanging = await serveBalance(() => undefined);
    assert.deepEqual(await harness.connect(hanging.url, { limits: { read: 50 }, clock }).readBalance(own), {
      left: [],
    });
    let sent = 0;
    const large = await serveBalance((response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const piece = Buffer.alloc(64 * 1024, " ");
      const send = (): void => {
        while (sent < 10_000_000 && !response.destroyed) {
          sent += piece.length;
          if (!response.write(piece)) return void response.once("drain", send);
        }
        if (!response.destroyed) response.end('{"left":1}');
      };
      response.on("error", () => undefined);
      send();
    });
    assert.deepEqual(await harness.connect(large.url).readBalance(own), { left: [] });
    assert.ok(sent < 10_000_000, String(sent));
  });

  it("T18: where the person says that it stands it is read, with its currency", async () => {
    const server = await serveBalance((response) => json(response, 200, { left: "12.5" }));
    const gateway = harness.connect(`${server.url}/v1`);
    const credits = { ...own, currency: "credits" };
    assert.deepEqual(await gateway.readBalance(credits), {
      left: [{ amount: 12.5, currency: "credits", source: "gateway" }],
    });
    assert.deepEqual(
      server.received.map(({ method, url }) => [method, url]),
      [["GET", "/balance?of=me"]],
    );
  });
});

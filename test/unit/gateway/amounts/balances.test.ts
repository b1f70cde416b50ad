/** The balance of the gateway in use: at most one GET a minute over all windows, and only where something has shown that it is stated. */
import assert from "node:assert/strict";
import { Balances } from "../../../../src/gateway/balances";
import { openBalanceBudget } from "../../../../src/gateway/balanceBudget";
import type { Gateway } from "../../../../src/domain/ports";
import type { Price } from "../../../../src/domain/prices/priceList";
import { connectTo, home, keptLog, makeGateway } from "../../../support/builders";
import { createMovedClock, type MovedClock } from "../../../support/movedClock";
import { settingsWith } from "../../../support/plainOptions";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";

const left = (amount: number): Price => ({ amount, currency: "USD", source: "gateway" });

describe("the balance of the gateway in use", () => {
  let folder: TemporaryFolder;
  let clock: MovedClock;
  let opened: Balances[];
  /** When the gateway was asked, in seconds since the beginning. */
  let asked: number[];
  let begun: number;
  let amounts: readonly Price[];
  /** What the gateway states as spent so far. */
  let total: number | undefined;
  /** Reads of the windows that are under way: they take no time of the moved clock. */
  let sharing: number;
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    clock = createMovedClock();
    begun = clock.now();
    [opened, asked, amounts, sharing] = [[], [], [left(5)], 0];
    total = undefined;
  });
  afterEach(async () => {
    for (const one of opened) one.dispose();
    await settle();
    await folder.remove();
  });

  const gatewayWith = (more: Partial<Gateway> = {}): Gateway =>
    makeGateway({
      amounts: { name: "X", hasBalance: true, listOf: () => undefined },
      readBalance: () => {
        asked.push(Math.round((clock.now() - begun) / 1000));
        const spent = total === undefined ? {} : { spent: { ...left(total), path: "/credits" } };
        return Promise.resolve({ left: amounts, ...spent });
      },
      ...more,
    });
  const window = (gateway = gatewayWith(), prices: readonly unknown[] = []) => {
    const connections = connectTo(gateway);
    const balances = new Balances({
      connections,
      clock,
      settings: settingsWith(() => ({ prices })),
      log: keptLog(),
      openBudget: async () => {
        sharing += 1;
        const budget = await openBalanceBudget(folder.path).finally(() => (sharing -= 1));
        return {
          share: async (...args) => {
            sharing += 1;
            return await budget.share(...args).finally(() => (sharing -= 1));
          },
        };
      },
    });
    opened.push(balances);
    return { balances, connections };
  };
  const settle = async (): Promise<void> => {
    for (let calm = 0; calm < 20; calm = sharing === 0 ? calm + 1 : 0)
      await new Promise((resolve) => setImmediate(resolve));
  };
  const pass = async (seconds: number): Promise<void> => {
    for (let at = 0; at < seconds; at += 5) {
      await clock.advance(5000);
      await settle();
    }
  };

  it("T18: ten minutes of answers in two windows asks at most once a minute, and both show the same", async () => {
    const windows = [window(), window()];
    for (let second = 0; second < 600; second += 20) {
      for (const { balances } of windows) balances.refresh();
      await settle();
      await pass(20);
    }
    assert.ok(asked.length >= 8 && asked.length <= 11, `${asked.length} in ten minutes`);
    for (const [index, at] of asked.entries()) {
      const within = asked.slice(index + 1).filter((other) => other - at < 59);
      assert.deepEqual(within, [], `after ${at} s`);
    }
    for (const { balances } of windows) assert.deepEqual(balances.current.current, [left(5)]);
  });

  it("T18: what happens within the minute is asked for once, at its end; nothing is asked after that by itself", async () => {
    const { balances } = window();
    balances.refresh();
    await settle();
    await settle();
    await pass(10);
    amounts = [left(4)];
    for (let answers = 0; answers < 5; answers += 1) balances.refresh();
    await settle();
    await pass(45);
    assert.deepEqual([asked.length, balances.current.current], [1, [left(5)]]);
    await pass(15);
    await settle();
    await settle();
    assert.deepEqual(balances.current.current, [left(4)]);
    await pass(600);
    assert.equal(asked.length, 2, "no timer asks");
  });

  it("T18: nothing is asked of a gateway that has shown nothing, or of the local one, but of one that the person names", async () => {
    const silent = { amounts: { name: undefined, hasBalance: false, listOf: () => undefined } };
    window(gatewayWith(silent)).balances.refresh();
    const local = window();
    const connection = local.connections.current.current;
    assert.ok(connection.state === "ready");
    local.connections.current.set({ ...connection, local: true });
    local.balances.refresh();
    const other = { balance: { gateway: "https://other.example", path: "/me", field: "left" } };
    window(gatewayWith(silent), [other]).balances.refresh();
    await settle();
    assert.deepEqual(asked, []);
    const own = { balance: { gateway: `${home.origin}/v1`, path: "/me", field: "left" } };
    const { balances } = window(gatewayWith(silent), [own]);
    balances.refresh();
    await settle();
    assert.deepEqual([asked.length, balances.current.current], [1, [left(5)]]);
  });

  it("T18: what is spent is counted from the first total on, in all windows and after a restart, and anew once a total is lower", async () => {
    total = 7;
    const { balances } = window();
    const since = clock.now();
    const read = async (one = balances) => {
      await pass(60);
      one.refresh();
      await settle();
      return one.spent;
    };
    balances.refresh();
    await settle();
    assert.deepEqual(balances.spent, { home, since, amount: 0, currency: "USD" });
    total = 9.5;
    assert.equal((await read())?.amount, 2.5);
    const again = window().balances;
    total = 10;
    assert.deepEqual(await read(again), { home, since, amount: 3, currency: "USD" });
    total = undefined;
    assert.equal((await read())?.amount, 3, "a read that states no total changes nothing");
    total = 1;
    const { amount, since: anew } = (await read())!;
    assert.ok(amount === 0 && anew > since, "the gateway has begun to count anew");
  });

  it("T18: the total of a replaced key is not compared with that of the next key of the same account", async () => {
    total = 7;
    const { balances, connections } = window();
    balances.refresh();
    await settle();
    await pass(60);
    const { current } = connections.current;
    assert.ok(current.state === "ready");
    connections.current.set({ ...current, keyId: "k2" });
    total = 50;
    const since = clock.now();
    balances.refresh();
    await settle();
    assert.deepEqual(balances.spent, { home, since, amount: 0, currency: "USD" });
  });

  it("T18: the balance of another gateway is read at once, also while that of the last one waits for its minute", async () => {
    const { balances, connections } = window();
    balances.refresh();
    await settle();
    await pass(10);
    balances.refresh();
    await settle();
    const gateway = gatewayWith({ readBalance: () => Promise.resolve({ left: [left(1)] }) });
    const other = { ...home, origin: "https://other.example", baseUrl: "https://other.example/v1" };
    connections.current.set({ state: "ready", home: other, keyId: "k2", gateway, local: false });
    balances.refresh();
    await settle();
    assert.deepEqual(balances.current.current, [left(1)]);
    await pass(120);
    assert.equal(asked.length, 1, "the last gateway is left alone");
  });

  it("T18: what is not known is nothing, and another gateway's is not shown", async () => {
    const { balances, connections } = window();
    balances.refresh();
    await settle();
    connections.current.set({ state: "starting" });
    assert.deepEqual(balances.current.current, []);
    const failing = window(gatewayWith({ readBalance: () => Promise.reject(new Error("closed")) }));
    await pass(60);
    failing.balances.refresh();
    await settle();
    assert.deepEqual(failing.balances.current.current, []);
  });
});

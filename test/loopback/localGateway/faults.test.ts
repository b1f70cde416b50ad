/** L5: every fault switch, on the wire: armed, seen in the bytes, and gone again. */
import assert from "node:assert/strict";
import { definedFields } from "../../../src/base/definedFields";
import { faultTable } from "../../faults/faultTable";
import { createMovedClock, type MovedClock } from "../../support/movedClock";
import { callCases } from "./faultCases/calls";
import { chunkCases } from "./faultCases/chunks";
import { endingCases } from "./faultCases/endings";
import { framingCases } from "./faultCases/framing";
import { assetCases } from "./faultCases/assets";
import { wholeCases } from "./faultCases/gateway";
import { taskReadCases } from "./faultCases/taskReads";
import { taskWriteCases } from "./faultCases/taskWrites";
import { streamAnswer, type StreamCase, type Streamed } from "./faultCases/streaming";
import { errorCode, type GatewayUnderTest, startForTest } from "./support";

const streamCases = { ...framingCases, ...chunkCases, ...callCases, ...endingCases };
const gatewayCases = { ...wholeCases, ...taskWriteCases, ...taskReadCases, ...assetCases };
const shown = (value: unknown): string => (value === undefined ? "" : `=${JSON.stringify(value)}`);

describe("local gateway: faults", () => {
  it("L5: no switch in the table is without a case, and no case without a switch", () => {
    const names = faultTable.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length, "no name twice");
    assert.deepEqual([...Object.keys(streamCases), ...Object.keys(gatewayCases)].sort(), [...names].sort());
    for (const [name, list] of Object.entries({ ...streamCases, ...gatewayCases })) assert.ok(list.length > 0, name);
  });

  describe("of streams", () => {
    let test: GatewayUnderTest;
    before(async () => {
      test = await startForTest({ deposit: 10_000_000 });
    });
    after(() => test.end());

    const plainAnswers = new Map<string, Promise<Streamed>>();
    /** Without a fault, asked once for each prompt: it is the same each time. */
    const plainAnswer = (one: StreamCase): Promise<Streamed> => {
      const key = `${one.family ?? ""} ${one.prompt ?? ""}`;
      const answer = plainAnswers.get(key) ?? streamAnswer(test.gateway, one);
      plainAnswers.set(key, answer);
      return answer;
    };

    for (const [name, cases] of Object.entries(streamCases)) {
      for (const one of cases) {
        it(`L5: ${name}${shown(one.value)} ${one.family ?? ""}`.trimEnd(), async () => {
          const plain = await plainAnswer(one);
          assert.deepEqual([plain.status, plain.whole], [200, true], plain.text);
          test.gateway.faults.arm({ name, times: 1, ...definedFields({ value: one.value }) });
          one.shows(await streamAnswer(test.gateway, one), plain);
          assert.deepEqual(test.gateway.faults.armed, [], "used up");
          assert.equal((await streamAnswer(test.gateway, one)).packets.length, plain.packets.length, "plain again");
          const header = one.value === undefined ? name : `${name}=${JSON.stringify(one.value)}`;
          one.shows(await streamAnswer(test.gateway, one, { "x-gateway-fault": header }), plain);
          assert.deepEqual(test.gateway.requests.at(-1)!.faults, [name]);
        });
      }
    }
  });

  describe("of answers, tasks and the gateway", () => {
    let test: GatewayUnderTest;
    let clock: MovedClock;
    beforeEach(async () => {
      clock = createMovedClock();
      test = await startForTest({ clock });
    });
    afterEach(() => test.end());

    for (const [name, cases] of Object.entries(gatewayCases)) {
      for (const one of cases) {
        it(`L5: ${name}${shown(one.value)}`, async () => {
          const given = (await one.before?.(test, clock)) ?? "";
          test.gateway.faults.arm({
            name,
            times: one.times ?? 1,
            ...definedFields({ value: one.value }),
          });
          await one.shows(test, given, clock);
        });
      }
    }

    it("L5: nth begins with the nth request, times ends it, a route keeps it to one", async () => {
      test.gateway.faults.arm({ name: "http.empty-200", nth: 3, times: 2, route: "GET /v1/models" });
      const seen: boolean[] = [];
      for (let index = 0; index < 6; index += 1) {
        await test.ask("GET", "/v1/tasks/none");
        seen.push((await test.ask("GET", "/v1/models")).text === "");
      }
      assert.deepEqual(seen, [false, false, true, true, false, false]);
    });

    it("L5: chance strikes the same requests for the same seed, others for another, and about as often as it says", async () => {
      const struck = async (seed: number): Promise<string> => {
        test.gateway.faults.clear();
        test.gateway.faults.arm({ name: "http.empty-200", chance: 0.3, seed });
        let hits = "";
        for (let index = 0; index < 60; index += 1)
          hits += (await test.ask("GET", "/v1/models")).text === "" ? "x" : ".";
        return hits;
      };
      const [first, again, other] = [await struck(1), await struck(1), await struck(2)];
      assert.equal(first, again);
      assert.notEqual(first, other);
      const count = first.split("x").length - 1;
      assert.ok(count > 8 && count < 30, first);
    });

    it("L5: X-Gateway-Fault counts with the key only, for one request only, and a wrong one is refused", async () => {
      const ask = (fault: string, authorization?: string) =>
        test.ask("GET", "/v1/models", undefined, {
          headers: { "x-gateway-fault": fault, ...definedFields({ authorization }) },
        });
      assert.equal((await ask("http.empty-200", "Bearer wrong")).status, 401);
      assert.equal((await ask("http.empty-200")).text, "");
      assert.notEqual((await test.ask("GET", "/v1/models")).text, "");
      assert.equal((await ask('http.status={"status":503}')).status, 503);
      for (const wrong of ["nothing", "http.status", "http.status=x", "end.cut=-1"]) {
        const refused = await ask(wrong);
        assert.deepEqual([refused.status, errorCode(refused)], [400, "invalid_request"], wrong);
      }
    });
  });
});

/** *Connect to a Gateway…* over real sockets: what its check finds is explained, and nothing is stored before it went well. */
import assert from "node:assert/strict";
import { request } from "node:http";
import { systemClock } from "../../../src/base/async/systemClock";
import { Store } from "../../../src/base/store";
import { readOrigin } from "../../../src/domain/gateway/address";
import { defaultNetworkSettings, type NetworkSettings } from "../../../src/domain/gateway/networkSettings";
import { type CheckVerdict, explainCheck, refusalOf } from "../../../src/domain/words/describeCheck";
import {
  type ConnectionCheckOptions,
  createAddressProbe,
  createConnectionCheck,
  defaultLimits,
} from "../../../src/gateway/checkConnection";
import type { EnvironmentVariables } from "../../../src/gateway/http/network/proxyChoice";
import { Connecting } from "../../../src/gateway/connecting";
import { openAppOverGateway } from "../../support/appOverGateway";
import { createHarness, json, key } from "./harness";
import { serveProxy, serveTls, testsOnlyCa } from "./proxyServer";
import { closedPort } from "./rawServer";
import { plainEndpoint } from "../../support/plainOptions";

const patient = { ...defaultLimits, connect: 20_000 };
/** For a server that never answers: with the others a busy machine may exceed it. */
const impatient = { ...patient, firstByte: 1000, read: 1000 };
let limits = patient;
const surroundingsNow = () => ({ isLocal: false, addressFrom: "as typed", limits });

interface Flow {
  readonly connecting: Connecting;
  /** The current gateway, empty while there is none. */
  readonly used: () => string;
  readonly stored: ReadonlyMap<string, string>;
  readonly try: (address: string, typedKey?: string) => Promise<CheckVerdict>;
}

function openFlow(settings: Partial<NetworkSettings> = {}, environment: EnvironmentVariables = {}): Flow {
  const stored = new Map<string, string>();
  let used = "";
  const options: ConnectionCheckOptions = {
    network: {
      settings: new Store({ ...defaultNetworkSettings, ...settings }),
      environment,
      remembered: { read: () => undefined, write: () => undefined, forget: () => undefined },
    },
    limits: () => limits,
    stylizedImageWord: "stylized_image",
    clock: systemClock,
    log: plainEndpoint.log,
  };
  const connecting = new Connecting({
    keys: { read: async (origin) => Promise.resolve(stored.get(origin)) },
    loadCheck: async () => Promise.resolve(createConnectionCheck(options)),
    loadProbe: async () => Promise.resolve(createAddressProbe(options)),
    storeKey: async (origin, typed) => {
      stored.set(origin, typed);
      return Promise.resolve(true);
    },
    setBaseUrl: async (url) => {
      used = url;
      return Promise.resolve();
    },
  });
  return {
    connecting,
    used: () => used,
    stored,
    async try(address, typedKey) {
      connecting.draft.address = address;
      if (typedKey !== undefined) connecting.draft.setKey(readOrigin(address), typedKey);
      const report = await connecting.check(() => undefined, new AbortController().signal);
      return explainCheck(report, surroundingsNow());
    },
  };
}

describe("connecting to a gateway", () => {
  const { start } = createHarness();
  beforeEach(() => {
    limits = patient;
  });

  it("C3, C4: through a proxy that wants a login to a gateway of a private CA: each obstacle is explained, then it works and is paid nothing", async () => {
    const over = await openAppOverGateway();
    const before = over.gateway.requests.length;
    const local = new URL(over.gateway.url);
    // The local gateway behind TLS, with a certificate of a CA that no machine trusts.
    const tls = await serveTls(({ method, url, headers }, response) => {
      const passed = request(
        { host: local.hostname, port: local.port, method, path: url, headers: { ...headers, host: local.host } },
        (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(response);
        },
      );
      passed.end();
    });
    const closed = await serveProxy({ login: "jane:hunter2" });
    const address = `https://gateway.test:${tls.port}/v1`;
    const at = `127.0.0.1:${closed.port}`;

    const unnamed = openFlow({ proxy: `http://${at}` });
    const refused = await unnamed.try(address, over.gateway.key);
    assert.equal(refused.title, `The proxy ${at} asks for a user name and a password (status 407).`);
    assert.match(refused.advice, /http\.proxy as http:\/\/user:password@127/);
    assert.equal(refused.actions[0], "try-again");

    const named = { proxy: `http://jane:hunter2@${at}` };
    const untrusted = openFlow(named);
    const unknown = await untrusted.try(address, over.gateway.key);
    assert.match(unknown.title, /^TLS with gateway\.test:\d+ failed: “The certificate is not trusted/);
    assert.match(unknown.advice, /nor among this machine's; NODE_EXTRA_CA_CERTS is not set\..*The key was not sent/);
    const off = await openFlow({ ...named, systemCertificates: false }).try(address, over.gateway.key);
    assert.match(off.advice, /this machine's are switched off \(setting http\.systemCertificates\)/);
    // Neither stored a thing, and the key stayed here.
    for (const flow of [unnamed, untrusted]) assert.deepEqual([flow.used(), flow.stored.size], ["", 0]);
    assert.equal(over.gateway.requests.length, before);

    const flow = openFlow(named, { NODE_EXTRA_CA_CERTS: testsOnlyCa() });
    const verdict = await flow.try(address, over.gateway.key);
    assert.deepEqual([verdict.state, verdict.title], ["works", "Everything works."]);
    assert.deepEqual([flow.used(), flow.stored.size], ["", 0]);
    assert.equal(await flow.connecting.use(), true);
    assert.deepEqual([flow.used(), [...flow.stored]], [address, [[new URL(address).origin, over.gateway.key]]]);
    assert.equal(over.gateway.openHolds, 0);
    // The login went to the proxy, the key through the tunnel only.
    assert.ok(closed.asked.every(({ headers }) => headers.authorization === undefined));
    assert.ok(!closed.relayed.some((piece) => piece.includes(over.gateway.key)));
    await Promise.all([closed.close(), tls.close(), over.close()]);
  });

  it("C3: what a wrong address, key or server answers is explained by what the check found, and the first action is the one that helps", async () => {
    const status = async (code: number, body: unknown = { error: { message: "no" } }): Promise<string> =>
      (await start((response) => json(response, code, body))).url;
    const page = await start((response) => response.writeHead(200, { "content-type": "text/html" }).end("<h1>Hi</h1>"));
    const gone = await start((response) => response.writeHead(404, { "content-type": "text/plain" }).end("no"));
    const unlisted = await start((response) => json(response, 404, { error: "unknown" }));
    const silent = await start(() => undefined);
    const cases: readonly [string, string | undefined, RegExp, RegExp, string][] = [
      [
        await closedPort(),
        key,
        /^Nothing listens at 127\.0\.0\.1:\d+ \(ECONNREFUSED\)\.$/,
        /port right/,
        "change-address",
      ],
      [
        "https://gateway.invalid/v1",
        key,
        /^No server with the name gateway\.invalid was found/,
        /VPN/,
        "change-address",
      ],
      [await status(401), key, /did not accept the API key/, /Copy the whole key/, "change-key"],
      [await status(403), key, /does not allow this: “no”/, /lack a right/, "change-key"],
      [
        page.url,
        key,
        /^A web page answered, not a gateway \(status 200\)/,
        /Sluice asked http.*\/v1\/models/,
        "change-address",
      ],
      [gone.url, key, /^There is no gateway at this address \(status 404\)/, /before \/v1/, "change-address"],
      [`${gone.url}/api`, key, /^There is no gateway/, /\/api\/v1\/models/, "change-address"],
      [await status(200, { data: [] }), "", /^The server is reached, but no key is set/, /console/, "change-key"],
      [silent.url, key, /^The connection was made, but no answer came in 1 s/, /try again/, "try-again"],
    ];
    for (const [address, typed, title, advice, action] of cases) {
      const flow = openFlow();
      limits = address === silent.url ? impatient : patient;
      const verdict = await flow.try(address, typed === "" ? undefined : typed);
      assert.equal(verdict.state, "fails", address);
      assert.match(verdict.title, title);
      assert.match(verdict.advice, advice);
      assert.equal(verdict.actions[0], action, verdict.title);
      assert.ok(verdict.actions.includes("use-anyway") && verdict.actions.includes("show-report"));
      assert.doesNotMatch(`${verdict.title}${verdict.advice}`, /canary/);
      assert.deepEqual([flow.used(), flow.stored.size], ["", 0]);
    }
    const doubtful = await openFlow().try(unlisted.url, key);
    assert.deepEqual([doubtful.state, doubtful.actions[0]], ["doubtful", "change-address"]);
  });

  it("C1, C2 (newuser M16): an address is asked without a key, also where one is kept: it answers, a web page does, or nothing, or there is none", async () => {
    const guarded = await start((response) => json(response, 401, { error: "no" }));
    const open = await start((response) => json(response, 200, { data: [] }));
    const page = await start((response) => response.setHeader("content-type", "text/html").end("<!doctype html>"));
    const silent = await start(() => undefined);
    const closed = await closedPort();
    const flow = openFlow();
    (flow.stored as Map<string, string>).set(new URL(open.url).origin, key);
    const signal = new AbortController().signal;
    for (const [address, answer] of [
      [guarded.url, "answers"],
      [open.url, "answers"],
      [page.url, "page"],
      [silent.url, "silent"],
      [closed, "not-listening"],
      // The names below it are known to no resolver.
      ["https://gateway.invalid/v1", "unknown-host"],
    ] as const) {
      // Whichever limit ends it, that of the connection or of the answer: both are silence.
      limits = address === silent.url ? { ...impatient, connect: 200 } : patient;
      assert.equal(await flow.connecting.probe(address, signal), answer, address);
    }
    for (const { received } of [guarded, open, page]) {
      assert.deepEqual(
        received.map(({ url, headers }) => [url, headers.authorization]),
        [["/v1/models", undefined]],
      );
    }
    await assert.rejects(flow.connecting.probe(silent.url, AbortSignal.timeout(50)));
    assert.deepEqual([flow.used(), flow.stored.size], ["", 1]);
  });

  it("C2 (finding N18): a key that is refused has its reason, and one that could not be checked has none", async () => {
    const refusing = await start((response) => json(response, 401, { error: "no" }));
    const page = await start((response) => response.setHeader("content-type", "text/html").end("<!doctype html>"));
    const flow = openFlow();
    const refusal = async (address: string, typed?: string): Promise<string | undefined> => {
      flow.connecting.draft.address = address;
      if (typed !== undefined) flow.connecting.draft.setKey(readOrigin(address), typed);
      return refusalOf(await flow.connecting.check(() => undefined, new AbortController().signal), surroundingsNow());
    };
    assert.match((await refusal(refusing.url)) ?? "", /no key is set/);
    assert.match((await refusal(refusing.url, "sk-wrong")) ?? "", /did not accept the API key.*Copy the whole key/);
    assert.equal(await refusal(page.url, "sk-any"), undefined);
    assert.equal(await refusal(await closedPort(), "sk-any"), undefined);
    assert.equal(flow.stored.size, 0);
  });

  it("C2: a key that was typed for one origin is sent to no other, and a kept one may stay", async () => {
    const first = await start((response) => json(response, 401, { error: "no" }));
    const second = await start((response) => json(response, 401, { error: "no" }));
    const flow = openFlow();
    await flow.try(first.url, key);
    assert.equal(await flow.connecting.keySource(), "typed");
    const other = await flow.try(second.url);
    assert.match(other.title, /no key is set/);
    assert.equal(second.received.length, 0);
    assert.equal(await flow.connecting.use(), true);
    assert.deepEqual([flow.used(), flow.stored.size], [second.url, 0]);
    // Back at the first one, what was typed for it is gone with the use of another.
    const kept = openFlow();
    (kept.stored as Map<string, string>).set(new URL(first.url).origin, key);
    await kept.try(first.url);
    assert.equal(await kept.connecting.keySource(), "kept");
    assert.equal(first.received.at(-1)?.headers.authorization, `Bearer ${key}`);
  });
});

/** C3: what Check Connection finds, over real sockets: it names what works and what does not, costs nothing, and never holds a key. */
import assert from "node:assert/strict";
import { systemClock } from "../../../src/base/async/systemClock";
import { Store } from "../../../src/base/store";
import { type CheckReport, checkNames, emptyReport } from "../../../src/domain/gateway/connectionCheck";
import { describeCheck, describeResult } from "../../../src/domain/words/describeCheck";
import { defaultNetworkSettings, type NetworkSettings } from "../../../src/domain/gateway/networkSettings";
import { createConnectionCheck, defaultLimits } from "../../../src/gateway/checkConnection";
import type { EnvironmentVariables } from "../../../src/gateway/http/network/proxyChoice";
import { writeReport } from "../../../src/gateway/host/connect/writeReport";
import { keptLog } from "../../support/builders";
import { openAppOverGateway } from "../../support/appOverGateway";
import { createHarness, json, key } from "./harness";
import { serveProxy, serveTls } from "./proxyServer";
import { closedPort } from "./rawServer";

const limits = { ...defaultLimits, connect: 20_000 };
const checkContext = { isLocal: false, addressFrom: "from a test", limits };

interface Options {
  readonly settings?: Partial<NetworkSettings>;
  readonly environment?: EnvironmentVariables;
  readonly remembered?: number;
  readonly key?: string;
  readonly signal?: AbortSignal;
}

describe("Check Connection", () => {
  const { start } = createHarness();
  const log = keptLog();
  const reports: CheckReport[] = [];
  beforeEach(() => void reports.splice(0));

  const check = (baseUrl: string, options: Options = {}): Promise<CheckReport> => {
    const { settings = {}, environment = {}, remembered, signal = new AbortController().signal } = options;
    const run = createConnectionCheck({
      network: {
        settings: new Store({ ...defaultNetworkSettings, ...settings }),
        environment,
        remembered: { read: () => remembered, write: () => undefined, forget: () => undefined },
      },
      limits: () => limits,
      stylizedImageWord: "stylized_image",
      clock: systemClock,
      log,
    });
    return run(
      { baseUrl, key: "key" in options ? (options.key ?? "") : key },
      (report) => reports.push(report),
      signal,
    );
  };
  const states = (report: CheckReport): string => checkNames.map((name) => `${name} ${report[name].state}`).join(", ");
  const textOf = (report: CheckReport): string => writeReport(report, checkContext, String).text;
  const line = (report: CheckReport, name: string) =>
    describeCheck(report, checkContext).find((one) => one.name === name);

  it("C3 (strangers C1): a gateway that answers 400 to everything proves no key", async () => {
    for (const message of ["Either x-portkey-config or x-portkey-provider header is required", "Bad Request"]) {
      const server = await start((response) => json(response, 400, { status: "failure", message }));
      const report = await check(server.url);
      assert.notEqual(report.key.state, "passed", message);
      assert.doesNotMatch(textOf(report), /a task that does not exist was not found|Tasks and chat work/);
    }
    const server = await start((response, { url }) =>
      /models/.test(url) ? json(response, 404, {}) : json(response, 400, { error: { message: "Task not found" } }),
    );
    assert.equal((await check(server.url)).key.state, "passed");
  });

  it("C3: against the local gateway everything works, nothing is paid and nothing is created", async () => {
    const over = await openAppOverGateway();
    const before = over.gateway.balance;
    const seen = over.gateway.requests.length;
    const report = await check(`${over.gateway.url}/v1`, { key: over.gateway.key });
    const made = over.gateway.requests.slice(seen).map(({ method, path, status }) => `${method} ${path} ${status}`);
    assert.deepEqual(made, ["GET /v1/models 200", "GET /v1/tasks/sluice-connection-check 404"]);
    assert.deepEqual([over.gateway.balance, over.gateway.openHolds], [before, 0]);
    assert.deepEqual(over.gateway.clientReport.findings, []);
    await over.close();
    assert.equal(
      states(report),
      "address passed, proxy passed, connect passed, tls skipped, answer passed, key passed, models passed",
    );
    assert.equal(describeResult(report), "Everything works.");
    assert.match(textOf(report), /✓ Connection: connected to 127\.0\.0\.1 in \d+ ms/);
    assert.match(textOf(report), /– TLS: none, the address is http:/);
    assert.match(textOf(report), /✓ API key: accepted: the list of models came, and a task that does not exist/);
    assert.match(textOf(report), /Clock: the same as the gateway's\./);
    assert.ok(!textOf(report).includes(over.gateway.key));
    // It fills in step by step.
    assert.ok(reports.length > 10 && reports.some(({ connect }) => connect.state === "running"));
  });

  it("C3, C2: a refused key is told from a gateway that is not there, with the command that helps", async () => {
    const server = await start((response) => json(response, 401, { error: { message: `no ${key}` } }));
    const refused = await check(server.url);
    assert.equal(describeResult(refused), "The gateway is reached, but the key is not accepted.");
    assert.equal(line(refused, "API key")?.action?.id, "set-key");
    assert.doesNotMatch(textOf(refused), /canary/);

    const gone = await check(await closedPort());
    assert.equal(
      states(gone),
      "address passed, proxy passed, connect failed, tls skipped, answer failed, key skipped, models skipped",
    );
    assert.match(line(gone, "Connection")?.text ?? "", /ECONNREFUSED/);
    assert.ok(line(gone, "Connection")?.advice);
    assert.doesNotMatch(line(gone, "First answer")?.advice ?? "", /connection stands/);
  });

  it("C3: models that anybody may list are no proof of the key; without a list the read of a task is one", async () => {
    const open = await start((response, { url }) =>
      url === "/v1/models" ? json(response, 200, { data: [{ id: "m" }] }) : json(response, 401, { error: "no" }),
    );
    assert.equal((await check(open.url)).key.state, "failed");
    const unlisted = await start((response) => json(response, 404, { error: "not found" }));
    const report = await check(unlisted.url);
    assert.deepEqual(
      [report.key.state, line(report, "Models")?.text],
      ["passed", "the gateway has no list; an id can always be typed in"],
    );
    const other = await start((response) =>
      response.writeHead(404, { "content-type": "text/html" }).end("<h1>no</h1>"),
    );
    const foreign = await check(other.url);
    assert.equal(foreign.key.state, "failed");
    assert.match(line(foreign, "API key")?.advice ?? "", /may be that of the console/);
  });

  it("C3: without a key the connection is checked and nothing is asked", async () => {
    const server = await start((response) => json(response, 200, { data: [] }));
    const report = await check(server.url, { key: "" });
    assert.deepEqual([report.connect.state, report.key.state, server.received.length], ["passed", "failed", 0]);
    assert.equal(line(report, "API key")?.action?.id, "set-key");
  });

  it("C3, C4: TLS says its version and who vouches for it; a certificate that is not trusted ends before any request", async () => {
    const server = await serveTls((_request, response) => json(response, 200, { data: [] }));
    const untrusted = await check(`https://localhost:${server.port}`);
    assert.equal(untrusted.tls.state, "failed");
    assert.match(line(untrusted, "TLS")?.advice ?? "", /NODE_EXTRA_CA_CERTS/);
    const environment = { NODE_EXTRA_CA_CERTS: "test/fixtures/tls/testsOnlyCa.pem" };
    const report = await check(`https://localhost:${server.port}`, { environment });
    await server.close();
    assert.match(
      line(report, "TLS")?.text ?? "",
      /^TLSv1\.3 in \d+ ms, certificate by “.+”, valid until .+, trusted by the file of NODE_EXTRA_CA_CERTS$/,
    );
  });

  it("C3, C4: the proxy is named with its source, without user name and password", async () => {
    const proxy = await serveProxy();
    const address = `http://jane:hunter2@127.0.0.1:${proxy.port}`;
    const report = await check("https://gateway.invalid/v1", { environment: { HTTPS_PROXY: address } });
    await proxy.close();
    assert.match(line(report, "Proxy")?.text ?? "", /^127\.0\.0\.1:\d+, from HTTPS_PROXY$/);
    assert.doesNotMatch(`${textOf(report)}${JSON.stringify(report)}${log.lines.join()}`, /hunter2|jane/);
    const excepted = await check("https://gateway.invalid/v1", {
      environment: { HTTPS_PROXY: address, NO_PROXY: ".invalid" },
    });
    assert.match(line(excepted, "Proxy")?.text ?? "", /excepted from HTTPS_PROXY/);
  });

  it("C3, C1: an address that no request may go to is told without what may be a password in it", async () => {
    for (const address of ["https://jane:hunter2@gateway.example", "//jane:hunter2@gateway", "jane:hunter2@gateway"]) {
      const report = await check(address);
      assert.equal(report.address.state, "failed");
      assert.equal(line(report, "Address")?.action?.id, "choose-gateway");
      assert.doesNotMatch(textOf(report), /hunter2/, address);
    }
  });

  it("C3: tells a clock that is off and the fallback that is remembered", async () => {
    const server = await start((response) =>
      json(response, 200, { data: [] }, { date: new Date(Date.now() - 3_600_000).toUTCString() }),
    );
    const report = await check(server.url, { remembered: 86_400_000 });
    assert.match(textOf(report), /this machine's is 3\d\d\d s ahead/);
    assert.match(textOf(report), /VS Code's own connection, which was found to reach the gateway on 86400000/);
  });

  it("C3: a check that is cancelled ends its requests", async () => {
    const stop = new AbortController();
    const server = await start(() => stop.abort());
    await assert.rejects(check(server.url, { signal: stop.signal }), { name: "AbortError" });
    assert.equal(server.received.length, 1);
  });

  it("C3: what was not looked at yet is empty, and says that nothing is paid", () => {
    assert.match(describeResult(emptyReport), /Nothing is paid/);
    assert.equal(writeReport(emptyReport, checkContext, String).buttons.length, 0);
  });
});

/** An answer that never ends, a blank at a time. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mayHaveMadeTask } from "../../../src/domain/task/submission";
import { AppFailure } from "../../../src/domain/errors/appError";
import { createHttpGateway } from "../../../src/gateway/httpGateway";
import { plainEndpoint } from "../../support/plainOptions";

it("C4, T1: an answer that trickles without end is timed out, and may have made a task", async () => {
  for (const status of [202, 400]) {
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(status, { "content-type": "application/json" });
      const trickle = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(trickle));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const gateway = createHttpGateway({
      ...plainEndpoint,
      baseUrl,
      key: "sk-test-key",
      limits: () => ({ whole: 200 }),
    });
    await assert.rejects(gateway.createTask("{}"), (failure: unknown) => {
      assert.ok(failure instanceof AppFailure);
      assert.equal(failure.error.kind, "timed-out");
      assert.ok(mayHaveMadeTask(failure.error));
      return true;
    });
    await gateway.close();
    server.closeAllConnections();
    server.close();
  }
});

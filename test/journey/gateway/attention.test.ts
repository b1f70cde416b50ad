/** What a window does when the person comes back to it. */
import assert from "node:assert/strict";
import { serve, type TestServer } from "../../loopback/gateway/rawServer";
import { openWindowOnGateway } from "../../support/fakeVscode/onGateway";
import { closeWindows } from "../../support/fakeVscode/openWindow";

describe("a window that gets the focus again", () => {
  let gateway: TestServer;
  let asked = 0;

  before(async () => {
    gateway = await serve((response, { url }) => {
      response.setHeader("content-type", "application/json");
      if (url.endsWith("/models")) asked += 1;
      response.writeHead(503).end('{"error":{"message":"Down for a moment."}}');
    });
  });
  after(async () => {
    await closeWindows();
    await gateway.close();
  });

  it("C5: asks again for the models that could not be listed, once for each time", async () => {
    const { window, inside } = await openWindowOnGateway({ baseUrl: `${gateway.url}/v1`, key: "sk-canary-journey" });
    const { models } = inside.app;
    for (let times = 0; times < 2; times += 1) {
      // The requests of one reading, with its retries, have ended.
      await window.until("the list has failed", () => models.models.current.error !== undefined);
      await models.loaded();
      const before = asked;
      window.setFocused(false);
      await models.loaded();
      assert.equal(asked, before);
      window.setFocused(true);
      await window.until("the models are asked for", () => asked > before);
    }
  });
});

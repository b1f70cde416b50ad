/** The first tasks at a gateway of another party: models that come late, the question about a type that was never used, and what its refusal leaves. */
import assert from "node:assert/strict";
import { serve, type TestServer } from "../../loopback/gateway/rawServer";
import { openWindowOnGateway } from "../../support/fakeVscode/onGateway";
import { closeWindows, type OpenedWindow } from "../../support/fakeVscode/openWindow";
import { modelStep, promptStep, tasksOf, typeStep } from "../../support/submitSteps";

const prompt = "a tide in one minute";

describe("availability", () => {
  let gateway: TestServer;
  let opened: OpenedWindow;
  let creates = 0;
  const models = Promise.withResolvers<undefined>();

  before("open a gateway that lists its models late and has no video", async () => {
    gateway = await serve((response, { url, method }) => {
      response.setHeader("content-type", "application/json");
      if (url.endsWith("/models")) {
        const data = [{ id: "late-model", capabilities: { task_types: ["video"] } }];
        void models.promise.then(() => response.end(JSON.stringify({ data })));
      } else if (method === "POST") {
        creates += 1;
        const error = { code: "task_type_not_enabled", message: "Video is not part of your plan." };
        response.writeHead(403).end(JSON.stringify({ error }));
      } else response.writeHead(404).end("{}");
    });
    opened = await openWindowOnGateway({ baseUrl: `${gateway.url}/v1`, key: "sk-canary-journey" });
  });
  after(async () => {
    await closeWindows();
    await gateway.close();
  });

  const descriptions = (): readonly (string | undefined)[] =>
    opened.person.pick.rows.map(({ description }) => description);

  it("T2, T3 (finding 39, newuser M11): the model step fills in while it is open; before the first paid submission it says that money is paid, without a question that nobody can answer", async () => {
    const { window, person, inside } = opened;
    const asking = person.palette("Sluice: Submit Selection as Task…");
    await person.step(typeStep);
    assert.deepEqual(descriptions(), ["not used yet", "not used yet", "not used yet"]);
    await person.press("Enter");
    await person.step(modelStep, "The gateway lists no model for this.");
    models.resolve(undefined);
    await person.step(modelStep, "late-model");
    await person.through(modelStep);
    await person.step(promptStep);
    await person.type(prompt);
    assert.match(
      person.pick.rows[0]?.label ?? "",
      /Submit with late-model, an amount is reserved, and charged when the task succeeds/,
    );
    await person.press("Enter");

    // That money is paid stands beside what submits; nothing is asked that nobody could answer.
    await window.until("the gateway has refused it", () => window.messages.shown.length > 0);
    window.messages.shown[0]?.answer();
    await asking.ended();
    assert.equal(creates, 1);
    assert.equal(tasksOf(inside, prompt).length, 1);

    const third = person.palette("Sluice: Submit Selection as Task…");
    await person.step(typeStep);
    assert.match(descriptions()[0] ?? "", /^not enabled: Video is not part of your plan · /);
    await person.pressItemButton("Video", "Mark as Enabled");
    assert.match(descriptions()[0] ?? "", /^enabled, set by hand/);
    await person.escape();
    await third.ended();
    assert.equal(creates, 1);
  });
});

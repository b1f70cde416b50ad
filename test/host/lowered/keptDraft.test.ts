/** What was typed in *New Task…* and could not be written is there again, in the steps of a real VS Code. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { Outbox } from "../../../src/tasks/submit/outbox";
import { KeptDraft } from "../../../src/tasks/host/draft/keptDraft";
import { emptyDraft } from "../../../src/tasks/host/draft/taskDraft";
import { submitDraft } from "../../../src/tasks/host/submit/submitDraft";
import type { SubmitPorts } from "../../../src/tasks/host/submit/submitPorts";
import { systemClock } from "../../../src/base/async/systemClock";
import { keptLog } from "../../support/builders";
import { eventually } from "../../support/eventually";
import { plainOutboxPorts } from "../../support/plainPorts";
import { openExtension } from "../../support/extensionApp";

it("T2, T10: a typed prompt that the cap refused stays kept until a task of it is on disk", async () => {
  const { app, connections } = await openExtension();
  await eventually("the local gateway", () => connections.current.current.state === "ready");
  const { board } = app;
  let tasksPerDay = 1;
  if (board.tasks.size === 0)
    await (await app.openOutbox()).submit([{ type: "async-image", model: "demo-image", prompt: "the first" }]);
  const outbox = new Outbox({
    board,
    connections,
    clock: systemClock,
    log: keptLog(),
    ...plainOutboxPorts,
    tasksPerDay: () => tasksPerDay,
  });
  const values = new Map<string, unknown>();
  const memory: vscode.Memento = {
    keys: () => [...values.keys()],
    get: (key: string, other?: unknown) => values.get(key) ?? other,
    update: (key, value) => Promise.resolve(void values.set(key, value)),
  };
  const keptDraft = new KeptDraft(memory);
  const failures: unknown[] = [];
  const missing = (): never => assert.fail("not expected");
  const dialogs: SubmitPorts["dialogs"] = {
    showFailure: (failure) => Promise.resolve(void failures.push(failure)),
    showError: missing,
    act: missing,
    register: missing,
  };
  const ports = {
    ...{ board, outbox, models: app.models, dialogs, memory, keptDraft },
    availability: { of: () => ({ state: "unknown" }), mustAsk: () => false },
    referenceLimit: () => 1_000_000,
    now: () => Date.now(),
    ready: () => connections.ready(),
  } as unknown as SubmitPorts;
  const submit = async (): Promise<void> => {
    let isDone = false;
    const draft = { ...emptyDraft, prompts: ["a kept pier"], type: "async-image", model: "demo-image" } as const;
    const submitting = submitDraft(ports, draft).finally(() => (isDone = true));
    await eventually("the end of the steps", async () => {
      await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
      return isDone;
    });
    await submitting;
  };
  await submit();
  assert.equal(failures.length, 1);
  assert.equal([...board.tasks.values()].filter(({ intent }) => intent.prompt === "a kept pier").length, 0);
  assert.equal(keptDraft.read()?.typed, "a kept pier");
  tasksPerDay = 0;
  await submit();
  assert.ok([...board.tasks.values()].some(({ intent }) => intent.prompt === "a kept pier"));
  assert.equal(keptDraft.read(), undefined);
});

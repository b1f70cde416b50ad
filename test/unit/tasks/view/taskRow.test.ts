/** The row of a task in the tree: its label and description, its group, and what its menu offers. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import * as z from "zod/mini";
import { definedFields } from "../../../../src/base/definedFields";
import type { AppError } from "../../../../src/domain/errors/appError";
import {
  type Placement,
  type ReconcileAttempt,
  type Task,
  type TaskState,
  taskStates,
} from "../../../../src/domain/task/task";
import { withdrawn } from "../../../../src/domain/task/submission";
import { startOfDay } from "../../../../src/base/localDay";
import { stateGroupOf } from "../../../../src/tasks/view/taskGroups";
import { isRemovable } from "../../../../src/tasks/view/taskActions";
import { elsewhereName, type RowFacts, taskRow, visibleParts } from "../../../../src/tasks/view/taskRow";
import { cutLabel } from "../../../../src/domain/words/label";
import { accepted, makeTask } from "../../../support/builders";

const minute = 60_000;
const day = 24 * 60 * minute;
const now = Date.UTC(2026, 0, 15, 12, 0, 0);
const lost: AppError = { kind: "unreachable", message: "The connection broke." };

const rowOf = (submission: Task["submission"], intent: Partial<Task["intent"]> = {}, context: RowFacts = {}) =>
  taskRow(makeTask({ intent: { createdAt: now - minute, ...intent }, submission }), now, "en", context);
const release = {
  id: "e1",
  type: "hold_released",
  state: "failed",
  rawStatus: "5",
  createdAt: now,
  message: "",
} as const;
const unknown = (reconcile?: ReconcileAttempt): Task["submission"] => ({
  state: "outcome-unknown",
  at: now,
  error: lost,
  ...definedFields({ reconcile }),
});
const underWay = unknown({ state: "under-way", at: now });
const notAccepted: Task["submission"] = { state: "not-accepted", at: now, error: { ...lost, notSent: true } };
const ended = (state: TaskState, completedAt: number) => accepted({ state, completedAt }, { checkedAt: now });

describe("taskRow", () => {
  it("T6: a running task that is read again looks the same, though its tooltip says when it was read", () => {
    for (const state of ["created", "queued", "processing"] as const) {
      const read = (checkedAt: number) => rowOf(accepted({ state }, { checkedAt }));
      assert.notEqual(read(now).state, read(now + 5 * minute).state);
      assert.deepEqual(visibleParts(read(now)), visibleParts(read(now + 5 * minute)));
    }
  });

  it("T20: a rehearsed task is told from a real one by the first word of its row, and by its state, whatever that is", () => {
    const at = (state: TaskState, intent: Partial<Task["intent"]>) =>
      rowOf(accepted({ state }), { prompt: "A pier", ...intent });
    const [real, rehearsed] = [at("succeeded", {}), at("succeeded", { isRehearsal: true })];
    assert.deepEqual([real.label, rehearsed.label], ["A pier", "Rehearsal · A pier"]);
    assert.equal(rehearsed.description, real.description, "it is said once");
    assert.equal(at("queued", { isRehearsal: true, variant: "seed: 2" }).label, "Rehearsal · seed 2 · A pier");
    assert.match(rehearsed.spoken, /, rehearsed, /);
    assert.match(at("processing", { isRehearsal: true }).spoken, /, rehearsal · processing, /);
  });

  it("T8: a result on its way into the project is being saved until its file is there, where this window brings it", () => {
    const destination = { file: "file:///project/lighthouse" };
    const placed = (placement?: Placement, isHere = true) =>
      rowOf(
        accepted({ state: "succeeded" }, { ...definedFields({ placement }) }),
        { destination },
        { isOpenHere: () => isHere },
      ).remarks;
    const file = "file:///project/lighthouse.png";
    assert.deepEqual(placed(), ["saving"]);
    assert.deepEqual(placed({ state: "placing", file, at: now }), ["saving"]);
    assert.deepEqual(placed({ state: "placed", file, at: now }), []);
    assert.deepEqual(placed({ state: "failed", file, at: now, message: "full" }), ["not placed"]);
    assert.deepEqual(placed(undefined, false), [], "another window may bring it, or none");
    assert.deepEqual(rowOf(accepted({ state: "succeeded" }), {}, { isOpenHere: () => true }).remarks, []);
    assert.deepEqual(rowOf(accepted({ state: "processing" }), { destination }, { isOpenHere: () => true }).remarks, []);
  });

  it("T8 (newuser L14): the tooltip says where the result is as a path, not as an address with escapes", () => {
    const path = resolve("a project", "pier.png");
    const said = (placement: Placement) => rowOf(accepted({ state: "succeeded" }, { placement })).state;
    const file = pathToFileURL(path).href;
    const quoted = { file, at: now, message: "full" };
    for (const state of ["placed", "occupied", "failed"] as const) {
      assert.ok(said({ state, ...quoted }).includes(path), state);
      assert.ok(!said({ state, ...quoted }).includes("file:"), state);
    }
    const remote = "vscode-vfs://github/site/a%20pier.png";
    assert.match(said({ state: "placed", file: remote, at: now }), /at vscode-vfs:\/\/github\/site\/a pier\.png\.$/);
  });

  it("T6: the menus and buttons of a task stay the same while it runs", () => {
    const flags = (["created", "queued", "processing"] as const).map(
      (state) => rowOf(accepted({ state })).contextValue,
    );
    assert.equal(new Set(flags).size, 1, flags.join(" | "));
  });

  it("T6, T9: a task that was called back before it was sent is cancelled, and nobody has to attend to it", () => {
    const submission: Task["submission"] = { state: "not-accepted", at: now - minute, error: withdrawn };
    assert.equal(stateGroupOf(makeTask({ submission }), startOfDay(now)), "today");
    const { description, icon, spoken, contextValue } = rowOf(submission);
    assert.equal(description, "not sent");
    assert.equal(icon.id, "circle-slash");
    assert.match(spoken, /cancelled, not sent,/);
    // As before it can be sent after all.
    assert.match(contextValue, /\bresendable\b/);
  });

  it("T6 (finding 35): the group says whether a person is needed, and what ended when", () => {
    const group = (submission: Task["submission"]) => stateGroupOf(makeTask({ submission }), startOfDay(now));
    assert.equal(group({ state: "prepared" }), "running");
    assert.equal(group({ state: "sending" }), "running");
    assert.equal(group(unknown()), "attention");
    assert.equal(group(notAccepted), "attention");
    assert.equal(group(accepted({ state: "processing" })), "running");
    assert.equal(group(accepted({ state: "unknown", rawStatus: "9" })), "running");
    assert.equal(group(ended("succeeded", now - minute)), "today");
    assert.equal(group(ended("expired", now - 2 * day)), "earlier");
    // Without a time of its own, an end is when it was read.
    assert.equal(group(accepted({ state: "succeeded" }, { checkedAt: now - 2 * day })), "earlier");
  });

  it("T1, T6 (finding 35): the menu of a row offers only what its state allows", () => {
    const flags = (submission: Task["submission"]) => rowOf(submission).contextValue;
    assert.equal(flags({ state: "sending" }), "task");
    assert.equal(flags(unknown()), "task reconcilable removable");
    assert.equal(flags(unknown({ state: "failed", at: now, error: lost })), "task reconcilable removable");
    assert.equal(flags(underWay), "task");
    assert.equal(flags(notAccepted), "task resendable removable");
    for (const state of ["created", "queued", "processing"] as const)
      assert.equal(flags(accepted({ state })), "task cancelable accepted", state);
    assert.equal(flags(accepted({ state: "unknown" })), "task checkable cancelable accepted");
    assert.equal(flags(accepted({ state: "succeeded" })), "task openable varied repeatable accepted removable");
    for (const state of ["cancelled", "expired", "refunded"] as const)
      assert.equal(flags(accepted({ state })), "task retryable repeatable accepted removable", state);
    assert.equal(flags({ state: "prepared" }), "task waiting");
    assert.equal(flags(unknown({ state: "under-way", at: now, waits: true })), "task waiting");
    assert.equal(flags(accepted({ state: "failed" })), "task retryable repeatable accepted removable");
    assert.equal(flags(accepted({ state: "failed" }, { seenAt: now })), "task retryable repeatable accepted removable");
  });

  it("T1 (finding 35): nothing is removable while a request of it is under way", () => {
    const removable = (submission: Task["submission"]) => isRemovable(makeTask({ submission }));
    assert.deepEqual([{ state: "prepared" } as const, { state: "sending" } as const].map(removable), [false, false]);
    assert.deepEqual([unknown(), underWay].map(removable), [true, false]);
    assert.deepEqual([notAccepted, accepted({ state: "processing" })].map(removable), [true, false]);
    assert.deepEqual([accepted({ state: "refunded" })].map(removable), [true]);
  });

  it("T6 (finding N4): the description is short: the time, or in its place what matters more", () => {
    const described = (submission: Task["submission"]) => rowOf(submission).description;
    assert.match(described(accepted({ state: "processing" })), /^\d+:\d\d\s?[AP]M$/);
    assert.equal(described(accepted({ state: "unknown", rawStatus: "9" })), "status “9”");
    assert.equal(described(unknown()), "outcome unknown");
    assert.equal(described(underWay), "outcome unknown · asking again");
    const failed = unknown({ state: "failed", at: now, error: lost });
    assert.match(described(failed), /^outcome unknown · no answer at [^·]+$/);
    const stale = accepted({ state: "processing" }, { stale: { since: now - minute, error: lost } });
    assert.match(described(stale), /^stale since [^·]+$/);
    const cancel = (state: "requested" | "too-late") =>
      described(accepted({ state: "processing" }, { cancel: { state, reason: "", at: now } }));
    assert.equal(cancel("requested"), "cancel requested");
    assert.equal(cancel("too-late"), "finished before the cancel");
  });

  it("T6, T10: a failed row says why, and what is known of the money: not charged only where a release was seen", () => {
    const failed = (remote: Parameters<typeof accepted>[0], rest: Parameters<typeof accepted>[1] = {}) =>
      rowOf(accepted({ state: "failed", ...remote }, { holdId: "hold-1", ...rest })).description;
    assert.equal(failed({ errorCode: "upstream_timeout", errorMessage: "no answer in time" }), "timed out · checking");
    assert.equal(failed({ errorCode: "upstream_timeout" }, { events: [release] }), "timed out · not charged");
    assert.equal(failed({ errorMessage: "content policy" }, { events: [release] }), "“content policy” · not charged");
    assert.equal(failed({ errorCode: "content_rejected" }), "“content_rejected” · checking");
    assert.equal(failed({}), "no reason given · checking");
    // What the gateway says can't be taken for a word of ours.
    assert.equal(failed({ errorMessage: "x” · not charged" }), "“x' · not charged” · checking");
    const long = failed({ errorMessage: "word ".repeat(40) });
    assert.ok(long.length < 60 && long.endsWith("…” · checking"), long);
    assert.equal(rowOf(accepted({ state: "failed", errorMessage: "x" })).description, "“x”");
    assert.equal(rowOf(notAccepted).description, "gateway not reached · not charged");
    const refused = (error: AppError) => rowOf({ state: "not-accepted", at: now, error }).description;
    assert.equal(refused({ kind: "insufficient-balance", message: "" }), "balance too low · not charged");
    assert.equal(refused({ kind: "rejected", message: "" }), "not accepted · not charged");
    const cancelled = accepted({ state: "cancelled" }, { holdId: "hold-1" });
    assert.equal(rowOf(cancelled).description, "checking");
  });

  it("T10: no row or tooltip names a hold, and each says what is known of the money in a person's words", () => {
    const money = (submission: Task["submission"]) => [rowOf(submission).money, rowOf(submission).spoken] as const;
    const held = (state: TaskState, events: readonly (typeof release)[] = []) =>
      money(accepted({ state }, { holdId: "hold-1", events: [...events] }));
    for (const [[sentence, spoken], expected, word] of [
      [held("processing"), /^Reserved at /, /, reserved: /],
      [held("succeeded"), /^Charged at /, /, charged: /],
      [held("failed"), /^Checking: not seen given back yet$/, /, checking: /],
      [held("failed", [release]), /^Not charged: given back at /, /, not charged: /],
      [held("unknown"), /^Reserved at .*not known$/, /, not known whether charged: /],
      [money({ state: "prepared" }), /^Not charged: nothing is sent yet$/, /, nothing sent yet: /],
      [money({ state: "sending" }), /^Not known: /, /, not known whether charged: /],
      [money(unknown()), /^Not known whether /, /, not known whether charged: /],
      [money(notAccepted), /^Not charged$/, /, not charged: /],
      [money(accepted({ state: "processing" })), /^The gateway has not said /, /, nothing said about the money: /],
    ] as const) {
      assert.match(sentence, expected);
      assert.match(spoken, word);
      assert.doesNotMatch(`${sentence} ${spoken}`, /\bhold|settle|release/i);
    }
  });

  it("T10, C1 (newuser M5): of the local gateway's tasks the money is play money: a row says that they are free, and nothing of a charge", () => {
    const home = { origin: "local", baseUrl: "http://127.0.0.1:1/v1", account: "a" };
    const of = (state: TaskState, remote: object = {}) =>
      rowOf(accepted({ state, ...remote }, { holdId: "hold-1" }), { home });
    for (const state of ["processing", "succeeded", "failed"] as const)
      assert.equal(of(state).money, "Free: the local gateway takes play money only", state);
    assert.match(of("succeeded").spoken, /, free: /);
    assert.equal(of("failed", { errorMessage: "content policy" }).description, "“content policy”");
    assert.match(of("cancelled").description, /^\d/, "the time alone");
  });

  it("T6 (finding N4): the label is the whole first line of the prompt: VS Code cuts what has no room", () => {
    const prompt = "a paper lantern on black water, seen from above, in soft light, with rain on the jetty behind it";
    assert.equal(rowOf(accepted({}), { prompt: `${prompt}\nand a second line` }).label, prompt);
    assert.equal(rowOf(unknown(), { prompt }).label, prompt);
    assert.ok(rowOf(accepted({}), { prompt: "word ".repeat(1000) }).label.length <= 201);
  });

  it("T6 (finding N3): a task of another gateway than the chosen one is marked, also for a screen reader", () => {
    const home = (origin: string) => ({ origin, baseUrl: `${origin}/v1`, account: "a" });
    const remote = home("https://gateway.example");
    const ready = (origin: string) =>
      ({ state: "ready", home: home(origin), keyId: "k1", local: false, gateway: undefined as never }) as const;
    assert.equal(elsewhereName(remote, ready("https://gateway.example")), undefined);
    assert.equal(elsewhereName(remote, ready("local")), "gateway.example");
    assert.equal(elsewhereName(home("local"), ready("https://gateway.example")), "Local · free");
    assert.equal(elsewhereName(remote, { state: "signed-out", ...home("local") }), "gateway.example");
    assert.equal(elsewhereName(remote, { state: "starting" }), undefined);
    const row = rowOf(accepted({ state: "processing" }), {}, { elsewhere: "gateway.example" });
    assert.match(row.description, /^\d+:\d\d\s?[AP]M · gateway\.example$/);
    assert.match(row.spoken, /, gateway\.example: a lighthouse at dusk$/);
  });

  it("T6: a row that waits to be sent says until when, in its description and its sentence", () => {
    const waitsUntil = now + 5 * minute;
    const row = rowOf({ state: "prepared" }, {}, { waitsUntil });
    // Some zones differ by half an hour.
    const time = String.raw`\d+:${String(new Date(waitsUntil).getMinutes()).padStart(2, "0")}\s?[AP]M`;
    assert.match(row.description, new RegExp(`^waiting until ${time}$`));
    assert.match(row.state, new RegExp(`^Waiting to be sent: the gateway asked for a pause until ${time}\\.$`));
    assert.equal(rowOf({ state: "prepared" }).description, "waiting to be sent");
    const again = rowOf(unknown({ state: "under-way", at: now, waits: true }), {}, { waitsUntil });
    assert.match(again.description, new RegExp(`^outcome unknown · waiting until ${time}$`));
  });

  it("T6, T12: a task that runs longer than usual says so; the usual time is read out", () => {
    const usual = { p50: 60_000, p90: 120_000, samples: 3 };
    const row = (at: number) =>
      taskRow(
        makeTask({ intent: { createdAt: at }, submission: accepted({ state: "processing" }, { at }) }),
        now,
        "en",
        { usual },
      );
    assert.doesNotMatch(row(now - minute).description, /longer/);
    assert.match(row(now - 3 * minute).description, /^longer than usual$/);
    assert.match(row(now - minute).spoken, /, Usually 1 to 2 min, /);
    const short = taskRow(makeTask({ submission: accepted({}) }), now, "en", {
      usual: { p50: 40_400, p90: 39_600, samples: 3 },
    });
    assert.equal(short.usual, "Usually 40 s");
  });

  it("T6: a result that is here is the icon of its row; a result that a gateway has taken back is not", () => {
    const saved = {
      path: "/r/a.mp4",
      mimeType: "video/mp4",
      size: 1,
      at: now,
      thumbnail: "/r/a.png",
      icon: "/r/a.png",
    };
    assert.equal(rowOf(accepted({ state: "succeeded" }, { saved })).picture, "/r/a.png");
    assert.equal(rowOf(accepted({ state: "failed" }, { saved })).picture, undefined);
    const { icon: _, ...without } = saved;
    assert.equal(rowOf(accepted({ state: "succeeded" }, { saved: without })).picture, undefined);
  });

  it("T6 (finding 35): each state has an icon, a success the icon of its type", () => {
    const icon = (state: TaskState, type: Task["intent"]["type"] = "video") =>
      rowOf(accepted({ state }), { type }).icon;
    const ids = taskStates.map((state) => icon(state).id);
    assert.ok(ids.length >= 8 && ids.every((id) => id !== ""));
    assert.equal(icon("succeeded").id, "device-camera-video");
    assert.equal(icon("succeeded", "async-image").id, "file-media");
    assert.equal(rowOf(unknown()).icon.id, "question");
    assert.equal(rowOf(notAccepted).icon.id, "error");
  });

  it("T6, T16: a row says what it differs by from others of its batch", () => {
    const prompt = "A harbour crane";
    const labelOf = (variant: string): string => rowOf(accepted({ state: "processing" }), { prompt, variant }).label;
    assert.equal(labelOf("style: linocut"), "linocut · A harbour crane");
    assert.equal(labelOf("style: paper, cut, seed: 2"), "paper, cut · seed 2 · A harbour crane");
    const row = rowOf(accepted({ state: "processing" }), { prompt, variant: "seed: 2" });
    assert.doesNotMatch(row.description, /seed/);
    assert.match(row.spoken, /^Video, seed: 2, processing, /);
    assert.equal(rowOf(accepted({}), { variant: "x".repeat(200) }).label.split(" · ")[0], `${"x".repeat(60)}…`);
  });

  it("T6, P6 (finding 35): a screen reader hears type, state, time, money and prompt", () => {
    const row = rowOf(accepted({ state: "processing" }, { holdId: "hold-1" }));
    assert.match(row.spoken, /^Video, processing, submitted .+, reserved: a lighthouse at dusk$/);
  });

  it("T6 (finding 35): a label is the first line with words, cut between words near 60 characters", () => {
    assert.equal(cutLabel("\n  \n a harbour \nsecond line"), "a harbour");
    assert.equal(cutLabel(" \n"), "(no prompt)");
    assert.equal(cutLabel(`${"word ".repeat(11)}wonder`), `${"word ".repeat(11).trimEnd()}…`);
    assert.equal(cutLabel("x".repeat(61)), `${"x".repeat(60)}…`);
    assert.equal(cutLabel("🙂".repeat(70)), `${"🙂".repeat(60)}…`);
  });
});

describe("the menus of a task", () => {
  const { contributes } = z
    .object({
      contributes: z.object({
        menus: z.record(
          z.string(),
          z.array(
            z.object({
              command: z._default(z.string(), ""),
              when: z.optional(z.string()),
              group: z.exactOptional(z.string()),
            }),
          ),
        ),
      }),
    })
    .parse(JSON.parse(readFileSync("package.json", "utf8")));

  it("P6: what a button of a row does is in the menu of the row too, which needs no mouse", () => {
    const { "view/item/context": entries = [] } = contributes.menus;
    const isInline = ({ group = "" }: { readonly group?: string }): boolean => group.startsWith("inline");
    // Saving into the workspace is a row of the pick of *Save Result…*.
    const inline = entries.filter((entry) => isInline(entry) && entry.command !== "sluice.task.saveIntoWorkspace");
    assert.ok(inline.length > 5);
    for (const { command } of inline)
      assert.ok(
        entries.some((entry) => !isInline(entry) && entry.command === command),
        command,
      );
  });

  /** The commands whose `viewItem =~ /…/` fits, as VS Code evaluates it. */
  const offered = (contextValue: string): string[] =>
    (contributes.menus["view/item/context"] ?? [])
      .filter(({ when = "" }) => {
        const pattern = /viewItem =~ \/(.+?)\//.exec(when)?.[1];
        return pattern !== undefined && new RegExp(pattern).test(contextValue);
      })
      .map(({ command }) => command);

  it("T1, V4 (finding 35): Reconcile is offered for an unknown outcome, and for nothing else", () => {
    const reconcile = "sluice.task.reconcile";
    assert.ok(offered(rowOf(unknown()).contextValue).includes(reconcile));
    for (const other of [
      underWay,
      notAccepted,
      { state: "sending" } as const,
      accepted({ state: "processing" }),
      accepted({ state: "succeeded" }),
    ])
      assert.ok(!offered(rowOf(other).contextValue).includes(reconcile), other.state);
  });

  it("L3: Top Up is offered where the local gateway's balance is too low, and not for another gateway", () => {
    const error = { kind: "insufficient-balance", message: "x" } as const;
    const offers = (origin: string): boolean => {
      const home = { origin, baseUrl: "http://127.0.0.1:1", account: "a" };
      const task = makeTask({ intent: { home }, submission: { ...notAccepted, error } });
      return offered(taskRow(task, 0, "en").contextValue).includes("sluice.gateway.topUp");
    };
    assert.deepEqual([offers("local"), offers("https://gateway.example")], [true, false]);
  });

  it("T1, V4 (finding 35): every menu of a row fits a row that there is", () => {
    const occupied = { state: "occupied", file: "file:///w/hero.png", at: 0 } as const;
    const rows = [
      ...[
        { state: "prepared" } as const,
        unknown(),
        notAccepted,
        accepted({ state: "processing" }),
        accepted({ state: "failed" }, { holdId: "hold-1" }),
        accepted({ state: "succeeded" }, { placement: occupied }),
      ].map((submission) => rowOf(submission).contextValue),
      // Of the rows that are no tasks, as taskTreeItems.ts makes them.
      ...["group attention", "group running", "group finished", "event", "filtered"],
    ];
    const commands = new Set((contributes.menus["view/item/context"] ?? []).map(({ command }) => command));
    const batched = makeTask({ intent: { batch: "b1" } });
    const home = { origin: "local", baseUrl: "http://127.0.0.1:1", account: "a" };
    const error = { kind: "insufficient-balance", message: "x" } as const;
    const short = makeTask({ intent: { home }, submission: { ...notAccepted, error } });
    const picture = makeTask({ intent: { type: "async-image" }, submission: accepted({ state: "succeeded" }) });
    const own = [batched, short, picture].map((task) => taskRow(task, 0, "en").contextValue);
    const found = new Set([...rows, ...own].flatMap(offered));
    assert.deepEqual(
      [...commands].filter((command) => !found.has(command)),
      [],
    );
  });
});

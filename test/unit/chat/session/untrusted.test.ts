/** Every way by which text reaches the model, once with the project's own and once with what others may have written: after that no rule applies while it is sent (A4). */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { untrustedSent } from "../../../../src/chat/session/untrusted";
import type { FileReference } from "../../../../src/domain/chat/attachmentSchema";
import { type Chat, emptyChat, type SessionEvent } from "../../../../src/domain/chat/chat";
import { reduceChat } from "../../../../src/domain/chat/reduceChat";
import type { Task } from "../../../../src/domain/task/task";
import type { CancelOutcome, TaskPort } from "../../../../src/domain/task/taskPort";
import type { EditorPort, ForeignContent } from "../../../../src/domain/tools/toolPorts";
import type { Tool } from "../../../../src/domain/tools/tool";
import { SeenTextHashes } from "../../../../src/chat/undo/changeLedger";
import { attachFiles, untrustedImage } from "../../../../src/tools/attachFiles";
import { createForeignTools } from "../../../../src/tools/foreignTools";
import { KeptResults, readResult } from "../../../../src/tools/readResult";
import { accepted, home, makeTask } from "../../../support/builders";
import { createDiskWorkspace } from "../../../support/diskWorkspace";
import { CopiedRepository } from "../../../support/copiedRepository";
import { createGuard, type GuardedFolder } from "../../../support/guardedFolder";
import { ledgerOver } from "../../../support/memoryLedger";
import { picture } from "../../../support/pictureBytes";
import { fixedPages } from "../../../support/fixedPages";
import { noEditor } from "../../../support/noEditor";
import { callsWithoutText, toolsOver } from "../../../support/toolFolder";
import { plainAppOptions } from "../../../support/plainOptions";

type Input = Readonly<Record<string, unknown>>;

interface Case {
  readonly input?: Input | (() => Promise<Input>);
  /** The file of which the editor reports. */
  readonly about?: string;
  /** The files that its problems are about besides. */
  readonly related?: readonly string[];
  /** The task that the gateway has. */
  readonly task?: Task;
  /** Nothing untracked is in the workspace. */
  readonly isClean?: true;
}

/** `after`: what the card names as read. */
type ForeignCase = Case & { readonly after: string };

interface Row {
  readonly own: readonly Case[];
  readonly foreign: readonly ForeignCase[];
}

const image = {
  id: createHash("sha256").update(picture).digest("hex"),
  mimeType: "image/png",
  size: picture.length,
} as const;
const never = new AbortController().signal;
const failure = { kind: "rejected", message: "Run npm test." } as const;
const running = makeTask({ submission: accepted({}) });
const failed = makeTask({ submission: accepted({ state: "failed", errorMessage: "Run npm test." }) });
const refused = makeTask({ submission: { state: "not-accepted", error: failure } as Task["submission"] });
const watched = makeTask({ intent: { isWatched: true }, submission: accepted({}) });

describe("text that reaches the model", () => {
  let over: GuardedFolder;
  const repository = new CopiedRepository();
  let about = "";
  let related: readonly string[] = [];
  let task = running;
  let kept: readonly Tool[];

  const place = (): { file: string; line: number; endLine: number } => ({ file: over.at(about), line: 1, endLine: 1 });
  const symbols = (): Promise<readonly never[]> =>
    Promise.resolve([{ name: "one", kind: "function", depth: 0, place: place() }] as never);
  const editor: EditorPort = {
    ...noEditor,
    symbolsOf: symbols,
    findSymbols: symbols,
    definitionsOf: () => Promise.resolve([place()]),
    referencesTo: () => Promise.resolve([place()]),
    problems: () =>
      about === ""
        ? []
        : [
            {
              ...{ severity: "error", message: "no", source: "ts" },
              position: { file: over.at(about), line: 1, column: 1 },
              related: related.map((name) => over.at(name)),
            },
          ],
    openEditors: () => [
      {
        ...{ file: over.at(about), isActive: true, hasUnsavedChanges: false },
        shown: { firstLine: 1, lastLine: 1, cursor: { line: 1, column: 1 }, selection: "one" },
      },
    ],
    changes: () => Promise.resolve([{ file: over.at(about), change: "modified", isStaged: false }]),
    diffOf: () => Promise.resolve("@@ -1 +1 @@\n-a\n+b\n"),
  };
  const tasks: Partial<TaskPort> = {
    submit: () => Promise.resolve([task]),
    get: () => task,
    list: () => [task],
    cancel: (): Promise<CancelOutcome> =>
      Promise.resolve(task === failed ? { state: "failed", error: failure } : { state: "confirmed" }),
  };
  const weather = { name: "weather", description: "weather", schema: { type: "object" }, promise: "x" };
  const results = new KeptResults();
  const others = (): readonly Tool[] => {
    const call = (): Promise<readonly ForeignContent[]> =>
      Promise.resolve([{ type: "text", text: "rain ".repeat(20_000) }]);
    const port = { chosen: () => [weather], call };
    const { scaleImage } = plainAppOptions;
    return [...createForeignTools(port, new Set(), results, scaleImage)(), readResult(results)];
  };
  const nextPage = async (): Promise<Input> => {
    const result = await (await kept[0]!.prepare({}, never)).run(never);
    return { id: /with id "(.*?)"/.exec(typeof result === "string" ? result : "")?.[1], skip: 10 };
  };

  beforeEach(async () => {
    about = "";
    related = [];
    task = running;
    kept = others();
    over = await createGuard({
      others: kept,
      extras: {
        ...{ editor, tasks, results, ...fixedPages },
        run: ({ onOutput }) => (onOutput("one\n"), Promise.resolve({ type: "exited", code: 0 })),
      },
      options: (workspace) => {
        const ledger = ledgerOver(workspace);
        const wrote = (path: string): Promise<boolean> => ledger.wrote(path);
        return {
          changes: {
            wrote,
            seen: new SeenTextHashes(),
            outcomes: () => Promise.resolve([]),
            filesOf: (answer, call, allowed) => ledger.changesOf({ type: "call", answer, call, allowed }),
          },
          attach: (references, signal) =>
            attachFiles(
              workspace,
              references,
              () => Promise.resolve(true),
              signal,
              (path) => ({ text: `${path}:1:1 error: no`, related: related.map((name) => over.at(name)) }),
              wrote,
            ),
          readImage: (id) =>
            Promise.resolve({ id, mimeType: "image/png", data: Buffer.from(picture).toString("base64") }),
          untrustedImage: (path, id, signal) => untrustedImage(workspace, path, id, signal, wrote),
        };
      },
    });
    await over.put("own/a.ts", "export function one() {}\n");
    await over.put("own/b.ts", "step 0\n");
    await over.put("own/a.png", picture);
    await repository.putInto(over.at(""));
    await over.put("alien/x.ts", "export function two() {}\n");
    await over.put("alien/z.png", picture);
    // A rule that holds in all chats of the workspace.
    await over.turn(over.open().session, [[step(0)]], ["workspace"]);
  });
  afterEach(() => over.remove());
  after(() => repository.remove());

  const step = (from: number): { name: string; input: Input } => ({
    name: "edit_file",
    input: { path: "own/b.ts", old_text: `step ${from}`, new_text: `step ${from + 1}` },
  });
  /** What an edit that the rule covers would be asked about, after another prompt. */
  const asksAfter = async (
    session: ReturnType<GuardedFolder["open"]>["session"],
    by?: Parameters<GuardedFolder["turn"]>[3],
  ): Promise<string | undefined> =>
    (await over.turn(session, [[step(1)]], ["no"], by)) === 0 ? undefined : over.questions.at(-1)?.after;
  const asksAfterCall = async (name: string, { input = {}, isClean, ...given }: Case): Promise<string | undefined> => {
    about = given.about ?? "";
    related = given.related ?? [];
    task = given.task ?? running;
    if (isClean) await rm(over.at("alien"), { recursive: true });
    const { session } = over.open();
    const made = typeof input === "function" ? await input() : input;
    await over.turn(session, [[{ name, input: made }]], ["once", "once"]);
    assert.deepEqual(over.states(session), ["done"]);
    about = "";
    related = [];
    return asksAfter(session);
  };

  const path = (name: string): Case => ({ input: { path: name } });
  const alien = { after: "alien/x.ts" };
  const reads = { own: [path("own/a.ts")], foreign: [{ ...path("alien/x.ts"), ...alien }] };
  const lists = { own: [path("own")], foreign: [{ ...path("alien"), ...alien }] };
  const reported = (input: Input): Row => ({
    own: [{ input, about: "own/a.ts" }],
    foreign: [{ input, about: "alien/x.ts", ...alien }],
  });
  const symbolAt = { path: "own/a.ts", line: 1, symbol: "one" };
  const order = { type: "async-image", model: "m", prompt: "a hill" };
  const ofTask = (input: Input, ...foreign: readonly Task[]): Row => ({
    own: [{ input, task: running }],
    foreign: foreign.map((one) => ({ input, task: one, after: home.origin })),
  });
  const command = (line: string): Case => ({ input: { command: line } });

  const rows: Readonly<Record<string, Row>> = {
    ...callsWithoutText,
    list_files: lists,
    find_files: {
      own: [{ input: { name: "a.ts" } }],
      foreign: [{ input: { name: "x.ts" }, ...alien }],
    },
    read_file: reads,
    find_text: {
      own: [{ input: { text: "function one" } }],
      foreign: [{ input: { text: "function two" }, ...alien }],
    },
    list_symbols: {
      own: [{ input: { path: "own/a.ts" }, about: "own/a.ts" }],
      foreign: [{ input: { path: "alien/x.ts" }, about: "alien/x.ts", ...alien }],
    },
    find_symbols: reported({ name: "one" }),
    find_definition: reported(symbolAt),
    find_references: reported(symbolAt),
    list_problems: {
      own: [...reported({}).own, { about: "own/a.ts", related: ["own/b.ts", "../outside.d.ts"] }],
      foreign: [...reported({}).foreign, { about: "own/a.ts", related: ["own/b.ts", "alien/x.ts"], ...alien }],
    },
    list_editors: reported({}),
    list_changes: {
      own: [{ about: "own/a.ts" }, path("own/a.ts")],
      foreign: [
        { about: "alien/x.ts", ...alien },
        { ...path("alien/x.ts"), ...alien },
      ],
    },
    edit_file: {
      own: [{ input: { path: "own/a.ts", old_text: "one", new_text: "1" } }],
      foreign: [{ input: { path: "alien/x.ts", old_text: "two", new_text: "2" }, ...alien }],
    },
    apply_patch: {
      own: [
        {
          input: {
            input:
              "*** Begin Patch\n*** Update File: own/a.ts\n@@\n-export function one() {}\n+export function uno() {}\n*** End Patch",
          },
        },
      ],
      foreign: [
        {
          input: {
            input:
              "*** Begin Patch\n*** Update File: alien/x.ts\n@@\n-export function two() {}\n+export function due() {}\n*** End Patch",
          },
          ...alien,
        },
      ],
    },
    // Their results are what the call says itself.
    write_file: { own: [{ input: { path: "alien/new.ts", text: "x" } }], foreign: [] },
    rename_file: { own: [{ input: { path: "alien/x.ts", new_path: "alien/y.ts" } }], foreign: [] },
    delete_file: { own: [path("alien/x.ts")], foreign: [] },
    // It needs a model of its own: `test/unit/chat/session/explore.test.ts`.
    explore: { own: [], foreign: [] },
    // It needs a process: `test/unit/tools/command/backgroundProcesses.test.ts`.
    use_process: { own: [], foreign: [] },
    run_command: {
      own: ["npm test", "cat own/a.ts", "npm test 2>&1 | tail -5", "python -c 'print(1)'"].map((line) => ({
        ...command(line),
        isClean: true as const,
      })),
      foreign: [
        { ...command("cat alien/x.ts"), after: "cat alien/x.ts" },
        {
          ...command("python -c 'print(open(\"alien/x.ts\").read())'"),
          after: "python -c 'print(open(\"alien/x.ts\").read())'",
        },
        { ...command("npm test"), after: "npm test (alien/x.ts)" },
        ...["git show HEAD", "npm view x", "curl evil.example", "npm test | sh", "node -e 'fetch(1)'"].map((line) => ({
          ...command(line),
          isClean: true as const,
          after: line,
        })),
      ],
    },
    submit_task: ofTask(order, refused),
    get_task: ofTask({ id: "x" }, failed, refused, watched),
    cancel_task: ofTask({ id: "x", reason: "no" }, failed),
    list_tasks: ofTask({}, failed, watched),
    // Its result is what the call says itself.
    save_result: { own: [], foreign: [] },
    fetch_url: { own: [], foreign: [{ input: { url: "https://a.example/b?c#d" }, after: "a.example/b" }] },
    view_page: { own: [], foreign: [{ input: { url: "http://localhost:3000/" }, after: "localhost:3000" }] },
    weather: { own: [], foreign: [{ after: "weather" }] },
    read_result: {
      own: [{ input: () => Promise.resolve({ id: results.keep({ tool: "npm test", text: "one" }) }) }],
      foreign: [{ input: nextPage, after: "weather" }],
    },
  };

  it("A4, H5: the table has each tool", () => {
    const names = [...toolsOver(createDiskWorkspace()), ...others()].map(({ declaration }) => declaration.name);
    assert.deepEqual(Object.keys(rows).toSorted(), names.toSorted());
  });

  for (const [name, { own, foreign }] of Object.entries(rows)) {
    const shown = ({ input = {}, about: file = "", related: besides = [], task: one }: Case): string =>
      typeof input === "function"
        ? ""
        : [JSON.stringify(input), file, ...besides, one?.submission.state ?? ""].join(" ").trim();
    for (const one of own) {
      it(`A4, H5: ${name} ${shown(one)} is the project's own: rules go on`, async () => {
        assert.equal(await asksAfterCall(name, one), undefined);
      });
    }
    for (const one of foreign) {
      it(`A4, H5: ${name} ${shown(one)} holds ${one.after}: no rule applies, also after another prompt`, async () => {
        assert.equal(await asksAfterCall(name, one), one.after);
      });
    }
  }

  for (const [reference, after] of [
    [{ path: "own/a.ts" }, undefined],
    [{ path: "alien/x.ts" }, "alien/x.ts"],
    [{ path: "own", kind: "folder" }, undefined],
    [{ path: "alien", kind: "folder" }, "alien/x.ts"],
    [{ path: "own/a.ts", kind: "problems" }, undefined],
    [{ path: "alien/x.ts", kind: "problems" }, "alien/x.ts"],
    [{ path: "own/a.png", image }, undefined],
    [{ path: "alien/z.png", image }, "alien/z.png"],
    // Pasted: in no file, or under the name of one that has other bytes.
    [{ path: "pasted.png", image }, "pasted.png"],
    [{ path: "own/a.ts", image }, "own/a.ts"],
  ] as const satisfies readonly (readonly [FileReference, string | undefined])[]) {
    const { path: file, kind, image: picked } = reference as FileReference;
    it(`A4, H5: an attachment, ${picked ? "image" : (kind ?? "file")} ${file}, is ${after === undefined ? "the project's own" : "foreign"}`, async () => {
      const { session } = over.open();
      await over.turn(session, [], [], (one) => one.submit("look", [reference]));
      assert.equal(await asksAfter(session), after);
    });
  }

  it("A4, H5: an attachment, problems own/a.ts, that may quote another file is foreign when that is", async () => {
    related = ["own/b.ts", "alien/x.ts"];
    const { session } = over.open();
    await over.turn(session, [], [], (one) => one.submit("look", [{ path: "own/a.ts", kind: "problems" }]));
    assert.equal(await asksAfter(session), "alien/x.ts");
  });

  it("A4, H5: what the tools of the chat made is its own", async () => {
    const { session } = over.open();
    const calls = [
      { name: "write_file", input: { path: "alien/made.ts", text: "x\n" } },
      { name: "read_file", input: { path: "alien/made.ts" } },
    ];
    await over.turn(session, [[calls[0]!], [calls[1]!]], []);
    assert.equal(await asksAfter(session), undefined);
    await over.turn(over.open().session, [[calls[1]!]], []);
    assert.equal(await asksAfter(session, (one) => one.submit("look", [{ path: "alien/made.ts" }])), undefined);
  });

  const imported: Chat = (
    [
      { type: "prompt-added", id: "p", text: "hi", at: 1 },
      { type: "turn-started" },
      { type: "answer-started", id: "a", model: "m", family: "messages", at: 1 },
      { type: "answer-event", id: "a", event: { type: "text-delta", block: 0, text: "one" } },
      { type: "turn-interrupted" },
      { type: "chat-imported", untrusted: "theirs" },
    ] satisfies readonly SessionEvent[]
  ).reduce<Chat>(reduceChat, emptyChat("c"));

  for (const by of ["submit", "continueTurn"] as const) {
    it(`A4, H5: an imported chat is foreign as a whole: ${by}`, async () => {
      assert.equal(await asksAfter(over.open(imported).session, by), "theirs");
    });
  }

  it("A4, H5: an edited copy of an imported prompt is foreign like it", async () => {
    assert.equal(await asksAfter(over.open(imported).session, (one) => one.resend("p", "hi!")), "theirs");
  });

  it("A4, H5: a model that searches the web by itself has read what it cites", () => {
    const event = { type: "citation", block: 0, url: "https://evil.example", raw: null } as const;
    const chat = reduceChat(
      { ...imported, entries: imported.entries.map(({ untrusted: _, ...entry }) => entry) },
      { type: "answer-event", id: "a", event },
    );
    assert.equal(untrustedSent(chat), "https://evil.example");
  });
});

/** What keeps `sluice.lock`: lines for what was placed, over what others wrote meanwhile, and merges of two clones by git. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { systemClock } from "../../../../src/base/async/systemClock";
import { Emitter } from "../../../../src/base/event";
import { emptyLock, type LockEntry, readLock, writeLock } from "../../../../src/domain/lock/lockFile";
import type { Task } from "../../../../src/domain/task/task";
import { runCheck } from "../../../../src/tasks/lock/check";
import { keepChanged } from "../../../../src/tasks/lock/keepChanged";
import { LockKeeper } from "../../../../src/tasks/lock/lockKeeper";
import { sha256Of } from "../../../../src/tasks/lock/lockedFiles";
import { changeLock } from "../../../../src/tasks/lock/lockWriter";
import { accepted, keptLog, makeIntent, makeTask, savedAt } from "../../../support/builders";
import { runsOf } from "../../../support/runs";
import { seeded } from "../../../support/seeded";
import { animatedGif, avifOf, pngOf } from "../../../support/testImages";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";

const never = new AbortController().signal;

describe("keeping sluice.lock", () => {
  let temporary: TemporaryFolder;
  let root: string;
  let results: string;
  let roots: readonly string[];
  let tasks: Map<string, Task>;
  let outcomes: string[];
  beforeEach(async () => {
    temporary = await createTemporaryFolder();
    root = join(temporary.path, "project");
    results = join(temporary.path, "results");
    for (const folder of [join(root, "assets"), results]) await mkdir(folder, { recursive: true });
    roots = [root];
    tasks = new Map();
    outcomes = [];
  });
  afterEach(() => temporary.remove());

  const options = () => ({
    board: { all: tasks, onDidChange: new Emitter<ReadonlySet<string>>().event },
    clock: systemClock,
    log: keptLog(),
    scratch: join(temporary.path, "lock"),
    results,
    roots: () => roots,
    onDidChangeRoots: new Emitter<void>().event,
    onWritten: (_root: string, outcome: string) => void outcomes.push(outcome),
  });
  const keeper = () => new LockKeeper(options());
  const idOf = (index: number): string => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
  const place = async (index: number, path: string, bytes: string, intent: object = {}, at = 1000): Promise<void> => {
    await writeFile(join(root, path), bytes);
    const file = pathToFileURL(join(root, path)).href;
    const submission = accepted(
      { state: "succeeded", assets: { kind: "assets", seed: 5 } },
      { placement: { state: "placed", file, at } },
    );
    tasks.set(
      idOf(index),
      makeTask({ intent: makeIntent({ id: idOf(index), prompt: "A pier", ...intent }), submission }),
    );
  };
  /** Puts the result of a placed task on this machine. */
  const saveResult = async (index: number, bytes: string): Promise<void> => {
    const saved = savedAt(join(results, `${index}.png`));
    await writeFile(saved.path, bytes);
    const task = tasks.get(idOf(index));
    assert.ok(task?.submission.state === "accepted");
    tasks.set(idOf(index), { ...task, submission: { ...task.submission, saved } });
  };
  const lines = async (): Promise<readonly string[]> =>
    (await readFile(join(root, "sluice.lock"), "utf8")).trimEnd().split("\n").slice(1);

  it("T20: a placed file gets its line, without prompt, key, account or absolute path; again it changes nothing", async () => {
    const document = pathToFileURL(join(root, "hero.prompts.md")).href;
    await place(1, "assets/a.png", "aaaa", {
      promptSource: { document, heading: "Hero", optionsSha256: sha256Of("x") },
    });
    await keeper().keep();
    const [line = ""] = await lines();
    const { task, at, ...entry } = JSON.parse(line) as Record<string, unknown>;
    assert.deepEqual(entry, {
      path: "assets/a.png",
      sha256: sha256Of("aaaa"),
      bytes: 4,
      prompt: "hero.prompts.md#Hero",
      promptSha256: sha256Of("A pier"),
      optionsSha256: sha256Of("x"),
      model: makeIntent().model,
      seed: 5,
    });
    assert.ok(typeof task === "string" && at === "1970-01-01T00:00:01.000Z");
    const { idempotencyKey, home } = makeIntent();
    const account = `"${home.account}"`;
    for (const secret of ["A pier", idempotencyKey, account, home.baseUrl, temporary.path])
      assert.ok(!line.includes(secret), secret);
    await keeper().keep();
    assert.deepEqual(outcomes, ["created", "unchanged"]);
    assert.deepEqual((await readdir(root)).sort(), ["assets", "sluice.lock"]);
  });

  it("T20: GIF and AVIF get their size and hash, though nothing is written into them", async () => {
    const files = { "a.avif": [avifOf([640, 400]), "640x400"], "b.gif": [animatedGif, "1x1"] } as const;
    for (const [index, [name, [bytes]]] of Object.entries(files).entries()) {
      await place(index, `assets/${name}`, "");
      await writeFile(join(root, "assets", name), bytes);
    }
    await keeper().keep();
    for (const line of await lines()) {
      const { path, size, sha256, marks } = JSON.parse(line) as LockEntry;
      const [bytes, wanted] = files[path.slice("assets/".length) as keyof typeof files];
      assert.deepEqual([size, sha256, marks], [wanted, sha256Of(bytes), undefined]);
    }
    assert.equal((await runCheck([root])).code, 0);
    await writeFile(join(root, "assets/a.avif"), avifOf([640, 401]));
    assert.equal((await runCheck([root])).code, 1);
  });

  it("T20: what an earlier version kept beside the result is taken over, and goes", async () => {
    await place(1, "assets/a.png", "aaaa");
    const task = tasks.get(idOf(1));
    assert.ok(task?.submission.state === "accepted");
    const remote = { ...task.submission.remote, assets: { kind: "assets" as const } };
    tasks.set(idOf(1), { ...task, submission: { ...task.submission, remote } });
    const facts = join(results, "a-pier-0000000000004000.json");
    await writeFile(facts, JSON.stringify({ seed: 77, gateway: "https://secret.example" }));
    await keeper().keep();
    assert.match((await lines()).join(), /"seed":77/);
    assert.deepEqual(await readdir(results), []);
  });

  it("T20: a window that is not trusted, or has no folder, writes nothing", async () => {
    await place(1, "assets/a.png", "aaaa");
    roots = [];
    await keeper().keep();
    assert.deepEqual(await readdir(root), ["assets"]);
  });

  it("T20: a lock that is a link, or of a later version, is left alone; lines and comments of others stay", async () => {
    await place(1, "assets/a.png", "aaaa");
    const at = join(root, "sluice.lock");
    await writeFile(join(temporary.path, "theirs"), "");
    await symlink(join(temporary.path, "theirs"), at);
    await keeper().keep();
    assert.equal(await readFile(join(temporary.path, "theirs"), "utf8"), "");
    await rm(at);
    await writeFile(at, "# sluice.lock 9: later\n");
    await keeper().keep();
    assert.equal(await readFile(at, "utf8"), "# sluice.lock 9: later\n");
    await writeFile(at, '# ours\nstrange\n{"path":"z.png","sha256":"' + "0".repeat(64) + '"}\n');
    await keeper().keep();
    const text = await readFile(at, "utf8");
    for (const part of ["# ours\n", "strange\n", "z.png", "assets/a.png"]) assert.ok(text.includes(part), part);
    assert.deepEqual(outcomes, ["refused", "refused", "written"]);
  });

  it("T20: a later edit of the file is foreign, also when the line is written after it", async () => {
    await place(1, "assets/a.png", "aaaa");
    await keeper().keep();
    await writeFile(join(root, "assets/a.png"), "edited");
    await keeper().keep();
    assert.equal((await runCheck([root])).code, 1);
    await place(2, "assets/a.png", "bbbb", {}, 2000);
    await keeper().keep();
    assert.equal((await runCheck([root])).code, 0);
  });

  it("T20: after a checkout of an older file and its line the next window start leaves both, also for exact files", async () => {
    // The result of the one is on this machine. That of the other is not known to be the file, as for exact files.
    await place(1, "assets/a.png", "aaaa");
    await place(2, "assets/b.png", "bbbb");
    await keeper().keep();
    const before = await lines();
    const lock = await readFile(join(root, "sluice.lock"));
    await place(3, "assets/a.png", "cccc", {}, 2000);
    await saveResult(3, "cccc");
    await place(4, "assets/b.png", "dddd", {}, 2000);
    await keeper().keep();
    assert.notDeepEqual(await lines(), before);
    for (const [path, bytes] of [
      ["sluice.lock", lock],
      ["assets/a.png", "aaaa"],
      ["assets/b.png", "bbbb"],
    ] as const)
      await writeFile(join(root, path), bytes);
    await keeper().keep();
    assert.deepEqual(await lines(), before);
    assert.equal((await runCheck([root])).code, 0);
    // A kill between the file and its line leaves the older line: the file's own line follows.
    await writeFile(join(root, "assets/a.png"), "cccc");
    await keeper().keep();
    assert.equal((await runCheck([root])).code, 0);
    assert.deepEqual(
      (await lines()).map((line, index) => line === before[index]),
      [false, true],
    );
  });

  it("T20: a result with the very bytes of the one before gets its line, because its prompt may be another one", async () => {
    await place(1, "assets/a.png", "aaaa");
    await keeper().keep();
    await place(2, "assets/a.png", "aaaa", { prompt: "A pier at night" }, 2000);
    await saveResult(2, "aaaa");
    await keeper().keep();
    assert.match((await lines()).join(), new RegExp(sha256Of("A pier at night")));
    // The bytes of an exact file are not known to be the result's.
    const open = keeper();
    await open.keep();
    await place(3, "assets/a.png", "aaaa", { prompt: "A pier in fog" }, 3000);
    await open.keep();
    assert.match((await lines()).join(), new RegExp(sha256Of("A pier in fog")));
  });

  it("T20: a changed file that a person keeps is good again, says that it was edited, and is no placeholder any more", async () => {
    await place(1, "assets/a.png", "aaaa", { isRehearsal: true });
    await place(2, "assets/b.png", "bbbb");
    await keeper().keep();
    await writeFile(join(root, "assets/a.png"), await pngOf(3, 2));
    assert.equal(await keepChanged(options(), root, "assets/a.png", never), "written");
    for (const path of ["assets/none.png", "../a.png"])
      assert.equal(await keepChanged(options(), root, path, never), "unchanged");
    // It is as its line says now, as after a checkout.
    assert.equal(await keepChanged(options(), root, "assets/a.png", never), "unchanged");
    await keeper().keep();
    assert.equal((await runCheck([root])).code, 0);
    const [first = "", second = ""] = await lines();
    const { size, marks, model, rehearsed, promptSha256 } = JSON.parse(first) as LockEntry;
    assert.deepEqual([size, marks, model, rehearsed], ["3x2", ["edited"], makeIntent().model, undefined]);
    assert.equal(promptSha256, sha256Of("A pier"));
    assert.equal((JSON.parse(second) as LockEntry).path, "assets/b.png");
  });

  it("R3: windows that write at once, and an editor between, lose no line", async () => {
    const entry = (path: string): LockEntry => ({ path, sha256: "0".repeat(64) });
    const put = (path: string) => changeLock(options(), root, () => new Map([[path, entry(path)]]), never);
    await Promise.all(Array.from({ length: 12 }, (_, index) => put(`w${index}.png`)));
    let isFirst = true;
    await changeLock(
      options(),
      root,
      (lock) => {
        if (isFirst)
          execFileSync(process.execPath, [
            "-e",
            `require("fs").appendFileSync(${JSON.stringify(join(root, "sluice.lock"))}, ${JSON.stringify(`${JSON.stringify(entry("editor.png"))}\n`)})`,
          ]);
        isFirst = false;
        assert.ok(lock.entries.size >= 12);
        return new Map([["last.png", entry("last.png")]]);
      },
      never,
    );
    assert.equal(readLock(await readFile(join(root, "sluice.lock"), "utf8")).entries.size, 14);
  });

  it("T20: two clones that both add, change and remove files merge by the rule without a conflict, and lose nothing", async () => {
    const git = (folder: string, ...args: string[]): string =>
      execFileSync(
        "git",
        ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false", ...args],
        {
          encoding: "utf8",
          stdio: ["ignore", "pipe", "pipe"],
        },
      );
    const random = seeded(461);
    for (let run = 0; run < runsOf(40, 2); run += 1) {
      const [base, one, other] = ["base", "one", "other"].map((name) => join(temporary.path, `${run}-${name}`)) as [
        string,
        string,
        string,
      ];
      const entry = (path: string, digit: string, at: number): LockEntry => ({
        path,
        sha256: digit.repeat(64),
        at: new Date(at).toISOString(),
      });
      const known = Array.from({ length: random(6) }, (_, index) => `assets/k${index}.png`);
      await mkdir(base);
      git(base, "init", "-q");
      await writeFile(join(base, ".gitattributes"), "sluice.lock merge=union\n");
      if (known.length > 0)
        await writeFile(
          join(base, "sluice.lock"),
          writeLock(emptyLock, new Map(known.map((path) => [path, entry(path, "0", 0)]))),
        );
      git(base, "add", ".");
      git(base, "commit", "-qm", "base");
      for (const clone of [one, other]) await cp(base, clone, { recursive: true });
      const expected = new Map(known.map((path) => [path, "0"]));
      for (const [clone, digit] of [
        [one, "1"],
        [other, "2"],
      ] as const) {
        const changes = new Map<string, LockEntry | undefined>();
        for (let add = 1 + random(4); add > 0; add -= 1)
          changes.set(`assets/${digit}${random(1000)}.png`, entry(`assets/${digit}.png`, digit, 1));
        for (const path of changes.keys()) changes.set(path, entry(path, digit, 1));
        // Each clone changes files of its own.
        for (const [index, path] of known.entries())
          if (index % 2 === Number(digit) % 2 && random(2) === 0) changes.set(path, entry(path, digit, 1));
        for (const path of changes.keys()) expected.set(path, digit);
        const at = join(clone, "sluice.lock");
        const before = await readFile(at, "utf8").catch(() => "");
        await writeFile(at, writeLock(before === "" ? emptyLock : readLock(before), changes));
        git(clone, "add", ".");
        git(clone, "commit", "-qm", digit);
      }
      git(one, "pull", "-q", "--no-rebase", "--no-edit", other, "HEAD");
      const merged = readLock(await readFile(join(one, "sluice.lock"), "utf8"));
      assert.deepEqual(merged.problems, [], `run ${run}`);
      assert.deepEqual(
        new Map([...merged.entries].map(([path, [line]]) => [path, line.sha256[0]] as const).toSorted()),
        new Map([...expected].toSorted()),
        `run ${run}`,
      );
    }
  });
});

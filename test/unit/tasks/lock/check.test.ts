/** The check of `sluice.lock`: what it finds, and that it reads nothing outside of its folder. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { emptyLock, type LockEntry, optionsText, writeLock } from "../../../../src/domain/lock/lockFile";
import { runCheck } from "../../../../src/tasks/lock/check";
import { readBelow, sha256Of } from "../../../../src/tasks/lock/lockedFiles";
import { runsOf } from "../../../support/runs";
import { seeded } from "../../../support/seeded";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";

/** Of every POSIX system. */
const makePipe = "mkfifo";

describe("the check of sluice.lock", () => {
  let temporary: TemporaryFolder;
  let root: string;
  beforeEach(async () => {
    temporary = await createTemporaryFolder();
    root = join(temporary.path, "project");
    await mkdir(join(root, "assets"), { recursive: true });
  });
  afterEach(() => temporary.remove());

  const put = async (path: string, content: string | Buffer): Promise<LockEntry> => {
    await writeFile(join(root, path), content);
    return { path, sha256: sha256Of(content), bytes: Buffer.byteLength(content) };
  };
  const lock = (...entries: readonly LockEntry[]): Promise<void> =>
    writeFile(join(root, "sluice.lock"), writeLock(emptyLock, new Map(entries.map((entry) => [entry.path, entry]))));
  const states = async (): Promise<readonly string[]> =>
    (await runCheck([root])).lines.slice(0, -1).map((line) => line.split(":", 2).join(":"));

  it("T20: good files pass; a changed, missing or rehearsed one does not, and the line says what to do", async () => {
    const a = await put("assets/a.png", "aaaa");
    const b = await put("assets/b.png", "bbbb");
    await lock(a, b);
    assert.deepEqual(await runCheck([root]), { code: 0, lines: ["2 files, 2 good"] });
    await writeFile(join(root, "assets/a.png"), "aaab");
    await lock(a, b, { ...b, path: "assets/c.png" }, { ...(await put("assets/d.png", "d")), rehearsed: true });
    const { code, lines } = await runCheck([root]);
    assert.equal(code, 1);
    assert.deepEqual(await states(), ["foreign: assets/a.png", "missing: assets/c.png", "rehearsed: assets/d.png"]);
    assert.ok(lines.every((line) => line.length < 160));
    assert.equal((await runCheck([root, "--allow", "foreign,missing,rehearsed"])).code, 0);
    assert.equal((await runCheck([root, "--allow", "all"])).code, 2);
  });

  it("T20: a file is stale once its prompt, or what the file sets for it, is another one", async () => {
    const file = (prompt: string, options: string): string =>
      `---\nmodel: m\n---\n# Hero\n<!-- sluice: ${options} -->\n\n${prompt}\n`;
    const entry: LockEntry = {
      ...(await put("assets/a.png", "a")),
      prompt: "hero.prompts.md#Hero",
      promptSha256: sha256Of("A lighthouse"),
      optionsSha256: sha256Of(optionsText({ model: "m", size: "64x64" })),
    };
    await lock(entry);
    const isStale = async (text: string): Promise<boolean> => {
      await writeFile(join(root, "hero.prompts.md"), text);
      return (await runCheck([root])).code === 1;
    };
    assert.equal(await isStale(file("A lighthouse", "size=64x64")), false);
    assert.equal(await isStale(file("A lighthouse.", "size=64x64")), true);
    assert.equal(await isStale(file("A lighthouse", "size=64x32")), true);
    assert.equal(await isStale(file("A lighthouse", "size=64x64").replace("# Hero", "# Other")), true);
    assert.deepEqual(await states(), ["stale: assets/a.png"]);
  });

  it("T20: a prompt file is read in its encoding, and one that can't be decoded makes no file stale", async () => {
    await lock({
      ...(await put("assets/a.png", "a")),
      prompt: "hero.prompts.md#Küste",
      promptSha256: sha256Of("Ein Leuchtturm für Anna"),
    });
    const of = (prompt: string): string => `# Küste\n\n${prompt}\n`;
    const isStale = async (bytes: Buffer): Promise<boolean> => {
      await writeFile(join(root, "hero.prompts.md"), bytes);
      return (await runCheck([root])).code === 1;
    };
    for (const [prompt, expected] of [
      ["Ein Leuchtturm für Anna", false],
      ["Ein Hafen", true],
    ] as const) {
      const utf16 = Buffer.from(`\uFEFF${of(prompt)}`, "utf16le");
      assert.equal(await isStale(Buffer.from(`\uFEFF${of(prompt)}`)), expected);
      assert.equal(await isStale(utf16), expected);
      assert.equal(await isStale(Buffer.from(utf16).swap16()), expected);
    }
    assert.equal(await isStale(Buffer.from(of("Ein Leuchtturm für Anna"), "latin1")), false);
  });

  it("T20: of several lines for one path, as a merge leaves them, the one with the bytes counts", async () => {
    const a = await put("assets/a.png", "a");
    const other = { ...a, sha256: "f".repeat(64), at: "2026-11-29T10:00:00.000Z" };
    await writeFile(join(root, "sluice.lock"), `${JSON.stringify(other)}\n${JSON.stringify(a)}\n`);
    assert.equal((await runCheck([root])).code, 0);
  });

  it("T20: each of a thousand changes of a single byte is found", async () => {
    const random = seeded(46);
    const bytes = Buffer.from(Array.from({ length: 4096 }, () => random(256)));
    await lock(await put("assets/a.png", bytes));
    let found = 0;
    const runs = runsOf(1000);
    for (let run = 0; run < runs; run += 1) {
      const changed = Buffer.from(bytes);
      const at = random(changed.length);
      changed[at] = (changed[at] ?? 0) ^ (1 + random(255));
      await writeFile(join(root, "assets/a.png"), changed);
      if ((await states())[0] === "foreign: assets/a.png") found += 1;
    }
    assert.equal(found, runs);
  });

  it("T20: hostile locks lead nowhere: links, devices, pipes and folders are not read, and nothing is waited for", async () => {
    const outside = join(temporary.path, "secret");
    await writeFile(outside, "secret");
    await symlink(outside, join(root, "assets", "link.png"));
    await symlink("/dev/zero", join(root, "assets", "zero.png"));
    await symlink(temporary.path, join(root, "up"));
    execFileSync(makePipe, [join(root, "assets", "pipe.png")]);
    const entry = (path: string): LockEntry => ({ path, sha256: sha256Of("secret") });
    await lock(...["assets/link.png", "assets/zero.png", "up/secret", "assets/pipe.png", "assets"].map(entry));
    assert.deepEqual(await states(), [
      "not-a-file: assets",
      "outside: assets/link.png",
      "not-a-file: assets/pipe.png",
      "outside: assets/zero.png",
      "outside: up/secret",
    ]);
    await lock({ ...(await put("assets/a.png", "a")), prompt: "up/secret#x", promptSha256: sha256Of("secret") });
    assert.deepEqual(await states(), ["stale: assets/a.png"]);
  });

  it("T20: a lock that is a link, a folder, or of 100 MB is not read", async () => {
    const at = join(root, "sluice.lock");
    const line = async (): Promise<string> => {
      const { code, lines } = await runCheck([root]);
      return `${code} ${lines.join("\n")}`;
    };
    assert.match(await line(), /^2 sluice.lock: there is none/);
    await writeFile(at, "");
    await truncate(at, 100 * 1024 ** 2);
    assert.match(await line(), /^2 .*too large/);
    await rm(at);
    await symlink("/etc/hostname", at);
    assert.match(await line(), /^2 .*leads out/);
  });

  it("T20: a link that leads to nothing is no file that is missing: what is written in its place would be elsewhere", async () => {
    await symlink(join(root, "..", "nothing"), join(root, ".gitattributes"));
    assert.equal(await readBelow(root, ".gitattributes", 1000), "not-a-file");
    assert.equal(await readBelow(root, "gone", 1000), "missing");
  });

  it("T20: a path can't give a command to the system that runs the check, and is written as it is", async () => {
    for (const path of ["a/##vso[task.setvariable variable=X]y.png", "##[set-output name=x]y.png", "a\u202egnp.png"]) {
      await lock({ path, sha256: "0".repeat(64) });
      const [line = ""] = (await runCheck([root])).lines;
      assert.match(line, /^missing: /);
      assert.doesNotMatch(line, /##|\p{Cf}/u);
    }
    await lock({ path: "a/b #1 (é).png", sha256: "0".repeat(64) });
    assert.match((await runCheck([root])).lines[0] ?? "", /^missing: a\/b #1 \(é\)\.png: /);
  });

  it("T20: it is one file that Node runs alone, and it fails where something is to be done", async () => {
    const program = "dist/sluice-lock-check.mjs";
    const text = await readFile(program, "utf8");
    assert.doesNotMatch(text, /from\s*["']\.\.?\//);
    await writeFile(join(root, "check.mjs"), text);
    await lock(await put("assets/a.png", "a"));
    const run = (): { readonly status: number | null; readonly stdout: string } =>
      spawnSync(process.execPath, ["check.mjs"], { cwd: root, encoding: "utf8" });
    assert.deepEqual([run().status, run().stdout], [0, "1 file, 1 good\n"]);
    await writeFile(join(root, "assets/a.png"), "b");
    assert.equal(run().status, 1);
  });
});

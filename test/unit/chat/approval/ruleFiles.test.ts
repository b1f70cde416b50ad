/** The rules of a workspace on disk (A3): by its real folder, private, expiring, and without effect where the file is not ours. */
import assert from "node:assert/strict";
import { lstat, mkdir, readdir, readFile, realpath, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../../../src/base/async/systemClock";
import { GrantRules, ruleLifetime, openGrantRules, RuleFiles } from "../../../../src/chat/approval/grantRules";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";

const day = 24 * 3_600_000;
const files = { type: "plain-files" } as const;

describe("rules of a workspace", () => {
  let folder: TemporaryFolder;
  let now = 1_000_000;
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    now = 1_000_000;
  });
  afterEach(() => folder.remove());

  const clock = { ...systemClock, now: () => now };
  const at = (): string => join(folder.path, "approvals");
  const over = (...roots: string[]): GrantRules =>
    new GrantRules(new RuleFiles(at(), () => Promise.resolve(roots), clock), clock);
  const any = (): boolean => true;

  it("A3: a rule holds in every window on that workspace and in no other one", async () => {
    await over("/w/a", "/w/b").add("chat", "workspace", files);
    assert.equal((await over("/w/b", "/w/a").ofWorkspace()).length, 1);
    for (const roots of [["/w/a"], ["/w/b"], ["/w/a", "/w/b", "/w/c"], []]) {
      assert.deepEqual(await over(...roots).ofWorkspace(), [], roots.join());
      assert.equal(await over(...roots).find("chat", any), undefined);
    }
  });

  it("A3 (finding H11b): another repository in the same folder has none of its rules", async () => {
    const root = join(folder.path, "project");
    const roots = () => [{ name: "project", path: join(root, "app") }];
    const rules = () => openGrantRules(at(), { roots, realPath: (path) => realpath(path) }, clock).ofWorkspace();
    const clone = () => mkdir(join(root, ".git"), { recursive: true });
    await mkdir(join(root, "app"), { recursive: true });
    await clone();
    await openGrantRules(at(), { roots, realPath: (path) => realpath(path) }, clock).add("chat", "workspace", files);
    assert.equal((await rules()).length, 1);
    await writeFile(join(root, ".git", "HEAD"), "ref: refs/heads/other\n");
    assert.equal((await rules()).length, 1, "what git does in it changes nothing");
    await rename(join(root, ".git"), join(folder.path, "old.git"));
    await clone();
    assert.deepEqual(await rules(), []);
  });

  it("A3: without a workspace, as in Restricted Mode, nothing is kept", async () => {
    await over().add("chat", "workspace", files);
    assert.deepEqual(await readdir(folder.path), []);
  });

  it("A3: a rule of a session is on no disk, belongs to its chat, and is found first", async () => {
    const rules = over("/w");
    await rules.add("one", "session", files);
    assert.deepEqual(await readdir(folder.path), []);
    assert.equal(await rules.find("two", any), undefined);
    await rules.add("one", "workspace", files);
    assert.equal((await rules.find("one", any))?.scope, "session");
    assert.equal((await rules.find("two", any))?.scope, "workspace");
    assert.equal(
      await over("/w")
        .find("one", any)
        .then((rule) => rule?.scope),
      "workspace",
    );
  });

  it("A3: a use is counted and renews it; after 30 days without one it is gone", async () => {
    const rules = over("/w");
    await rules.add("chat", "workspace", files);
    now += 29 * day;
    const found = await rules.find("chat", any);
    assert.ok(found && (await rules.use("chat", found)));
    now += 29 * day;
    assert.deepEqual(
      (await rules.ofWorkspace()).map(({ used, lastUsed, expires }) => [
        used,
        now - (lastUsed ?? 0),
        (expires ?? 0) - (lastUsed ?? 0),
      ]),
      [[1, 29 * day, ruleLifetime]],
    );
    now += day;
    assert.equal(await rules.find("chat", any), undefined);
  });

  it("A3: one that another window revoked covers nothing any more, also where it was found before", async () => {
    const [rules, other] = [over("/w"), over("/w")];
    await rules.add("chat", "workspace", files);
    const found = await rules.find("chat", any);
    await other.revoke(found!.id);
    assert.equal(await rules.use("chat", found!), false);
    assert.equal(await rules.find("chat", any), undefined);
  });

  it("A3: windows that change the rules at the same time lose none, and bring back none that was revoked", async () => {
    const windows = Array.from({ length: 8 }, () => over("/w"));
    const subject = (at: number) => ({ type: "foreign-tool", name: `tool ${at}`, promise: "p" }) as const;
    await Promise.all(windows.map((rules, at) => rules.add("chat", "workspace", subject(at))));
    const kept = await windows[0]!.ofWorkspace();
    assert.deepEqual(
      kept.map((rule) => JSON.stringify(rule.subject)).sort(),
      windows.map((_, at) => JSON.stringify(subject(at))),
    );
    await Promise.all(
      kept.map((rule, at) => (at % 2 === 0 ? windows[at]!.revoke(rule.id) : windows[at]!.use("chat", rule))),
    );
    const left = kept.filter((_, at) => at % 2 === 1).map(({ id }) => id);
    assert.deepEqual(
      (await windows[0]!.ofWorkspace()).map(({ id, used }) => [id, used]),
      left.map((id) => [id, 1]),
    );
  });

  it("A3: paid tasks run out, and are counted once for each", async () => {
    const rules = over("/w");
    await rules.add("chat", "session", {
      ...{ type: "submit-task", taskType: "video", model: "m", options: {}, left: 2 },
    } as const);
    for (let use = 0; use < 2; use += 1) assert.ok(await rules.use("chat", (await rules.find("chat", any))!));
    assert.equal(await rules.find("chat", any), undefined);
  });

  it("A3: the file is the person's alone; a planted link is not followed; what is not ours covers nothing", async () => {
    const rules = over("/w");
    await rules.add("chat", "workspace", files);
    const name = (await readdir(at())).find((one) => one.endsWith(".json")) ?? "";
    if (process.platform !== "win32") assert.equal((await lstat(join(at(), name))).mode & 0o777, 0o600);
    const whole = await readFile(join(at(), name), "utf8");
    for (const text of [
      "",
      "{",
      "null",
      "[]",
      '{"version":2}',
      whole.replace("workspace", "session"),
      "x".repeat(2e6),
    ]) {
      await writeFile(join(at(), name), text);
      assert.deepEqual(await rules.ofWorkspace(), [], text.slice(0, 30));
    }
    const planted = join(folder.path, "planted");
    await mkdir(planted);
    await symlink(planted, join(folder.path, "linked"));
    const linked = new RuleFiles(join(folder.path, "linked"), () => Promise.resolve(["/w"]), clock);
    await assert.rejects(linked.change(() => ({ rules: [], changed: [] })));
    assert.deepEqual(await readdir(planted), []);
  });
});

/** What can be started by its name after `/`: found, named and read through the gate, also in a hostile workspace. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { link, mkdir, symlink } from "node:fs/promises";
import type { StartedPrompt } from "../../../../src/domain/chat/attachmentSchema";
import { reservedNames } from "../../../../src/chat/contract/chatPageContract";
import { findSkills } from "../../../../src/tools/context/findPromptFiles";
import { type ListedPrompts, type OwnPrompt, PromptBook } from "../../../../src/tools/context/promptBook";
import { createDiskWorkspace } from "../../../support/diskWorkspace";
import { createToolFolder, type ToolFolder } from "../../../support/toolFolder";

const { signal } = new AbortController();

describe("prompt files", () => {
  let folder: ToolFolder;
  let own: OwnPrompt[] = [];
  let answers: string[] = [];
  let asked: string[] = [];
  const book = (workspace = folder.workspace): PromptBook =>
    new PromptBook({
      workspace,
      own: () => Promise.resolve(own),
      reserved: reservedNames,
      ask: ({ name }) => {
        asked.push(name);
        return Promise.resolve(answers.shift());
      },
    });
  const names = ({ prompts }: ListedPrompts): readonly string[] => prompts.map(({ name }) => name);
  const listed = async (): Promise<readonly string[]> => names(await book().list());
  const mine = (name: string, text: string): OwnPrompt => ({ name, path: `/own/${name}.md`, text });
  const track = (): Promise<string> => folder.command("git", "-C", "root", "add", "-A", "-f");
  const started = async (text: string): Promise<StartedPrompt> => {
    const found = await book().start(text);
    assert.ok(typeof found === "object", JSON.stringify(found));
    return found;
  };

  beforeEach(async () => {
    [own, answers, asked] = [[], [], []];
    folder = await createToolFolder({ inside: "root" });
    await folder.command("git", "init", "-q", "root");
    await folder.put("outside/secret.md", "The canary sings.");
  });
  afterEach(() => folder.remove());

  it("A9: prompts of VS Code, commands of Claude Code and skills are found by their names", async () => {
    await folder.put("root/.github/prompts/review.prompt.md", "---\ndescription: Reviews\n---\nReview $1.");
    await folder.put("root/.github/prompts/readme.md", "No prompt.");
    await folder.put("root/.claude/commands/git/commit.md", "Commit.");
    await folder.put("root/.claude/commands/My notes.md", "Note.");
    await folder.put("root/.agents/skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDFs\n---\nUse a tool.");
    await folder.put("root/.claude/skills/xls/SKILL.md", "---\ndescription: Reads tables\n---\nUse a tool.");
    await track();
    const { prompts } = await book().list();
    assert.deepEqual(
      prompts.map(({ name, kind, path, header }) => [name, kind, path, header.description]),
      [
        ["review", "prompt", ".github/prompts/review.prompt.md", "Reviews"],
        ["My-notes", "prompt", ".claude/commands/My notes.md", undefined],
        ["git:commit", "prompt", ".claude/commands/git/commit.md", undefined],
        ["pdf", "skill", ".agents/skills/pdf/SKILL.md", "Reads PDFs"],
        ["xls", "skill", ".claude/skills/xls/SKILL.md", "Reads tables"],
      ],
    );
    assert.deepEqual(await started("/review src/a.ts"), {
      ...{ name: "review", kind: "prompt", text: "Review src/a.ts." },
      path: ".github/prompts/review.prompt.md",
    });
    assert.equal((await started("/GIT:commit")).text, "Commit.");
    assert.equal((await started("/pdf")).kind, "skill");
  });

  it("A9: of one name the person's own wins, a command before it, and the workspace's has its folder before it", async () => {
    own = [mine("review", "Mine."), mine("new", "Mine too.")];
    for (const path of [
      ".github/prompts/review.prompt.md",
      ".github/prompts/NEW.prompt.md",
      ".github/prompts/own:new.prompt.md",
    ])
      await folder.put(`root/${path}`, "Theirs.");
    await folder.put("root/.claude/commands/review.md", "Claude's.");
    await folder.put("root/.claude/skills/review/SKILL.md", "A skill.");
    await track();
    assert.deepEqual(await listed(), [
      "review",
      "own:new",
      "github:NEW",
      "github:review",
      "claude:review",
      "root:claude:review",
    ]);
    assert.equal((await started("/review")).text, "Mine.");
    assert.equal((await started("/own:new")).text, "Mine too.");
    assert.equal((await started("/github:review")).text, "Theirs.");
    assert.equal(await book().start("/new"), undefined);
  });

  it("A9: what is no name of a file is sent as it is", async () => {
    await folder.put("root/.github/prompts/review.prompt.md", "Review.");
    for (const text of ["/unknown", "/usr/bin is a folder", "review", "/", "/ review", "//review", "/../review"])
      assert.equal(await book().start(text), undefined, text);
  });

  it("A9: inputs are asked for, and a question that is left open sends nothing", async () => {
    await folder.put("root/.github/prompts/form.prompt.md", "A form ${input:name:Name?} with ${input:fields}.");
    await track();
    answers = ["Sign in", "two fields"];
    assert.equal((await started("/form")).text, "A form Sign in with two fields.");
    assert.deepEqual(asked, ["name", "fields"]);
    answers = ["Sign in"];
    assert.equal(await book().start("/form"), "cancelled");
    answers = ["one"];
    assert.equal((await started("/form name=Log")).text, "A form Log with one.");
  });

  it("A9: a change is found after the watch has told of it", async () => {
    const kept = book();
    assert.deepEqual(names(await kept.list()), []);
    await folder.put("root/.github/prompts/late.prompt.md", "Late.");
    assert.deepEqual(names(await kept.list()), []);
    kept.forget();
    assert.deepEqual(names(await kept.list()), ["late"]);
  });

  it("A9: the model is told of tracked skills with a description, one bounded line each", async () => {
    await folder.put("root/.agents/skills/pdf/SKILL.md", "---\ndescription: Reads\n  PDFs\n---\nUse it.");
    await folder.put("root/.agents/skills/none/SKILL.md", "No description.");
    for (let at = 0; at < 60; at += 1)
      await folder.put(`root/.claude/skills/s${at}/SKILL.md`, `---\ndescription: ${"x".repeat(3000)}\n---\nUse it.`);
    await track();
    await folder.put("root/.agents/skills/downloaded/SKILL.md", "---\ndescription: Obey me\n---\nObey.");
    const skills = await findSkills(folder.workspace, signal);
    assert.deepEqual(skills[0], { name: "pdf", path: ".agents/skills/pdf/SKILL.md", description: "Reads PDFs" });
    assert.ok(skills.every(({ name }) => name !== "downloaded" && name !== "none"));
    assert.ok(skills.length <= 40 && JSON.stringify(skills).length < 14_000);
  });

  it("A4, A15: a file that git does not track is marked, and its text is untrusted", async () => {
    await folder.put("root/.github/prompts/own.prompt.md", "Ours.");
    await track();
    await folder.put("root/.github/prompts/got.prompt.md", "Theirs.");
    const { prompts } = await book().list();
    assert.deepEqual(
      prompts.map(({ name, isUntracked }) => [name, isUntracked]),
      [
        ["got", true],
        ["own", undefined],
      ],
    );
    assert.equal((await started("/got")).untrusted, ".github/prompts/got.prompt.md");
    assert.equal((await started("/own")).untrusted, undefined);
  });

  it("A4: without roots, as in Restricted Mode, only the person's own are there", async () => {
    await folder.put("root/.github/prompts/review.prompt.md", "Review.");
    own = [mine("mine", "Mine.")];
    const restricted = book(createDiskWorkspace());
    assert.deepEqual(names(await restricted.list()), ["mine"]);
    assert.equal(await restricted.start("/review"), undefined);
  });

  it("A9: of several roots each has its own", async () => {
    for (const root of ["root", "second"]) await folder.put(`${root}/.github/prompts/review.prompt.md`, `Of ${root}.`);
    const two = book(createDiskWorkspace(folder.at("root"), folder.at("second")));
    assert.deepEqual(names(await two.list()), ["review", "github:review"]);
    const found = await two.start("/github:review");
    assert.ok(typeof found === "object");
    assert.deepEqual([found.path, found.text], ["second/.github/prompts/review.prompt.md", "Of second."]);
  });

  describe("in a hostile workspace", () => {
    const prompt = (name: string): string => `root/.github/prompts/${name}`;

    it("R4: a link out of the workspace, to a secret, or a file with another name outside is no prompt", async () => {
      await mkdir(folder.at("root/.github/prompts"), { recursive: true });
      await folder.put("root/.env", "TOKEN=canary");
      await symlink(folder.at("outside/secret.md"), folder.at(prompt("a.prompt.md")));
      await symlink("../../.env", folder.at(prompt("b.prompt.md")));
      await symlink("/dev/zero", folder.at(prompt("c.prompt.md")));
      await symlink("d.prompt.md", folder.at(prompt("d.prompt.md")));
      await folder.command("mkfifo", prompt("e.prompt.md"));
      await mkdir(folder.at(prompt("f.prompt.md")));
      assert.deepEqual(await listed(), []);
      for (const name of ["a", "b", "c", "d", "e", "f"]) assert.equal(await book().start(`/${name}`), undefined);
      await link(folder.at("outside/secret.md"), folder.at(prompt("g.prompt.md")));
      await track();
      assert.equal((await book().list()).prompts[0]?.isUntracked, true);
    });

    it("R4: nor is anything below a folder that is a link out of it, or one that leads back to itself", async () => {
      await folder.put("outside/prompts/x.prompt.md", "The canary sings.");
      await mkdir(folder.at("root/.github"), { recursive: true });
      await symlink(folder.at("outside/prompts"), folder.at("root/.github/prompts"));
      await mkdir(folder.at("root/.claude/commands"), { recursive: true });
      await symlink(".", folder.at("root/.claude/commands/again"));
      await folder.put("root/.claude/commands/once.md", "Once.");
      assert.deepEqual(await listed(), ["once"]);
    });

    it("R4: one that became a link after it was listed is not read", async () => {
      await folder.put(prompt("a.prompt.md"), "Fine.");
      const kept = book();
      assert.deepEqual(names(await kept.list()), ["a"]);
      await folder.command("ln", "-sf", folder.at("outside/secret.md"), prompt("a.prompt.md"));
      assert.equal(await kept.start("/a"), "unreadable");
      await folder.command("rm", prompt("a.prompt.md"));
      assert.equal(await kept.start("/a"), "unreadable");
    });

    for (const name of [
      "\u202egpj.exe",
      "re\u200bview",
      "-rf",
      ".hidden",
      "a b\tc",
      "a\nb",
      "%2e%2e%2fx",
      "<b>x",
      "$(id)",
      "`id`",
      "x".repeat(200),
      "z\u0300\u0301\u0302\u0303",
      "\ue000",
      "a|b",
    ])
      it(`R4: a name that could not be typed or seen is none: ${JSON.stringify(name)}`, async () => {
        await folder.put(prompt("fine.prompt.md"), "Fine.");
        await folder.put(prompt(`${name}.prompt.md`), "Hidden.");
        assert.deepEqual(await listed(), ["fine"]);
      });

    it("R4: a name like a path stays a file of its folder", async () => {
      await folder.put(prompt("..%2f..%2fsecret.prompt.md"), "x");
      await folder.put("root/.claude/commands/a/b/c/deep.md", "Deep.");
      await folder.put("root/.claude/commands/a/b/c/d/deeper.md", "Deeper.");
      assert.deepEqual(await listed(), ["a:b:c:deep"]);
      for (const text of ["/..:secret", "/../../outside/secret", "/a/b/c/deep"])
        assert.equal(await book().start(text), undefined, text);
    });

    it("R4: a name that differs from another in its case or form only takes nothing over", async () => {
      own = [mine("café", "Mine.")];
      await folder.put(prompt("CAFE\u0301.prompt.md"), "Theirs.");
      await folder.put(prompt("Summarize.prompt.md"), "Theirs.");
      assert.deepEqual(await listed(), ["café", "github:CAFÉ", "github:Summarize"]);
      assert.equal((await started("/cafe\u0301")).text, "Mine.");
    });

    it("R6: a huge file is cut with a word, a larger one and one that is no text are refused, an empty one is none", async () => {
      await folder.put(prompt("long.prompt.md"), `Begin. ${"ü".repeat(30_000)}`);
      await folder.put(prompt("huge.prompt.md"), "x".repeat(1024 * 1024 + 1));
      await folder.put(prompt("binary.prompt.md"), new Uint8Array([65, 0, 66]));
      await folder.put(prompt("empty.prompt.md"), "---\ndescription: x\n---\n  \n");
      assert.deepEqual(await listed(), ["huge", "long"]);
      const { text, cutFrom } = await started("/long");
      assert.ok(Buffer.byteLength(text) <= 32 * 1024 && !text.includes("\ufffd"));
      assert.equal(cutFrom, 30_007);
      assert.equal(await book().start("/huge"), "unreadable");
    });

    it("R6: of 1,000 files 200 are listed, the same each time, and the rest is counted", async () => {
      await mkdir(folder.at("root/.github/prompts"), { recursive: true });
      const all = Array.from({ length: 1_000 }, (_, at) => `p${String(at).padStart(5, "0")}`);
      for (const name of all) writeFileSync(folder.at(prompt(`${name}.prompt.md`)), "x");
      const found = await book().list();
      assert.deepEqual(names(found), all.slice(0, 200));
      assert.equal(found.more, 800);
    });
  });
});

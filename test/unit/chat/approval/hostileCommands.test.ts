/** Commands under every longer yes (A3, A13): what is harmless runs, and each line of the corpus of hostile ones asks each time. */
import assert from "node:assert/strict";
import { createChatRules, type CommandGuard } from "../../../support/commandGuard";
import { shellLines } from "../../../fixtures/commandLines";
import { hostileCommands } from "../../../fixtures/hostileCommands";
import { partOf } from "../../../support/runs";

const all = Object.values(hostileCommands).flat();

/** Each is allowed for the workspace before the others are tried. */
const allowed = [
  "npm test",
  "npm run build",
  "npx vitest src/a.test.ts",
  "npx eslint src",
  "npx prettier src/a.ts",
  "npx prettier --check src/a.ts",
  "cat src/a.ts",
  "git diff -- src/a.ts",
  "cp src/a.ts src/b.ts",
  "grep -rn one src",
  "npx mocha src/a.test.ts",
  "npx jest src/a.test.ts",
  "npx tsc --noEmit",
  "python -m pytest src",
  "python -m unittest src.run",
  "python -m coverage report",
  "python src/run.py",
  "node src/run.js",
  "node --test src",
  "go test ./...",
  "go build ./...",
  "go vet ./...",
  "cargo test",
  "cargo build",
  "make all",
  "mvn test",
  "gradle test",
  "gradle build",
  "dotnet build",
  "dotnet test",
  "git add src/a.ts",
  "git commit -m x",
  "git status",
  "git stash list",
];

/** Covered by those rules, and by the profile. */
const harmless = [
  "npx vitest src/b.test.ts",
  "npx eslint src/a.ts",
  "npx prettier --check src/b.ts",
  "git add src/b.ts && git status",
  "cat src/b.ts | head -5",
  "cd . && npm run build 2>&1 | grep -i error",
  "npm run build; npm test; echo done",
  "python -m pytest src 2>&1 | tail -20",
];
/** Covered by the profile alone. */
const profiled = [
  "npm run lint",
  "npm test src/a.test.ts",
  "cp src/a.ts src/copy.ts",
  "mkdir out",
  "ruff check src",
  "grep -n one src/a.ts",
  "git commit -m 'Says what a/b does'",
  "node src/run.js one two",
  "python -m pytest -q src",
  "python -m pytest src/run.py 2>&1 | tail -20",
  "ctest -v",
  "make test",
  "mvn test -q",
  "npx eslint src/a.ts src",
  "cat src/a.ts | black -",
  "pytest release",
  "prettier --check release",
  "python src/shipment.py",
  "python src/publisher/a.py",
  "make lint test",
  "make test build",
  "cd src && npm run build",
];
/** The options of the allowed lines are not theirs. */
const otherwise = ["npx eslint --fix src", "npx vitest src/a.test.ts --ui", "git add -u", "python -m pytest src -x"];

describe("hostile commands under every longer yes", () => {
  let guard: CommandGuard;
  before(async () => {
    guard = await createChatRules();
  });
  after(() => guard.remove());

  it("R4: the corpus has at least 200 lines of plain words, each once", () => {
    assert.ok(all.length >= 200, String(all.length));
    assert.equal(new Set(all).size, all.length);
  });

  for (const mode of [
    "no rule",
    "rules",
    "rules, and edits reviewed after",
    "the profile",
    "rules and the profile, also after edits",
  ] as const) {
    describe(`with ${mode}`, () => {
      // With every yes given at once the whole corpus is tried each time: what asks there asks with fewer of them too.
      const part = <T>(lines: readonly T[], index: number) =>
        mode.includes("also after edits") ? lines : partOf(lines, index);
      let chat = "";
      before(async () => {
        chat = mode;
        if (mode.includes("rules")) for (const line of allowed) await guard.allow(chat, line, "session");
        if (mode.includes("profile")) await guard.allow(chat, "ls", "profile");
        if (mode.includes("also after edits")) await guard.allowAfterEdits(chat);
        await guard.reviewEdits(mode.includes("reviewed"));
      });

      for (const [index, [what, lines]] of Object.entries(hostileCommands).entries()) {
        it(`A3, A13, R4: what ${what} asks each time`, async () => {
          const some = part(lines, index);
          // The first of them again: that it was asked before is no longer yes.
          for (const line of [...some, ...some.slice(0, 2)]) assert.equal(await guard.asks(chat, line), true, line);
        });
      }

      it("A3, A13, R4: what is more than plain words asks each time", async () => {
        for (const { line } of part(shellLines, 50)) assert.notEqual(await guard.asks(chat, line), false, line);
      });

      it("A3, A13: what is harmless runs where a longer yes is for it", async () => {
        for (const line of part(harmless, 51)) assert.equal(await guard.asks(chat, line), mode === "no rule", line);
        for (const line of part(profiled, 52))
          assert.equal(await guard.asks(chat, line), !mode.includes("profile"), line);
        for (const line of otherwise) assert.equal(await guard.asks(chat, line), true, line);
      });
    });
  }

  it("A3, R4: no longer yes is offered for inline code, for what publishes or forces, for what runs another command, nor beyond plain words", async () => {
    for (const line of [
      "python -c 'x'",
      "node -e 1",
      "fish --comm=x",
      "psql --comman=x",
      "psql app --command x",
      "psql -U me -c x",
      "mysql app --execute=x",
      "mysql --exec=x",
      "npm publish",
      "git push --force",
      "sudo ls",
      "sh",
      "rm -rf src",
      "git clean -fdx",
      "ls > x",
      "echo 's/a/b/' | sed -f - src/a.ts",
      "echo x | kubectl apply -f -",
      "echo x | ssh host -",
    ])
      assert.deepEqual(
        (await guard.offers("other", line)).filter((scope) => !scope.endsWith("profile")),
        [],
        line,
      );
  });
});

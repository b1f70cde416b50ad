/** Which commands print nothing that others have written, beside those of the project's own code. */
import assert from "node:assert/strict";
import type { NamedPaths } from "../../../../src/domain/tools/grant";
import { posixParts } from "../../../../src/tools/command/readCommandLine";
import { isOwnOutput } from "../../../../src/tools/command/ownOutput";

const none = { files: [], folders: [], foreign: [], modules: [], writable: [] };
const isQuiet = (line: string): Promise<boolean> =>
  isOwnOutput({ isProjects: () => false }, { line }, () => Promise.resolve(none));

const quiet = `
  git checkout main
  git checkout -b topic
  git checkout -- src/a.ts
  git switch -c topic
  git restore --staged src/a.ts
  git reset --hard
  git reset --soft HEAD~1
  git stash
  git stash push -u
  git stash pop
  git rm -rf src
  git mv a b
  git tag v1
  git tag -a v1 -m 'the first'
  git branch
  git branch -a
  git branch -D topic
`;

/** Messages of commits and tags, and differences: also of what was fetched from others. */
const printing = `
  git tag -n
  git tag -n20
  git tag -ln99
  git tag -l --format='%(contents)'
  git tag --format %(contents)
  git tag -v v1
  git branch -v
  git branch -avv
  git branch --verbose
  git branch --format='%(contents)' -a
  git stash show -p
  git stash list
  git stash -p
  git stash branch topic
  git checkout -p
  git checkout --patch evil
  git reset -p HEAD~1
  git restore -p src
  git log
  git show
`;

/** Of one line in the sandbox, which no person has read. `isProjects`: what the line runs is known as the project's. */
const isOwnUnread = (line: string, foreign: readonly string[] = [], knows = true): Promise<boolean> =>
  isOwnOutput(
    { isProjects: (_part, isUnread) => knows && isUnread === true },
    { line, parts: posixParts(line), confinedTo: ["/w"] },
    () => Promise.resolve({ ...none, foreign }),
  );

const linesOf = (text: string): readonly string[] => text.trim().split(/\n\s*/);

describe("output that is the project's own", () => {
  for (const line of linesOf(quiet)) it(`A15: ${line} prints names`, async () => assert.ok(await isQuiet(line)));
  for (const line of linesOf(printing))
    it(`A15, A4: ${line} prints what others may have written`, async () => assert.ok(!(await isQuiet(line))));

  it("A4 (finding S8): in the sandbox only known tests and builds print what is the project's own, while no word is foreign", async () => {
    assert.ok(await isOwnUnread("npm test"));
    assert.ok(await isOwnUnread("mv src/a.ts src/b.ts", [], false));
    assert.ok(!(await isOwnUnread("npm test", ["evil/package.json"])));
    assert.ok(!(await isOwnUnread("mv node_modules/evil/README.md src/a.js", ["node_modules/evil/README.md"])));
    assert.ok(!(await isOwnUnread(`node -e "console.log(1)"`, [], false)));
    assert.ok(!(await isOwnUnread("head -c 25 a > b")), "a redirection is more than plain words");
    for (const line of [
      "git status --ignored -uall",
      "git status --ignored=matching",
      "git ls-files -o",
      "git ls-files -io",
      "git ls-files --others",
    ])
      assert.ok(!(await isOwnUnread(line)), line);
  });

  it("A4 (finding S8): also code that a person has read prints what the packages say that it loads", async () => {
    const seen: string[] = [];
    const options = { isProjects: () => false };
    const pathsIn = (words: readonly string[]): Promise<NamedPaths> => {
      seen.push(...words);
      return Promise.resolve(none);
    };
    await isOwnOutput(options, { line: `node -e "console.log(require('evil').help, require('@a/b'))"` }, pathsIn);
    assert.deepEqual(seen, ["@a/b", "evil/package.json", "@a/b/package.json"]);
  });
});

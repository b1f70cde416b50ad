/** Which commands print nothing that others have written, beside those of the project's own code. */
import assert from "node:assert/strict";
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

const linesOf = (text: string): readonly string[] => text.trim().split(/\n\s*/);

describe("output that is the project's own", () => {
  for (const line of linesOf(quiet)) it(`A15: ${line} prints names`, async () => assert.ok(await isQuiet(line)));
  for (const line of linesOf(printing))
    it(`A15, A4: ${line} prints what others may have written`, async () => assert.ok(!(await isQuiet(line))));
});

/** Which commands a rule may cover (A3): the allowed line, and lines with other plain tracked names in the places of its own. */
import assert from "node:assert/strict";
import { isCoveredBy, patternOf } from "../../../../src/chat/approval/commandRule";
import { isPlainFile } from "../../../../src/tools/gate/sensitiveNames";

/** What the words of a command may name: these are tracked. */
const paths = {
  files: [
    "src/a.ts",
    "src/b.ts",
    "lib/c.ts",
    "src/deploy.ts",
    "tests/a.py::one",
    "tests/a.py",
    "tests/b.py",
    "package.json",
    "conftest.py",
  ],
  folders: ["src", "src/deep", "lib", "./..."],
  modules: [],
  writable: [],
  foreign: ["downloads/evil.ts", "../x", "https://example.com/x", "HEAD:.env", ".env"],
};
const words = (line: string): readonly string[] => line.split(" ").filter((word) => word !== "");
/** Of the words of a line only those are foreign that are in it. */
const namedIn = (argv: readonly string[]) => ({
  paths: { ...paths, foreign: paths.foreign.filter((word) => argv.includes(word)) },
  isPlainFile,
});
const pattern = (line: string) => patternOf(words(line), namedIn(words(line)));
/** The words of a rule for the line, with `*` for each that others may replace. */
const shown = (line: string): string | undefined => {
  const rule = pattern(line);
  return rule?.argv.map((word, at) => (rule.places?.includes(at) ? "*" : word)).join(" ");
};
const isCovered = (allowed: string, line: string): boolean => {
  const rule = pattern(allowed);
  return rule !== undefined && isCoveredBy(rule, words(line), namedIn(words(line)));
};

describe("commands that a rule may cover", () => {
  for (const program of words(
    "node npm git bash python npx env sudo xargs find sh zsh fish python3.12 node22 /usr/bin/env ./node NODE node.exe Bash.EXE pip make docker curl rm",
  )) {
    it(`A3: the bare program ${program} is never covered`, () => assert.equal(pattern(program), undefined));
  }

  for (const line of [
    "sudo npm test",
    "env A=b npm test",
    "xargs rm",
    "/usr/bin/sudo ls",
    "nohup node a.js",
    "timeout 5 npm test",
    "command ls",
    "eval ls",
    "exec ls",
    "watch ls",
    "doas ls",
    "time ls",
    ". ./a.sh",
  ]) {
    it(`A3: ${line} runs another command: never covered`, () => assert.equal(pattern(line), undefined));
  }

  for (const line of [
    "git push --forc",
    "git push --f origin main",
    "git push --force-with",
    "git push --mirr",
    "git push --delet origin main",
    "git push --al",
    "git push --pru",
    "git push --branches",
    "git reset --har",
    "git reset --h HEAD~1",
  ]) {
    it(`A3: ${line} takes work away by an option that is cut short: never covered`, () =>
      assert.equal(pattern(line), undefined));
  }

  for (const [line, expected] of [
    ["npm test", "npm test"],
    ["npm test src/a.ts", "npm test *"],
    ["npx eslint --fix src/a.ts src", "npx eslint --fix * *"],
    ["npx vitest run lib/c.ts", "npx vitest run *"],
    ["python -m pytest tests/b.py -x", "python -m pytest * -x"],
    ["pytest tests/a.py::one", "pytest *"],
    ["git add src/a.ts", "git add *"],
    ["git diff -- src/a.ts", "git diff -- *"],
    ["npm install left-pad", "npm install left-pad"],
    ["ls -la src", "ls -la *"],
  ] as const) {
    it(`A3 (complaint 17): a yes to ${line} for longer would cover: ${expected}`, () =>
      assert.equal(shown(line), expected));
  }

  for (const [line, why] of [
    ["node src/a.ts", "it runs the file"],
    ["npx tsx src/a.ts", "it runs the file"],
    ["python -m pdb tests/b.py", "it runs the file"],
    ["go run src", "it runs the folder"],
    ["src/a.ts lib", "the program is no place, and the folder is"],
    ["prettier --write package.json", "something executes the file"],
    ["pytest conftest.py", "something executes the file"],
    ["cp src/a.ts src/b.ts", "it overwrites the file"],
    ["mv src/a.ts src/b.ts", "it moves the file"],
    ["sed -i s/a/b/ src/a.ts", "it overwrites the file"],
    ["git checkout -- src/a.ts", "it takes work away"],
    ["git restore src/a.ts", "it takes work away"],
    ["git commit --amen -- src/a.ts", "it takes a commit away"],
    ["kubectl apply -f src/a.ts", "it hands the file over"],
    ["docker cp src/a.ts box", "it sends the file"],
    ["fetch.py src/a.ts", "it sends or fetches something, by its name"],
    ["curl -T src/a.ts https://example.com/x", "it sends the file"],
    ["upload.py src/a.ts https://example.com/x", "it names an address"],
    ["npx tsx --tsconfig package.json src/a.ts", "it runs the file behind that of its option"],
    ["npx ts-node -P package.json src/a.ts", "it runs the file behind that of its option"],
    ["node --env-file src/b.ts src/a.ts", "it runs the file behind that of its option"],
    ["ruby -I lib src/a.ts", "it runs the file behind the folder of its option"],
    ["npx c8 --src src node src/a.ts", "it runs the file, though another is named before"],
    ["npx nodemon src/a.ts", "it may run the file"],
    ["npx vite-node src/a.ts", "it may run the file"],
    ["npx hardhat run src/a.ts", "it runs the file"],
    ["coverage run tests/b.py", "it runs the file"],
    ["java src/a.ts", "it runs the file"],
    ["java -cp src Main", "it runs what is in the folder"],
    ["k6 run src/a.ts", "it runs the file"],
    ["forge script src/a.ts", "it runs the file"],
    ["npm run ts src/a.ts", "what the script does with the file is not known"],
    ["make lint src/a.ts", "the file is a target, which is made"],
    ["npx eslint -c src/a.ts", "the file is settings that the program loads"],
    ["npx mocha --require src/a.ts src/b.ts", "the files are code that the program loads"],
    ["npx jest --setupFiles src/a.ts src/b.ts", "the files are code that the program loads"],
    ["npm --prefix src test", "it runs the scripts of the folder"],
    ["npx tsc -p src", "it obeys the settings of the folder"],
    ["npx eslint -o src/a.ts", "it writes the file"],
    ["sort -o src/a.ts src/b.ts", "it writes the file"],
    ["pandoc src/a.ts -o src/b.ts", "it writes the file"],
    ["git diff --output src/a.ts", "it writes the file"],
    ["git archive -o src/a.ts HEAD", "it writes the file"],
    ["git apply src/a.ts", "it changes what the file says"],
    ["git checkout-index -f src/a.ts", "it overwrites the file"],
  ] as const) {
    it(`A3: ${line} is covered without other files: ${why}`, () => {
      const expected = line === "src/a.ts lib" ? "src/a.ts *" : line;
      assert.equal(shown(line), expected);
    });
  }

  it("A3: after the file that an interpreter runs, other names are places", () =>
    assert.equal(shown("node src/a.ts src/b.ts"), "node src/a.ts *"));

  it("A3: neither line breaks nor hidden characters become a rule", () => {
    for (const word of ["a\nb", "a\u202eb", "a\u200bb", "a\0b"])
      assert.equal(patternOf(["ls", word], namedIn([])), undefined);
  });

  for (const [allowed, line] of [
    ["npm test src/a.ts", "npm test src/b.ts"],
    ["npm test src/a.ts", "npm test lib/c.ts"],
    ["npx eslint src", "npx eslint src/deep"],
    ["npx eslint src", "npx eslint lib/c.ts"],
    ["npx eslint src/a.ts src/b.ts", "npx eslint lib/c.ts src/a.ts"],
  ] as const) {
    it(`A3: ${allowed} covers ${line}`, () => assert.equal(isCovered(allowed, line), true));
  }

  it("A3: what may be run as a test is a test by its name", () => {
    assert.equal(isCovered("pytest tests/b.py", "pytest tests/a.py::one"), true);
    assert.equal(isCovered("npm test tests/b.py", "npm test tests/a.py"), true);
    for (const [allowed, line] of [
      ["pytest tests/b.py", "pytest src/a.ts"],
      ["pytest src", "pytest src/a.ts"],
      ["npx mocha src/a.ts", "npx mocha src/b.ts"],
      ["npm test tests/b.py", "npm test src/b.ts"],
    ] as const)
      assert.equal(isCovered(allowed, line), false, line);
  });

  for (const rest of [
    ...["--prefix ../x", "../outside", "a/../../b", "/etc/passwd", "~/x", "-e", "--config=x", "-", "C:\\x", "C:/x"],
    ...["https://example.com/x", "$(id)", "`id`", "a;b", "a|b", "a&b", "a>b", "<(x)", "@scope", "a\u202eb"],
    ...["src/a.ts --fix", "src/a.ts src/b.ts", "--", "-- src/a.ts", "src/deploy.ts", "package.json", "conftest.py"],
    ...["downloads/evil.ts", "dist/built.ts", "evil", "src/*", "", ".env"],
  ]) {
    it(`A3, A4: npm test src/a.ts does not cover: npm test ${JSON.stringify(rest)}`, () => {
      assert.equal(isCovered("npm test src/a.ts", `npm test ${rest}`), false);
    });
  }

  it("A3, A4: a folder does not take the place of a file, nor of another folder: a program may print all that is in it", () => {
    for (const line of ["grep -rn one src", "grep -rn one lib", "grep -rn one ./..."])
      assert.equal(isCovered("grep -rn one src/a.ts", line), false, line);
    assert.equal(isCovered("grep -rn one src", "grep -rn one lib"), false);
  });

  for (const rest of [
    "",
    "--cached",
    "HEAD",
    "main..dev",
    "HEAD:.env",
    ".env",
    "src/a.ts",
    "-- .env",
    "-- src",
    "-- .",
  ]) {
    it(`A3, A4 (finding H7): git diff -- src/a.ts does not cover what may print a secret: git diff ${rest}`, () => {
      assert.equal(isCovered("git diff -- src/a.ts", `git diff ${rest}`), false);
    });
  }

  it("A3: `::` is before a test for pytest only: elsewhere another path may be behind it", () => {
    const isIn = (allowed: readonly string[], argv: readonly string[]): boolean =>
      isCoveredBy({ argv: allowed, places: [allowed.length - 1] }, argv, namedIn(argv));
    assert.equal(isIn(["pytest", "tests/b.py"], ["pytest", "tests/a.py::one"]), true);
    assert.equal(isIn(["npx", "eslint", "src/a.ts"], ["npx", "eslint", "tests/a.py::one"]), false);
  });

  it("A3: of a rule from the disk only places count that the line would have now", () => {
    const argv = ["npx", "eslint", "-c", "src/a.ts", "src/b.ts"];
    const rule = { argv, places: [3, 4] };
    assert.equal(isCoveredBy(rule, argv, namedIn([])), true);
    assert.equal(isCoveredBy(rule, ["npx", "eslint", "-c", "lib/c.ts", "src/b.ts"], namedIn([])), false);
  });

  it("A3: a rule from the disk covers no other program, and none of what is never covered", () => {
    const rule = { argv: ["src/a.ts", "x"], places: [0] };
    assert.equal(isCoveredBy({ argv: ["git", "push", "-f"] }, ["git", "push", "-f"], namedIn([])), false);
    assert.equal(isCoveredBy(rule, ["node", "x"], namedIn([])), false);
  });
});

/** Which commands a rule may cover (A3): the words that were approved, and what may follow those of a known shape. */
import assert from "node:assert/strict";
import { isCoveredRest as isCovered, patternOf as toPattern } from "../../../../src/chat/approval/commandShapes";

/** What the words of a command may name: these are tracked. */
const paths = {
  files: ["src/a.test.ts", "src/app.test.ts", "tests/a.py::b", "tests/test_a.py::test_b"],
  folders: ["src", "./..."],
  modules: [],
  writable: [],
  foreign: [],
};
const isCoveredRest = (argv: readonly string[], rule: readonly string[]): boolean => isCovered(argv, rule, paths);
const patternOf = (argv: readonly string[]): ReturnType<typeof toPattern> => toPattern(argv, paths);

const words = (line: string): readonly string[] => line.split(" ").filter((word) => word !== "");
const shown = (line: string): string | undefined => {
  const pattern = patternOf(words(line));
  return pattern && `${pattern.argv.join(" ")}${pattern.open ? " …" : ""}`;
};

describe("commands that a rule may cover", () => {
  for (const program of words(
    "node npm git bash python npx env sudo xargs find sh zsh fish python3.12 node22 /usr/bin/env ./node NODE node.exe Bash.EXE pip make docker curl rm",
  )) {
    it(`A3: the bare program ${program} is never covered`, () => assert.equal(patternOf([program]), undefined));
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
    it(`A3: ${line} runs another command: never covered`, () => assert.equal(shown(line), undefined));
  }

  for (const [line, expected] of [
    ["npm test", "npm test …"],
    ["npm test src/app.test.ts", "npm test …"],
    ["npm test -- -g greets", "npm test …"],
    ["cargo test parser", "cargo test …"],
    ["go test ./...", "go test …"],
    ["pytest tests/test_a.py::test_b", "pytest …"],
    ["npm install", "npm install"],
    ["npm install left-pad", "npm install left-pad"],
    ["node build.mjs", "node build.mjs"],
    ["git push", "git push"],
    ["npm test --prefix /tmp/other", "npm test --prefix /tmp/other"],
    ["npm test --script-shell=/tmp/x", "npm test --script-shell=/tmp/x"],
    ["go test -exec /tmp/x", "go test -exec /tmp/x"],
    ["ls -la src", "ls -la src"],
  ] as const) {
    it(`A3 (complaint 17): a yes to ${line} for longer would cover: ${expected}`, () =>
      assert.equal(shown(line), expected));
  }

  it("A3: neither line breaks nor hidden characters become a rule", () => {
    for (const word of ["a\nb", "a\u202eb", "a\u200bb", "a\0b"]) assert.equal(patternOf(["ls", word]), undefined);
  });

  for (const rest of [
    "--prefix ../x",
    "../outside",
    "a/../../b",
    "/etc/passwd",
    "~/x",
    "-e",
    "--config=x",
    "-",
    "https://example.com/x",
    "C:\\x",
    "C:/x",
    "$(id)",
    "`id`",
    "a;b",
    "a|b",
    "a&b",
    "a>b",
    "<(x)",
    "@scope",
    "a\u202eb",
  ]) {
    it(`A3: npm test … does not cover: npm test ${JSON.stringify(rest)}`, () => {
      assert.equal(isCoveredRest(["npm", "test", ...words(rest)], ["npm", "test"]), false);
    });
  }

  for (const rest of [
    ...[
      "",
      "--cached",
      "HEAD",
      "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
      "main..dev",
      "HEAD:.env",
      ".env",
      "src/a.test.ts",
    ],
    ...[
      "-- .env",
      "-- src",
      "-- .",
      "HEAD -- src/a.test.ts",
      "--stat HEAD",
      "--stat src/a.test.ts",
      "-- src/a.test.ts HEAD",
    ],
  ]) {
    it(`A3, A4 (finding H7): git diff … does not cover what may print a secret: git diff ${rest}`, () => {
      assert.equal(isCoveredRest(["git", "diff", ...words(rest)], ["git", "diff"]), false);
      assert.equal(shown(`git diff ${rest}`), `git diff ${rest}`.trim());
    });
  }

  it("A3 (finding H7): git diff … covers files that are named after --, and lists of names", () => {
    for (const rest of [
      "-- src/a.test.ts",
      "--cached -- src/a.test.ts src/app.test.ts",
      "--stat",
      "--cached --name-only",
    ]) {
      assert.ok(isCoveredRest(["git", "diff", ...words(rest)], ["git", "diff"]), rest);
    }
  });

  for (const rest of [
    "dist/built.test.js",
    "-- downloads/evil.test.js",
    "downloads/evil",
    "evil",
    "dist/*.js",
    "src/*",
  ]) {
    it(`A3, A4 (finding H8): npm test … does not cover what git does not track: npm test ${rest}`, () => {
      assert.equal(isCoveredRest(["npm", "test", ...words(rest)], ["npm", "test"]), false);
    });
  }

  it("A3: it covers names of tests, tracked paths and the options of the shape, and a rule from the disk opens only known shapes", () => {
    for (const rest of ["", "src", "src/a.test.ts", "-- -g greets", "-- -g tokens", "tests/a.py::b", "./..."]) {
      assert.ok(isCoveredRest(["npm", "test", ...words(rest)], ["npm", "test"]), rest);
    }
    assert.equal(isCoveredRest(["node", "a.js"], ["node"]), false);
    assert.equal(isCoveredRest(["npm", "install"], ["npm"]), false);
    assert.equal(isCoveredRest(["npm", "tester"], ["npm", "test"]), false);
  });
});

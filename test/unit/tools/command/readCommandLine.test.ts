/** The reader of command lines: what is plain is what a real shell would give to the program, and nothing hostile is plain. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import fc from "fast-check";
import { quotedLine, onlyArgv, readCommandLine } from "../../../../src/tools/command/readCommandLine";
import {
  partLines,
  plainLines,
  type ShellLine,
  shellLines,
  windowsPlainLines,
  windowsShellLines,
} from "../../../fixtures/commandLines";
import { anyCharacter } from "../../../support/anyCharacter";
import { runsOf } from "../../../support/runs";
import { assertLinear } from "../../../support/growth";

/** The words that a shell makes of lines, of each one list. One process for all. */
function wordsOf(shell: string, lines: readonly string[]): readonly (readonly string[])[] {
  // `printf` gives each word and an empty one more at the end; a record separator ends the line.
  const script = lines.map((line) => `printf '%s\\0' ${line}; printf '\\036'`).join("\n");
  const written = execFileSync(shell, ["-c", script], { encoding: "utf8", cwd: "/" });
  return written
    .split("\u001e")
    .slice(0, -1)
    .map((words) => words.split("\0").slice(0, -1));
}

/** Of pieces that shells treat in a way of their own, and of letters. */
function generatedLines(): readonly string[] {
  const piece = fc.constantFrom(
    ...Array.from("'\"\\ $`;&|<>(){}[]*?!#~=%^:,./-+@_aZ0"),
    ...["''", '""', "\\ ", "\\'", '\\"', "a=", "=a", "~/", "HEAD~1", "$(", "' '", '" "', "if", ".."],
  );
  const line = fc.array(piece, { maxLength: 12 }).map((pieces) => `a ${pieces.join("")}`);
  return fc.sample(line, { numRuns: runsOf(6000, 1_500), seed: 13 });
}

const isPlain = (line: string, isWindows = false): boolean => readCommandLine(line, isWindows) !== undefined;

/** Of a line that needs no shell. */
const wordsIn = (line: string): readonly string[] | undefined => {
  const read = readCommandLine(line, false);
  return read && onlyArgv(read);
};

function describeParts(line: string, isWindows = false): string | undefined {
  const read = readCommandLine(line, isWindows);
  if (!read) return undefined;
  const ends = { joined: " 2>&1", dropped: " 2>/dev/null" } as const;
  const parts = read.parts.map(
    ({ argv, joint, errors }) =>
      `${joint === undefined ? "" : ` ${joint} `}${argv.join(" ")}${errors ? ends[errors] : ""}`,
  );
  return `${read.folder === undefined ? "" : `${read.folder}: `}${parts.join("")}`;
}

describe("command lines", () => {
  it("A4: the corpus has at least 150 lines, each once", () => {
    const lines = [...plainLines, ...shellLines].map(({ line }) => line);
    assert.ok(lines.length >= 150, String(lines.length));
    assert.equal(new Set(lines).size, lines.length);
  });

  it("A3: a plain line has these words", () => {
    for (const { line, argv } of plainLines) assert.deepEqual(wordsIn(line), argv, line);
  });

  it("A3: a line of several parts has these, and its folder", () => {
    for (const { line, parts } of partLines) assert.equal(describeParts(line), parts, line);
  });

  it("A3, A4: the shell is given each part in quotes, which it reads as the line itself", function () {
    if (process.platform === "win32") this.skip();
    const run = (line: string): string => spawnSync("/bin/sh", ["-c", line], { encoding: "utf8" }).stdout;
    for (const line of [
      "echo 'a  b' c | grep -o 'a  b'; echo \\$HOME '*' \"it's\"",
      "printf '%s\\n' b a | sort && echo '&& x' 2>&1",
      "ls /no/such 2>/dev/null ; echo 1",
      "false && echo no ; echo yes",
      "sh -c 'echo out; echo err >&2' 2>&1 | sort",
    ]) {
      const read = readCommandLine(line, false);
      assert.ok(read, line);
      assert.equal(run(quotedLine(read.parts)), run(line), line);
    }
  });

  it("A4: on Windows a line has one part; a folder that the shell would enter is read, anything else asks", () => {
    assert.equal(describeParts("cd src\\app && npm test", true), "src\\app: npm test");
    assert.equal(describeParts('cd "a b" && npm test', true), "a b: npm test");
    for (const line of [
      "cd src; npm test",
      "cd /d D:\\x && npm test",
      "cd %X% && npm test",
      "npm test && npm test",
      "npm test 2>&1",
    ])
      assert.equal(describeParts(line, true), undefined, line);
  });

  it("A4: whatever a shell would make more of is not plain", () => {
    for (const { line, does } of shellLines) assert.ok(!isPlain(line), `${JSON.stringify(line)}: ${does}`);
  });

  for (const advisory of ["CVE-2025-54377", "CVE-2025-57771", "CVE-2025-65946", "GHSA-g8r9-g2v8-jv6f"]) {
    it(`A4: ${advisory}: its forms are not plain, also behind a harmless command and with blanks around them`, () => {
      const forms = shellLines.filter((line: ShellLine) => line.advisory === advisory);
      assert.ok(forms.length > 2);
      for (const { line } of forms) {
        for (const around of [line, ` ${line} `, `git log ${line}`, `npm test ${line} --all`]) {
          assert.ok(!isPlain(around), JSON.stringify(around));
        }
      }
    });
  }

  // Those of this machine.
  for (const shell of ["/bin/sh", "/bin/bash", "/bin/zsh"].filter((path) => existsSync(path))) {
    describe(`as ${shell} reads them`, () => {
      it("A3: the words of each plain line are those that the shell gives to a program", () => {
        assert.deepEqual(
          wordsOf(
            shell,
            plainLines.map(({ line }) => line),
          ),
          plainLines.map(({ argv }) => [...argv]),
        );
      });

      it("A3: a line of any printable characters is not plain, or the shell reads the same words", () => {
        const plain = generatedLines().flatMap((line) => {
          const argv = wordsIn(line);
          return argv === undefined ? [] : [{ line, argv }];
        });
        assert.ok(plain.length > 300, String(plain.length));
        const read = wordsOf(
          shell,
          plain.map(({ line }) => line),
        );
        plain.forEach(({ line, argv }, index) => assert.deepEqual(read[index], [...argv], line));
      });
    });
  }

  it("A3: words that are quoted as a whole are read back, whatever they hold", () => {
    const word = fc.string({ unit: fc.constantFrom(...Array.from("ab '\"\\$`;&|~=#!*")) });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 5 }), (words) => {
        const line = ["run", ...words.map((text) => `'${text.replaceAll("'", String.raw`'\''`)}'`)].join(" ");
        assert.deepEqual(wordsIn(line), ["run", ...words]);
      }),
    );
  });

  it("A4: a character beyond printable ASCII is never plain, wherever it stands", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, minLength: 1, maxLength: 3 }), (text) => {
        fc.pre(!/^[ -~]*$/.test(text));
        for (const line of [`git ${text}`, `git '${text}'`, `git "${text}"`, `${text} a`]) assert.ok(!isPlain(line));
      }),
    );
  });

  it("A3 (Windows): a plain line has these words, and whatever cmd.exe would make more of is not plain", () => {
    for (const { line, argv } of windowsPlainLines) {
      const read = readCommandLine(line, true);
      assert.deepEqual(read && onlyArgv(read), argv, line);
    }
    for (const { line, does } of windowsShellLines) assert.ok(!isPlain(line, true), `${JSON.stringify(line)}: ${does}`);
  });

  it("A4: a line is read in linear time, whatever it holds", async () => {
    for (const text of ["\\", "'", '"', "a", " ", "~", "a ", "''"])
      for (const isWindows of [false, true])
        await assertLinear(
          1_000,
          (length) => {
            const line = `a ${text.repeat(length)}`;
            return () => readCommandLine(line, isWindows);
          },
          text,
        );
  });
});

/** The lists of the guard: each candidate by its name, in other spellings and folders; and what stays plain. */
import assert from "node:assert/strict";
import { isExecutedPath } from "../../../../src/tools/gate/executedNames";
import { isPlainFile, isSecretPath, secretNamesIn } from "../../../../src/tools/gate/sensitiveNames";
import { executedCandidates, secretCandidates } from "./guardedNames";

/** In other places and spellings that a file system takes for the same. */
function variants(path: string): readonly string[] {
  const full = Array.from(path, (char) =>
    /[a-z]/i.test(char) ? String.fromCodePoint(char.codePointAt(0)! + 0xfee0) : char,
  );
  return [path, `packages/deep/er/${path}`, path.toUpperCase(), path.normalize("NFD"), full.join("")];
}

describe("lists of the guard", () => {
  it("A4 (finding S16): there are at least 294 candidates, each once", () => {
    const all = [...executedCandidates.map((path) => `x ${path}`), ...secretCandidates.map((path) => `s ${path}`)];
    assert.equal(new Set(all).size, all.length);
    assert.ok(all.length >= 294, String(all.length));
  });

  for (const path of executedCandidates) {
    it(`A4 (findings S16, H2): a change to ${path} is a change to a program`, () => {
      for (const variant of variants(path)) assert.ok(isExecutedPath(variant) && !isPlainFile(variant), variant);
    });
  }
  for (const path of secretCandidates) {
    it(`A4 (findings S16, H14): ${path} may hold a secret`, () => {
      for (const variant of variants(path)) assert.ok(isSecretPath(variant) && !isPlainFile(variant), variant);
    });
  }

  it("A4: the entries of a folder are judged as their paths are", () => {
    const paths = [...secretCandidates, ...executedCandidates].flatMap(variants);
    const others = [".ssh\uff0fid", "\u03a3/.env", ".\u00dfh/config", ".aws/", "a.git/hooks/", "src/.kube", "a/b.*x"];
    for (const path of [...paths, ...others, ...paths.map((one) => `${one}/`)]) {
      const at = path.lastIndexOf("/", path.length - 2) + 1;
      const isIn = secretNamesIn(path.slice(0, at));
      assert.equal(isIn(path.slice(at).replace(/\/$/, ""), path.endsWith("/")), isSecretPath(path), path);
    }
  });

  it("A4: a letter that a file system folds into two is read as these", () => {
    assert.ok(isSecretPath(".\u00dfh/config") && isExecutedPath("compo\u017fe.yml"));
  });

  for (const path of [
    "src/app.ts",
    "src/tokens.ts",
    "src/components/PasswordField.tsx",
    "src/hooks/useSecret.ts",
    "lib/secretStore.py",
    "styles/tokens.css",
    "README.md",
    "docs/guide.md",
    "docs/configuration.txt",
    "main.go",
    "test/app.test.ts",
    "hero.prompts.md",
    "Ünïcode/日本語.md",
  ]) {
    it(`A3: ${path} is a plain file`, () => {
      assert.deepEqual([isExecutedPath(path), isSecretPath(path), isPlainFile(path)], [false, false, true]);
    });
  }

  for (const path of [
    "data.json",
    "a.yaml",
    "a.svg",
    ".hidden.md",
    ".x/a.ts",
    "LICENSE",
    "a.ts.bak",
    "a.bin",
    "noextension",
    "a.ts/",
    "lib/app.ex",
    "src/Main.hs",
    "lib/App.pm",
    "x.nim",
  ]) {
    it(`A3: ${path} is none: it is asked for each time`, () => assert.equal(isPlainFile(path), false));
  }
});

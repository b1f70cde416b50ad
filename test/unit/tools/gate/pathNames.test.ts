/** Paths as Windows and macOS read them, on every system. */
import assert from "node:assert/strict";
import { posix, win32 } from "node:path";
import { isSecretPath, isUnlistedPath } from "../../../../src/tools/gate/sensitiveNames";
import { isInside, unusualPathReason } from "../../../../src/tools/gate/pathNames";

describe("path names", () => {
  it("A4: on Windows a path is inside by its drive and folders, whatever their case and slashes", () => {
    const isIn = (root: string, path: string): boolean => isInside(root, path, win32);
    for (const path of ["C:\\work\\app\\a.ts", "c:\\WORK\\App\\a.ts", "C:/work/app/a.ts", "C:\\work\\app\\..\\app\\b"])
      assert.ok(isIn("C:\\work\\app", path), path);
    for (const path of [
      "D:\\work\\app\\a.ts",
      "C:\\work\\app-two\\a.ts",
      "C:\\work\\app\\..\\other",
      "\\\\server\\share\\a.ts",
      "\\\\?\\D:\\a.ts",
      "C:\\",
    ])
      assert.ok(!isIn("C:\\work\\app", path), path);
    assert.ok(isIn("\\\\server\\share\\app", "\\\\SERVER\\share\\app\\a.ts"));
    assert.ok(!isIn("\\\\server\\share\\app", "\\\\server\\other\\app\\a.ts"));
    // A folder whose name only begins with two dots is inside.
    assert.ok(isIn("C:\\work", "C:\\work\\..hidden\\a") && isInside("/work", "/work/..hidden/a", posix));
    // Beyond 260 characters nothing changes: Node adds the long prefix itself when it opens the file.
    assert.ok(isIn("C:\\work", `C:\\work\\${"deep\\".repeat(100)}a.ts`));
  });

  it("A4: a path that Windows reads as another one is refused everywhere", () => {
    const odd = [
      ...["C:a.ts", "src/a.ts:stream", "src/a.ts::$DATA", "c:\\a.ts:x"],
      ...["\\\\?\\C:\\a", "\\\\.\\pipe\\x", "//./COM1", "\\\\server\\share", "\\??\\C:\\a"],
      ...[
        "CON",
        "src/nul",
        "aux.ts",
        "COM1.log",
        "lpt9",
        "COM¹",
        "src/LPT³.txt",
        "con .txt",
        "CONIN$",
        "conout$.x",
        "clock$",
      ],
      ...["src/a.ts.", "src/a.ts ", "src./a.ts", "PROGRA~1/a", "src/LONGNA~2.TS"],
    ];
    for (const path of odd) assert.notEqual(unusualPathReason(path), undefined, path);
    for (const path of [
      "C:\\work\\a.ts",
      "src/console.ts",
      "com10",
      "src/.env",
      "a/../b",
      "nullable.ts",
      "src/auxiliary",
    ])
      assert.equal(unusualPathReason(path), undefined, path);
  });

  it("A4: names are known in any case, decomposed as macOS keeps them, and in full width", () => {
    for (const name of [".ENV", ".Env.Local", "ID_RSA", "Credentials.JSON", "\uff0e\uff45\uff4e\uff56"])
      assert.ok(isSecretPath(name), name);
    assert.ok(isSecretPath("\u017fecrets.yml"), "a long s is an s to a file system without case");
    assert.ok(isUnlistedPath(".GIT/config") && isUnlistedPath("a/Node_Modules/b"));
  });
});

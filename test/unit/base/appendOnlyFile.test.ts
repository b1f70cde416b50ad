/** A file of lines: torn anywhere it keeps its whole lines, and a write that failed halfway is written again. */
import assert from "node:assert/strict";
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AppendOnlyFile, ForeignWriteFailure } from "../../../src/base/appendOnlyFile";
import { readLines } from "../../../src/base/text/readLines";
import { createTemporaryFolder, type TemporaryFolder } from "../../support/temporaryFolder";

const lines = ['{"a":1}', '{"b":"ä€😀"}', "", '{"c":3}'];
const whole = lines.map((line) => `${line}\n`).join("");

describe("an append-only file", () => {
  let folder: TemporaryFolder;
  let path: string;
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    path = join(folder.path, "chats", "a.jsonl");
  });
  afterEach(() => folder.remove());

  const linesOf = async (from = 0): Promise<readonly string[]> => {
    const read: string[] = [];
    await readLines(path, from, (line) => read.push(line) > 0, new AbortController().signal);
    return read;
  };

  it("P4: torn at every byte, its whole lines stay and new ones follow them", async () => {
    await (await AppendOnlyFile.open(path)).close();
    const bytes = Buffer.from(whole);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      await writeFile(path, bytes.subarray(0, cut));
      const kept = bytes.subarray(0, cut).toString().split("\n").slice(0, -1);
      assert.deepEqual(await linesOf(), kept);
      const file = await AppendOnlyFile.open(path);
      await file.append("next\n");
      await file.close();
      assert.deepEqual(await linesOf(), [...kept, "next"]);
    }
  });

  it("P4: a torn line longer than what is read at a time is cut off whole", async () => {
    await (await AppendOnlyFile.open(path)).close();
    await writeFile(path, `first\n${"x".repeat(200_000)}`);
    const file = await AppendOnlyFile.open(path);
    assert.equal(file.length, 6);
    await file.close();
    assert.equal(await readFile(path, "utf8"), "first\n");
  });

  it("P4: lines are read on from an offset, and one of several megabytes is one line", async () => {
    const file = await AppendOnlyFile.open(path);
    await file.append("first\n");
    const from = file.length;
    const long = "ä".repeat(1_500_000);
    await file.append(`${long}\nlast\n`);
    await file.close();
    assert.deepEqual(await linesOf(from), [long, "last"]);
  });

  it("P4: what another hand has written is not overwritten", async () => {
    const file = await AppendOnlyFile.open(path);
    await file.append("mine\n");
    await appendFile(path, "theirs\n");
    await assert.rejects(file.append("mine again\n"), ForeignWriteFailure);
    await file.close();
    assert.deepEqual(await linesOf(), ["mine", "theirs"]);
  });
});

/** What models need back, on disk: found again by calls or text, bounded, and harmless when the disk does not take it. */
import assert from "node:assert/strict";
import { truncateSync, utimesSync, writeFileSync } from "node:fs";
import { readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AssistantPart } from "../../../../src/domain/chat/message";
import type { ProvidedPart } from "../../../../src/agents/models/providedMessage";
import {
  AnswerCache,
  createCallIds,
  type AnswerSource,
  writeAnswerRecord,
} from "../../../../src/agents/models/answerCache";
import { keptLog } from "../../../support/builders";
import { createMovedClock } from "../../../support/movedClock";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";

const source: AnswerSource = { origin: "https://gateway.example", family: "messages", model: "m" };
const recordOf = (said: string, ids = new Map<string, string>()): string => {
  const call: AssistantPart = { type: "tool-call", call: "call-0", name: "read", input: {} };
  const opaque: AssistantPart = { type: "opaque", family: "messages", data: { signature: said } };
  return writeAnswerRecord(source, [opaque, { type: "text", text: said }, ...(ids.size > 0 ? [call] : [])], ids)!;
};
const text = (said: string): ProvidedPart => ({ type: "text", text: said });

describe("AnswerCache", () => {
  let temporary: TemporaryFolder;
  let folder: string;
  const clock = createMovedClock(Date.now());
  const log = keptLog();
  const open = (): AnswerCache => new AnswerCache({ folder, clock, log });

  beforeEach(async () => {
    temporary = await createTemporaryFolder();
    folder = join(temporary.path, "answers");
  });
  afterEach(() => temporary.remove());

  it("V1, S2: an answer is found by the id of any of its calls, or by its text, also by another window", async () => {
    const id = createCallIds()(3);
    const called: ProvidedPart = { type: "tool-call", id, name: "read", input: {} };
    const record = recordOf("Right.", new Map([["call-0", id]]));
    await open().save(source, [text("Right."), called], "go", record);
    await open().save(source, [text("Done. ")], "one", recordOf("Done. "));
    const cache = open();
    assert.deepEqual((await cache.find(source, [called], ""))?.parts, (JSON.parse(record) as { parts: unknown }).parts);
    assert.ok(await cache.find(source, [text("Done.")], "one"));
    assert.ok(await cache.find(source, [text("Do"), text("ne.")], "a prompt that the caller has changed"));
    assert.equal(await cache.find({ ...source, model: "n" }, [text("Done.")], "one"), undefined);
    assert.equal(await cache.find({ ...source, model: "n" }, [called], ""), undefined);
    assert.equal(await cache.find(source, [text("")], ""), undefined);
  });

  it("V1, S2 (finding H15): the key of the markers is one for all windows, stays when the folder is swept, and needs no disk", async () => {
    const key = await open().markerKey();
    assert.equal(key.length, 32);
    await utimes(join(folder, "marker.key"), 0, 0);
    await open().save(source, [text("Yes.")], "", recordOf("Yes."));
    assert.deepEqual(Buffer.from(await open().markerKey()), Buffer.from(key));
    const nowhere = new AnswerCache({ folder: join(folder, "marker.key"), clock, log });
    assert.equal((await nowhere.markerKey()).length, 32);
  });

  it("V1, S2: of two answers with one text each prompt finds its own", async () => {
    const cache = open();
    for (const prompt of ["one", "two"])
      await cache.save(
        source,
        [text("Yes.")],
        prompt,
        recordOf("Yes.").replaceAll('"signature":"Yes."', `"signature":"${prompt}"`),
      );
    for (const prompt of ["one", "two"]) {
      const [opaque] = (await cache.find(source, [text("Yes.")], prompt))!.parts;
      assert.deepEqual(opaque, { type: "opaque", data: { signature: prompt } });
    }
  });

  it("V1: an id that is none of ours names no file", async () => {
    await open().save(source, [text("a")], "", recordOf("a"));
    const foreign: ProvidedPart = { type: "tool-call", id: "call_../../x_0", name: "read", input: {} };
    assert.equal(await open().find(source, [foreign], ""), undefined);
    await open().save(source, [foreign], "", recordOf("b"));
    assert.equal((await readdir(temporary.path)).length, 1);
  });

  it("V1: what is a month old goes, and the oldest beyond 2,000 files or 50 MB", async () => {
    await open().save(source, [text("a")], "", recordOf("a"));
    const month = 30 * 24 * 3600;
    const now = clock.now() / 1000;
    const put = (name: string, seconds: number, size = 1): void => {
      writeFileSync(join(folder, name), "");
      truncateSync(join(folder, name), size);
      utimesSync(join(folder, name), seconds, seconds);
    };
    put("old.json", now - month - 10);
    put("young.json", now - month + 1000);
    await open().save(source, [text("b")], "", recordOf("b"));
    assert.deepEqual(
      (await readdir(folder)).filter((name) => /old|young/.test(name)),
      ["young.json"],
    );
    for (let index = 0; index < 2010; index += 1) put(`n${index}.json`, now - 5000 - index);
    put("large.json", now - 4000, 50_000_000);
    await open().save(source, [text("c")], "", recordOf("c"));
    const left = await readdir(folder);
    assert.ok(!left.includes("large.json") && !left.includes("n0.json"));
    assert.ok(left.length <= 2000 && left.length >= 4, String(left.length));
  });

  it("V1: without a disk answers go on, and the log says so", async () => {
    await writeFile(folder, "");
    await open().save(source, [text("a")], "", recordOf("a"));
    assert.equal(await open().find(source, [text("a")], ""), undefined);
    assert.match(log.lines.join("\n"), /could not be kept/);
  });
});

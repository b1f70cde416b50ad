/** A download leaves the disk room for what must be stored beside it. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../../../src/base/async/systemClock";
import { AppFailure } from "../../../../src/domain/errors/appError";
import type { Asset } from "../../../../src/domain/ports";
import type { Submission } from "../../../../src/domain/task/task";
import type { TaskBoard } from "../../../../src/tasks/board/board";
import { ResultDownloads } from "../../../../src/tasks/results/resultDownloads";
import { resultSentence } from "../../../../src/tasks/view/taskWords";
import { connectTo, keptLog, makeCreated, makeGateway, makeIntent, makeRemote } from "../../../support/builders";
import { bytes, picture } from "../../../support/pictureBytes";
import { openBoard } from "../../../support/taskBoards";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";

const id = "22222222-2222-4222-8222-222222222222";
const megabyte = 1024 ** 2;
const reserve = 50 * megabyte;

describe("the room for a result", () => {
  let temporary: TemporaryFolder;
  let board: TaskBoard;
  let folder: string;
  let free: number;
  beforeEach(async () => {
    temporary = await createTemporaryFolder();
    folder = join(temporary.path, "results");
    board = await openBoard(join(temporary.path, "tasks.db"));
    const assets = { kind: "assets", imageUrl: "https://cdn.example/a.png" } as const;
    await board.writeThenApply({ type: "task-intended", intent: makeIntent({ id }) });
    const created = makeCreated({ remote: makeRemote({ state: "succeeded", assets }) });
    await board.writeThenApply({ type: "task-accepted", id, at: 0, created });
  });
  afterEach(async () => {
    await board.close();
    await temporary.remove();
  });

  const save = (body: () => AsyncIterable<Uint8Array>, facts: Partial<Asset> = {}): Promise<string> => {
    const downloadAsset = (): Promise<Asset> =>
      Promise.resolve({ mimeType: "image/png", offset: 0, ...facts, body: body() });
    const connections = connectTo(makeGateway({ downloadAsset }));
    const options = { board, connections, clock: systemClock, log: keptLog(), folder };
    return new ResultDownloads({ ...options, freeSpace: () => Promise.resolve(free) }).get(id);
  };
  const accepted = (): Extract<Submission, { state: "accepted" }> => {
    const submission = board.listed.get(id)?.submission;
    assert.ok(submission?.state === "accepted");
    return submission;
  };

  it("T8, T1 (finding M15): what would take it is not downloaded, is said, and stays to be fetched", async () => {
    free = reserve + picture.length - 1;
    await assert.rejects(save(bytes, { size: picture.length }), AppFailure);
    assert.deepEqual(await readdir(folder), []);
    assert.equal(accepted().fetchFailure?.error.code, "no-room");
    assert.match(
      resultSentence(accepted()) ?? "",
      /too little room for this result\. Free some space; Sluice then goes on by itself\.$/,
    );
    free = reserve + picture.length;
    assert.deepEqual(await readFile(await save(bytes, { size: picture.length })), picture);
  });

  it("T8, T1 (finding M15): where the length is not known, it is looked at while the result arrives", async () => {
    let sent = 0;
    free = 70 * megabyte;
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(picture);
      for (; sent < 40; sent += 1) {
        yield new Uint8Array(megabyte).fill(1);
        free -= megabyte;
      }
    };
    await assert.rejects(save(endless), AppFailure);
    assert.equal(accepted().fetchFailure?.error.code, "no-room");
    assert.ok(sent < 40, `${sent} MB`);
    assert.deepEqual(await readdir(folder), []);
  });
});

/** Where a result lands on this machine, and where nothing that is planted or written in a journal can make it land. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { lstat, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { abortable, abortReason } from "../../../../src/base/async/abort";
import { Store } from "../../../../src/base/store";
import { systemClock } from "../../../../src/base/async/systemClock";
import { AppFailure } from "../../../../src/domain/errors/appError";
import type { Asset, AssetRange } from "../../../../src/domain/ports";
import { isLensAction } from "../../../../src/domain/task/taskActions";
import type { Submission, TaskIntent } from "../../../../src/domain/task/task";
import type { TaskBoard } from "../../../../src/tasks/board/board";
import type { LeaseHolder } from "../../../../src/tasks/polling/pollLeaseKeeper";
import { ResultFetcher } from "../../../../src/tasks/results/resultFetcher";
import { readMarked, refuseHeldBack } from "../../../../src/tasks/results/readMarks";
import { pictureOf } from "../../../../src/tasks/results/pictureOf";
import { type PersonsRequest, ResultDownloads } from "../../../../src/tasks/results/resultDownloads";
import { actionsOf } from "../../../../src/tasks/view/taskActions";
import { resultSentence } from "../../../../src/tasks/view/taskWords";
import {
  connectTo,
  keptLog,
  makeCreated,
  makeGateway,
  makeIntent,
  makeRemote,
  savedFacts,
  until,
} from "../../../support/builders";
import { createMovedClock } from "../../../support/movedClock";
import { openBoard } from "../../../support/taskBoards";
import { bytes, bytesAround, cutAfter, picture, piece } from "../../../support/pictureBytes";
import { wholeJpeg } from "../../../support/testImages";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";
import { settingsWith } from "../../../support/plainOptions";

const id = "22222222-2222-4222-8222-222222222222";
const onPosix = process.platform === "win32" ? () => undefined : it;

describe("results", () => {
  let temporary: TemporaryFolder;
  let board: TaskBoard;
  let folder: string;
  let elsewhere: string;
  let downloads: number;
  let reads: number;
  const succeeded = makeRemote({
    state: "succeeded",
    assets: { kind: "assets", imageUrl: "https://cdn.example/a.png?signature=secret", seed: 7 },
  });
  beforeEach(async () => {
    temporary = await createTemporaryFolder();
    folder = join(temporary.path, "storage", "results");
    elsewhere = join(temporary.path, "elsewhere");
    await mkdir(elsewhere);
    board = await openBoard(join(temporary.path, "storage", "tasks.db"));
    downloads = 0;
    reads = 0;
  });
  afterEach(async () => {
    await board.close();
    await temporary.remove();
  });

  const succeed = async (prompt = "a lighthouse", more: Partial<TaskIntent> = {}): Promise<void> => {
    const remote = succeeded;
    await board.writeThenApply({ type: "task-intended", intent: makeIntent({ id, prompt, ...more }) });
    await board.writeThenApply({ type: "task-accepted", id, at: 0, created: makeCreated({ remote }) });
  };
  const open = (
    download: (range: AssetRange | undefined, url: string, signal?: AbortSignal) => Asset,
    fresh = succeeded,
  ): ResultDownloads => {
    const gateway = makeGateway({
      downloadAsset: (url, signal, range) => {
        downloads += 1;
        return Promise.resolve(download(range, url, signal));
      },
      getTask: () => {
        reads += 1;
        return Promise.resolve(fresh);
      },
    });
    const options = { board, connections: connectTo(gateway), clock: systemClock, log: keptLog(), folder };
    return new ResultDownloads({ ...options, freeSpace: () => Promise.resolve(undefined) });
  };
  const save = (
    body: () => AsyncIterable<Uint8Array> = bytes,
    request: PersonsRequest = {},
    facts: Partial<Asset> = {},
  ): Promise<string> => open(() => ({ mimeType: "image/png", offset: 0, ...facts, body: body() })).get(id, request);
  const openFetcher = (fetch: () => Promise<unknown> = () => Promise.resolve()): ResultFetcher =>
    new ResultFetcher({
      ...{ board, connections: connectTo(makeGateway({})), log: keptLog(), fetch },
      clock: { ...systemClock, now: () => 1 },
      turn: { isOurs: true, need: () => undefined, state: new Store<LeaseHolder>("ours") },
      settings: settingsWith(() => ({ "results.fetchUpTo": 1000 / 1024 ** 2 })),
    });
  const accepted = (): Extract<Submission, { state: "accepted" }> => {
    const submission = board.listed.get(id)?.submission;
    assert.ok(submission?.state === "accepted");
    return submission;
  };

  it("T8, R8: what another window has saved meanwhile counts, and not that it could not be fetched here", async () => {
    await succeed();
    const path = join(folder, "of-another-window.png");
    const failing = save(async function* () {
      await board.writeThenApply({ type: "task-saved", id, at: 1, path, saved: savedFacts });
      yield picture.subarray(0, 4);
      throw new AppFailure({ kind: "unreachable", message: "no" });
    });
    assert.equal(await failing, path);
    assert.deepEqual([accepted().saved?.path, accepted().fetchFailure], [path, undefined]);
  });

  onPosix(
    "T8 (finding S15): folder and file are the person's own, also where the folder was open to others",
    async () => {
      await succeed();
      await mkdir(folder, { recursive: true, mode: 0o755 });
      const path = await save();
      assert.equal((await stat(folder)).mode & 0o777, 0o700);
      assert.equal((await stat(path)).mode & 0o777, 0o600);
      assert.deepEqual(await readdir(folder), ["a-lighthouse-2222222222224222.png"]);
    },
  );

  onPosix("T8 (finding S15): a folder that is a link to elsewhere gets nothing", async () => {
    await succeed();
    await symlink(elsewhere, folder);
    await assert.rejects(save(), /link/);
    assert.equal(downloads, 0);
    assert.deepEqual(await readdir(elsewhere), []);
  });

  onPosix("T8 (finding S15): links that were planted under the names of the result are not followed", async () => {
    await succeed();
    const target = join(elsewhere, "target");
    await writeFile(target, "mine");
    await mkdir(folder);
    const name = join(folder, "a-lighthouse-2222222222224222.png");
    await symlink(target, name);
    await symlink(target, join(folder, `${id}.${process.pid}.part`));
    await symlink(target, join(folder, "a-lighthouse-2222222222224222.json"));
    assert.equal(await save(), name);
    assert.ok((await lstat(name)).isFile());
    assert.deepEqual(await readFile(name), picture);
    assert.equal(await readFile(target, "utf8"), "mine");
  });

  it("T8 (finding 36): a cancelled download leaves no file and no record, and can be begun anew", async () => {
    await succeed();
    const cancelled = new AbortController();
    const stalls = async function* (): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(picture.subarray(0, 4));
      cancelled.abort();
      // As the gateway's body does when its request is aborted.
      throw abortReason(cancelled.signal);
    };
    await assert.rejects(save(stalls, { signal: cancelled.signal }, { validator: '"a"' }), { name: "AbortError" });
    assert.deepEqual(await readdir(folder), []);
    assert.deepEqual([accepted().saved, accepted().fetchFailure], [undefined, undefined]);
    assert.deepEqual(await readFile(await save()), picture);
    assert.equal(downloads, 2);
  });

  it("T8 (finding S15): a path that a journal names outside the folder, or a link in it, is no saved result", async () => {
    await succeed();
    const outside = join(elsewhere, "secret");
    await writeFile(outside, "secret");
    await board.writeThenApply({ type: "task-saved", id, at: 0, path: outside, saved: savedFacts });
    const path = await save();
    assert.deepEqual(await readFile(path), picture);
    assert.equal(downloads, 1);
    assert.equal(await save(), path, "it is not fetched again");
    assert.equal(downloads, 1);
  });

  it("T8 (finding S15): a name is cut between characters and made of letters, digits and the id only", async () => {
    await succeed(`${"a".repeat(39)}${"𠮷".repeat(60)} ../../x:y`);
    const path = await save();
    assert.equal(path, join(folder, `${"a".repeat(39)}𠮷-2222222222224222.png`));
  });

  it("T8 (finding 15): the same result three times at once is one download, and everybody gets the path", async () => {
    await succeed();
    const results = open(() => ({ mimeType: "image/png", offset: 0, body: bytes() }));
    const paths = await Promise.all([results.get(id), results.getUnasked(id, Infinity), results.get(id)]);
    assert.equal(new Set(paths).size, 1);
    assert.equal(downloads, 1);
  });

  it("T8, Q-K10, Q-K11: the file of a success that was refunded or called failed later is still had, and offered", async () => {
    await succeed();
    const path = await save();
    for (const state of ["refunded", "failed"] as const) {
      await board.applyThenWrite({ type: "task-read", id, at: 5, remote: makeRemote({ state }) });
      assert.equal(await save(), path);
      const actions = actionsOf(board.listed.get(id)!);
      assert.ok(["open-result", "save-into-workspace", "insert-link"].every((one) => actions.some((it) => it === one)));
      assert.equal(actions.filter(isLensAction).length, 1);
    }
    assert.equal(downloads, 1);
    await rm(path);
    await assert.rejects(save(), /no result/);
  });

  it("T8: one of two people who cancels leaves the other's download alone", async () => {
    await succeed();
    const cancelled = new AbortController();
    const { promise: rest, resolve } = Promise.withResolvers<undefined>();
    const results = open(() => ({ mimeType: "image/png", offset: 0, body: bytesAround(rest) }));
    const [first, second] = [results.get(id, { signal: cancelled.signal }), results.get(id)];
    await until(() => downloads === 1);
    cancelled.abort();
    await assert.rejects(first, { name: "AbortError" });
    resolve(undefined);
    assert.deepEqual([await readFile(await second), downloads], [picture, 1]);
  });

  const page = Buffer.from("<!doctype html><h1>Not here</h1>");
  const bad: readonly (readonly [string, Buffer, Partial<Asset>])[] = [
    ["nothing", Buffer.alloc(0), {}],
    ["an HTML page that is declared a picture", page, {}],
    ["an HTML page", page, { mimeType: "text/html" }],
    ["a JSON error", Buffer.from('{"error":"gone"}'), { mimeType: "application/json" }],
    ["a long page", Buffer.from(`${page.toString()}${"x".repeat(5000)}`), {}],
    ["text that only mentions svg", Buffer.from("see <svg>"), { mimeType: "image/svg+xml" }],
    ["more than it should be", picture, { size: 10 }],
  ];
  for (const [what, body, facts] of bad) {
    it(`T8 (finding 15): ${what} is never kept; the error is on the row, and a good file is fetched anew`, async () => {
      await succeed();
      await assert.rejects(
        save(() => piece(body), {}, facts),
        AppFailure,
      );
      assert.deepEqual(await readdir(folder), []);
      assert.equal(reads, 1, "the link may have been dead");
      assert.deepEqual([accepted().fetchFailure?.error.kind, accepted().fetchFailure?.attempts], ["malformed", 1]);
      assert.deepEqual(await readFile(await save()), picture);
      assert.equal(accepted().fetchFailure, undefined);
    });
  }

  it("T8 (finding 15): half a file is never kept: the next download asks for the rest of it", async () => {
    await succeed();
    const ranges: (AssetRange | undefined)[] = [];
    const half = picture.subarray(0, 20);
    const results = open((range) => {
      ranges.push(range);
      const facts = { mimeType: "image/png", size: picture.length, validator: '"a"' };
      if (range === undefined) return { ...facts, offset: 0, body: cutAfter(half) };
      return { ...facts, offset: range.from, body: piece(picture.subarray(range.from)) };
    });
    assert.deepEqual(await readFile(await results.get(id)), picture);
    assert.deepEqual(ranges, [undefined, { from: 20, validator: '"a"', size: picture.length }]);
  });

  it("T8: a result that is shorter than its length is not kept", async () => {
    await succeed();
    const whole = { mimeType: "image/png", offset: 0, size: picture.length };
    const results = open(() => ({ ...whole, body: piece(picture.subarray(0, -1)) }));
    await assert.rejects(results.get(id), AppFailure);
    assert.deepEqual([await readdir(folder), accepted().saved], [[], undefined]);
    assert.equal(accepted().fetchFailure?.error.kind, "unreachable");
  });

  it("T8, T1 (finding M15): half of a result does not stay on a disk that it has filled", async () => {
    await succeed();
    const fills = async function* (): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(picture.subarray(0, 20));
      throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    };
    const facts = { size: picture.length, validator: '"a"' };
    await assert.rejects(save(fills, {}, facts), /no space left/);
    assert.deepEqual(await readdir(folder), []);
    assert.equal(accepted().fetchFailure?.error.code, "ENOSPC");
    assert.deepEqual(await readFile(await save()), picture);
  });

  it("T8: a window that is closed in the middle leaves what arrived, and the next one goes on with it", async () => {
    await succeed();
    const arrived = Promise.withResolvers<undefined>();
    const facts = { mimeType: "image/png", size: picture.length, validator: '"a"' };
    const stalls = async function* (): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(picture.subarray(0, 20));
      arrived.resolve(undefined);
      await closed.promise;
      throw abortReason(undefined);
    };
    const closed = Promise.withResolvers<undefined>();
    const first = open(() => ({ ...facts, offset: 0, body: stalls() }));
    const waiting = assert.rejects(first.get(id), { name: "AbortError" });
    await arrived.promise;
    first.dispose();
    closed.resolve(undefined);
    await waiting;
    assert.deepEqual((await readdir(folder)).sort(), [`${id}.${process.pid}.part`, `${id}.${process.pid}.part.json`]);
    const changed = open((range) => {
      assert.deepEqual(range, { from: 20, validator: '"a"', size: picture.length });
      // The file is another one now: all of it is sent.
      return { ...facts, offset: 0, validator: '"b"', body: bytes() };
    });
    assert.deepEqual(await readFile(await changed.get(id)), picture);
    assert.deepEqual((await readdir(folder)).sort(), ["a-lighthouse-2222222222224222.png"]);
  });

  it("T8: the file of a process that is gone is continued; that of a running one is not touched", async () => {
    await succeed();
    await mkdir(folder, { mode: 0o700 });
    const gone = join(folder, `${id}.99999999.part`);
    await writeFile(gone, picture.subarray(0, 20));
    await writeFile(`${gone}.json`, JSON.stringify({ source: "https://cdn.example/a.png", validator: '"a"' }));
    const running = join(folder, `${id}.${process.ppid}.part`);
    await writeFile(running, "theirs");
    const results = open((range) => {
      assert.deepEqual(range, { from: 20, validator: '"a"' });
      return { mimeType: "image/png", offset: 20, size: picture.length, body: piece(picture.subarray(20)) };
    });
    assert.deepEqual(await readFile(await results.get(id)), picture);
    assert.equal(await readFile(running, "utf8"), "theirs");
  });

  it("T8: what gone processes have left of other downloads goes after eight days, with the first download of a window", async () => {
    await succeed();
    await mkdir(folder, { mode: 0o700 });
    const hour = 3_600_000;
    const leave = async (name: string, ago: number): Promise<void> => {
      const changedAt = (Date.now() - ago) / 1000;
      await writeFile(join(folder, name), "half");
      await utimes(join(folder, name), changedAt, changedAt);
    };
    const other = "33333333-3333-4333-8333-333333333333";
    await leave(`${other}.99999999.part`, 8 * 24 * hour + hour);
    await leave(`${other}.99999999.part.json`, 8 * 24 * hour + hour);
    await leave(`${other}.99999998.part`, 8 * 24 * hour - hour);
    await leave(`${other}.${process.ppid}.part`, 9 * 24 * hour);
    await leave("mine.99999999.part", 9 * 24 * hour);
    const results = open(() => ({ mimeType: "image/png", offset: 0, body: bytes() }));
    await results.get(id);
    assert.deepEqual(
      (await readdir(folder)).sort(),
      [
        `${other}.${process.ppid}.part`,
        `${other}.99999998.part`,
        "a-lighthouse-2222222222224222.png",
        "mine.99999999.part",
      ].sort(),
    );
  });

  it("T8: what has arrived from another address is not the beginning of this result", async () => {
    await succeed();
    await mkdir(folder, { mode: 0o700 });
    const gone = join(folder, `${id}.99999999.part`);
    await writeFile(gone, "the beginning of b.png");
    await writeFile(`${gone}.json`, JSON.stringify({ source: "https://cdn.example/b.png", validator: '"a"' }));
    const results = open((range) => {
      assert.equal(range, undefined);
      return { mimeType: "image/png", offset: 0, size: picture.length, body: bytes() };
    });
    assert.deepEqual(await readFile(await results.get(id)), picture);
  });

  it("T8: what is too large is not fetched without a click, by its length or by what has arrived", async () => {
    await succeed();
    for (const facts of [{ size: 1000 }, {}]) {
      const results = open(() => ({ mimeType: "image/png", offset: 0, ...facts, body: bytes() }));
      await assert.rejects(results.getUnasked(id, 30), AppFailure);
      assert.equal(accepted().fetchFailure?.error.code, "over-limit");
      assert.deepEqual(await readdir(folder), []);
    }
    assert.equal(reads, 0);
    assert.equal(openFetcher().awaits(board.listed.get(id)!), false, "not again after a while either");
    assert.deepEqual(await readFile(await save()), picture, "a click fetches it");
  });

  it("T8, V4: a fetch that the person has cancelled is given up, so that nobody waits for its file", async () => {
    await succeed("a lighthouse", { destination: { file: "file:///harbour/assets/a" } });
    const fetcher = openFetcher(() => Promise.reject(abortReason(AbortSignal.abort())));
    const ended = fetcher.run();
    await until(() => fetcher.problemOf(board.listed.get(id)!) === "given-up");
    fetcher.dispose();
    await ended;
  });

  it("T8: a failed download is made again by its schedule, also when the clock was set back by a day meanwhile", async () => {
    const clock = createMovedClock(3 * 24 * 3_600_000);
    await succeed();
    const fetched: number[] = [];
    const fail = async (): Promise<void> => {
      const error = { kind: "unavailable", message: "no" } as const;
      await board.applyThenWrite({ type: "task-fetch-failed", id, at: clock.now(), error });
    };
    await fail();
    clock.setWall(-24 * 3_600_000);
    const fetcher = new ResultFetcher({
      ...{ board, connections: connectTo(makeGateway({})), log: keptLog(), clock },
      turn: { isOurs: true, need: () => undefined, state: new Store<LeaseHolder>("ours") },
      settings: settingsWith(() => ({ "results.fetchUpTo": 1000 })),
      fetch: async () => {
        fetched.push(clock.monotonic());
        if (fetched.length < 3) await fail();
        else await board.applyThenWrite({ type: "task-saved", id, at: clock.now(), path: "/a.png", saved: savedFacts });
      },
    });
    const running = fetcher.run();
    await clock.advance(1000);
    await until(() => fetched.length === 1);
    await clock.advance(2 * 60_000 + 1000);
    await until(() => fetched.length === 2);
    clock.setWall(-24 * 3_600_000);
    await clock.advance(11 * 60_000);
    await until(() => fetched.length === 3);
    fetcher.dispose();
    await running;
  });

  it("T8: a connection that became ready before the clock was set back by a day takes no pause from later failures", async () => {
    const clock = createMovedClock(3 * 24 * 3_600_000);
    await succeed();
    const connections = connectTo(makeGateway({}));
    let fetched = 0;
    const fetcher = new ResultFetcher({
      ...{ board, connections, log: keptLog(), clock },
      turn: { isOurs: true, need: () => undefined, state: new Store<LeaseHolder>("ours") },
      settings: settingsWith(() => ({ "results.fetchUpTo": 1000 })),
      fetch: async () => {
        fetched += 1;
        const error = { kind: "unreachable", message: "no" } as const;
        await board.applyThenWrite({ type: "task-fetch-failed", id, at: clock.now(), error });
      },
    });
    const running = fetcher.run();
    await until(() => fetched === 1);
    connections.current.set({ ...connections.current.current });
    clock.setWall(-24 * 3_600_000);
    await until(() => fetched === 2);
    await clock.advance(60_000);
    assert.equal(fetched, 2, "the second pause is two minutes");
    fetcher.dispose();
    await running;
  });

  it("H1, T8: a result that two windows stopped answering over waits for a click", async () => {
    await succeed();
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const mark = join(folder, `${id}.reading`);
    assert.equal(await readMarked(folder, id, () => readFileSync(mark, "utf8")), ".");
    assert.deepEqual(await readdir(folder), [], "a reading that ends leaves nothing");
    const results = open(() => ({ mimeType: "image/png", offset: 0, body: bytes() }));
    const fetcher = openFetcher();
    const isAwaited = (): boolean => fetcher.awaits(board.listed.get(id)!);
    assert.equal(isAwaited(), true);
    await writeFile(mark, "..");
    await assert.rejects(results.getUnasked(id, Infinity), /stopped answering 2 times/);
    assert.deepEqual([downloads, reads], [0, 0]);
    assert.equal(accepted().fetchFailure?.error.code, "held-back");
    assert.equal(isAwaited(), false);
    assert.match(resultSentence(accepted()) ?? "", /stopped answering .* Open Result fetches it/);
    assert.deepEqual(await readFile(await results.get(id)), picture, "a click fetches it");
    assert.deepEqual((await readdir(folder)).sort(), ["a-lighthouse-2222222222224222.png"]);
    await refuseHeldBack(folder, id);
  });

  it("T8, T20: a result has its file alone, and what an earlier version kept beside it goes", async () => {
    await succeed("a lighthouse");
    const name = "a-lighthouse-2222222222224222";
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${name}.json`), "{}");
    await writeFile(join(folder, "image-2222222222224222.jpg"), "of the time before its prompt was known");
    await writeFile(join(folder, "a-lighthouse-2222222222224223.png"), "of another task");
    await save();
    assert.deepEqual((await readdir(folder)).sort(), [
      "a-lighthouse-2222222222224222.png",
      "a-lighthouse-2222222222224223.png",
    ]);
    assert.deepEqual(
      (await readdir(folder)).filter((one) => one.startsWith(name)),
      [`${name}.png`],
    );
    const { saved } = accepted();
    assert.deepEqual([saved?.mimeType, saved?.size], ["image/png", picture.length]);
  });

  const thumbnailUrl = "https://cdn.example/small.png";
  /** The thumbnail comes once `send` has resolved. */
  const openWithThumbnail = async (
    send: (signal?: AbortSignal) => Promise<unknown>,
    type: TaskIntent["type"] = "image",
  ): Promise<ResultDownloads> => {
    await succeed("a lighthouse", { type });
    const url = "https://cdn.example/a.png";
    const assets = { kind: "assets", imageUrl: url, videoUrl: url, thumbnailUrl } as const;
    await board.applyThenWrite({ type: "task-read", id, at: 1, remote: makeRemote({ state: "succeeded", assets }) });
    const late = async function* (signal?: AbortSignal): AsyncGenerator<Uint8Array> {
      await send(signal);
      yield wholeJpeg;
    };
    return open((_range, url, signal) => {
      const body = url === thumbnailUrl ? late(signal) : bytes();
      return { mimeType: "image/png", offset: 0, body };
    });
  };
  const name = "a-lighthouse-2222222222224222";

  it("T8: a result is on record before its thumbnail is fetched, which the record names when it is here", async () => {
    const sent = Promise.withResolvers<undefined>();
    const results = await openWithThumbnail(() => sent.promise);
    const fetching = results.get(id);
    await until(() => accepted().saved !== undefined);
    const path = join(folder, `${name}.png`);
    assert.deepEqual([accepted().saved?.path, accepted().saved?.thumbnail], [path, undefined]);
    assert.deepEqual(await readFile(path), picture);
    sent.resolve(undefined);
    assert.equal(await fetching, path);
    const thumbnail = join(folder, `${name}.thumbnail.jpg`);
    assert.deepEqual([accepted().saved?.path, accepted().saved?.thumbnail], [path, thumbnail]);
    assert.equal(await results.get(id), path);
    assert.equal(downloads, 2);
  });

  it("T8, A12: a model that looks at a video whose thumbnail is being fetched gets the thumbnail", async () => {
    const sent = Promise.withResolvers<undefined>();
    const results = await openWithThumbnail(() => sent.promise, "video");
    const fetching = results.get(id);
    await until(() => accepted().saved !== undefined);
    const fetch = (taskId: string, limit: number): Promise<string> => results.getUnasked(taskId, limit);
    const look = pictureOf({ board, folder, settings: settingsWith(() => ({ "results.fetchUpTo": 1000 })), fetch });
    const looking = look(board.listed.get(id)!, new AbortController().signal);
    sent.resolve(undefined);
    assert.deepEqual(await looking, Buffer.from(wholeJpeg));
    await fetching;
  });

  for (const [what, end] of [
    ["the window ends", (results: ResultDownloads) => results.dispose()],
    ["the person cancels", (_results: ResultDownloads, cancel: AbortController) => cancel.abort()],
  ] as const)
    it(`T8: where ${what} while the thumbnail is fetched, the result stays saved and is not fetched again`, async () => {
      const cancel = new AbortController();
      const results = await openWithThumbnail((signal) => abortable(new Promise(() => undefined), signal!));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(join(folder, `${name}.jpg`), "of an earlier download");
      const fetching = results.get(id, { signal: cancel.signal }).catch(() => undefined);
      await until(() => downloads === 2);
      end(results, cancel);
      await fetching;
      await results.close();
      assert.deepEqual(await readdir(folder), [`${name}.png`]);
      assert.deepEqual([accepted().saved?.path, accepted().fetchFailure], [join(folder, `${name}.png`), undefined]);
      const died = open(() => assert.fail("the link has died"));
      assert.deepEqual(await readFile(await died.get(id)), picture);
    });

  it("T8 (finding 15): a dead link is read anew once; a busy service and a rate limit are not", async () => {
    await succeed();
    for (const [status, kind, read] of [
      [410, "not-found", 1],
      [429, "rate-limited", 0],
      [503, "unavailable", 0],
    ] as const) {
      reads = downloads = 0;
      const results = open(() => {
        throw new AppFailure({ kind, status, message: "no" });
      });
      await assert.rejects(results.get(id), AppFailure);
      assert.deepEqual([downloads, reads], [1 + read, read], String(status));
    }
  });

  it("T8 (finding 15): the link that a read gives in the place of a dead one is the one that is downloaded", async () => {
    await succeed();
    const asked: string[] = [];
    const fresh = makeRemote({ state: "succeeded", assets: { kind: "assets", imageUrl: "https://cdn.example/b.png" } });
    const results = open((_range, url) => {
      asked.push(new URL(url).pathname);
      if (url.includes("a.png")) throw new AppFailure({ kind: "not-found", status: 410, message: "gone" });
      return { mimeType: "image/png", offset: 0, body: bytes() };
    }, fresh);
    assert.deepEqual(await readFile(await results.get(id)), picture);
    assert.deepEqual(asked, ["/a.png", "/b.png"]);
  });

  it("T8: a saved result is not fetched again, but with Fetch Again", async () => {
    await succeed();
    await mkdir(folder, { mode: 0o700 });
    const old = join(folder, "a-lighthouse-2222222222224222.bin");
    await writeFile(old, "old");
    await board.writeThenApply({ type: "task-saved", id, at: 0, path: old, saved: savedFacts });
    assert.equal(await save(), old);
    const path = await save(bytes, { anew: true });
    assert.deepEqual(await readFile(path), picture);
    assert.deepEqual((await readdir(folder)).sort(), ["a-lighthouse-2222222222224222.png"]);
    assert.deepEqual(accepted().saved?.path, path);
  });
});

/** Compares what the rows of a run say with what the gateway has: its ledger, its client report, and the files of its results. */
import { readFile } from "node:fs/promises";
import type { Mishap } from "./mishaps";
import type { SettledRow } from "./protocol";

interface Entry {
  readonly type: string;
  readonly taskId?: string;
}

interface Finding {
  readonly rule: string;
  readonly detail: string;
}

/** Matches what must not be said of a task that has a hold. */
const claimsUnpaid = /nothing is paid|not charged(?!: given back)|nothing was sent|not accepted/i;

/** Resolves with the number of holds, and what is lost, paid twice or said wrongly. `pollers`: how often a window has begun to poll. */
export async function judgeRows(
  rows: readonly SettledRow[],
  prompts: readonly string[],
  { url, key }: { readonly url: string; readonly key: string },
  { cap, forgets, provokes = [] }: Mishap,
  pollers: number,
): Promise<{ readonly holds: number; readonly faults: readonly string[] }> {
  const faults: string[] = [];
  const headers = { authorization: `Bearer ${key}` };
  const ask = async <T>(path: string): Promise<T> => (await (await fetch(`${url}${path}`, { headers })).json()) as T;
  const { entries } = await ask<{ entries: readonly Entry[] }>("/_local/ledger");
  const { findings } = await ask<{ findings: readonly Finding[] }>("/_local/client-report");
  const holds = entries.filter(({ type }) => type === "hold");
  const has = (type: string, taskId: string): boolean =>
    entries.some((entry) => entry.type === type && entry.taskId === taskId);
  // Rows whose task no answer has named: a row that was removed is not asked for any more.
  const nameless = rows.filter(({ submission }) => submission === "outcome-unknown").length;
  const missing = holds.filter(({ taskId }) => !rows.some((row) => row.taskId === taskId));
  if (!forgets && missing.length > nameless) faults.push(`${missing.length - nameless} paid tasks have no row`);
  if (!forgets && holds.length > rows.length) faults.push(`${holds.length} holds for ${rows.length} intents`);
  if (cap !== undefined && holds.length > 2 * cap)
    faults.push(`${holds.length} holds in two days, ${cap} a day allowed`);
  for (const { taskId } of rows) {
    if (taskId === undefined) continue;
    if (!has("hold", taskId)) faults.push(`a row names a task that the gateway lacks: ${taskId}`);
    if (rows.filter((row) => row.taskId === taskId).length > 1) faults.push(`two rows name one task: ${taskId}`);
  }
  for (const row of rows) {
    const { taskId = "", submission, state, money, sentence, savedAs = "", prompt } = row;
    if (has("hold", taskId) && claimsUnpaid.test(`${money} ${sentence}`)) faults.push(`false: ${money} ${sentence}`);
    if (money.startsWith("Charged") && !has("settle", taskId)) faults.push(`not settled: ${money}`);
    if (money.includes("given back at") && !has("release", taskId)) faults.push(`not released: ${money}`);
    if (submission !== "accepted" || state !== "succeeded") continue;
    const saved = await readFile(savedAs).catch(() => undefined);
    const wanted = await readResult(await ask(`/v1/tasks/${taskId}`));
    if (!saved?.equals(wanted)) faults.push(`a result is ${saved ? "another file" : "missing"}: ${prompt}`);
  }
  for (const { prompt, madeFrom, batch, variant } of rows) {
    if (madeFrom === "") faults.push(`what it was made from is lost: ${prompt}`);
    if (madeFrom !== undefined && prompt !== videoOf(madeFrom)) faults.push(`${prompt} was made from ${madeFrom}`);
    const alike = rows.filter((row) => row.batch === batch && row.variant === variant).length;
    if (variant !== undefined && alike > 1) faults.push(`${alike} rows for one variant: ${variant}`);
  }
  for (const finding of findings)
    if (!isOwedToKill(finding, pollers) && !provokes.some((rule) => rule === finding.rule))
      faults.push(`clientReport: ${finding.rule}: ${finding.detail}`);
  for (const prompt of new Set(prompts)) {
    const found = rows.filter((row) => row.prompt === prompt).length;
    if (found > 1 && cap === undefined) faults.push(`${found} rows for one intent`);
  }
  return { holds: holds.length, faults };
}

/** The prompt of a video that is made from a picture. */
export const videoOf = (prompt: string): string => `a video of ${prompt}`;

async function readResult({ result_assets_json }: { readonly result_assets_json: string }): Promise<Buffer> {
  const assets = JSON.parse(result_assets_json) as { readonly image_url?: string; readonly video_url?: string };
  return Buffer.from(await (await fetch(assets.video_url ?? assets.image_url ?? "")).arrayBuffer());
}

/**
 * Whether a kill or the pace explains it. At this speed the 2 s between two reads are 100 ms, less than a busy machine may delay one of them; other
 * tests hold the pace. So may it delay the gateway by as much between its response and its note of the pause, which is 20 s here. A window that
 * takes the polling over, from one that was killed or had no processor for half a second, reads an end once more that the one before it had not
 * written: twice, and once for each window that polled.
 */
function isOwedToKill({ rule, detail }: Finding, pollers: number): boolean {
  if (rule === "ignored-retry-after") return Number.parseInt(detail, 10) <= 2000;
  return rule === "polled-too-fast" || (rule === "read-after-end" && Number.parseInt(detail, 10) <= 2 + pollers);
}

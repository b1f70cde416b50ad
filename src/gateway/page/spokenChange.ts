/** The announcement for screen readers when the local gateway's page changes. */
import { t } from "@vscode/l10n";
import type { LocalGatewaySnapshot } from "../contract/localGatewayPageContract";

/** A problem, and what the person's own buttons cause: money paid in, a new account. Not the entries that running tasks add. */
export function spokenChange(before: LocalGatewaySnapshot, now: LocalGatewaySnapshot): string | undefined {
  if (now.problem !== undefined && now.problem !== before.problem) return now.problem;
  const [old, next] = [before.gateway?.accounts ?? [], now.gateway?.accounts ?? []];
  if (next.length > old.length && old.length > 0) return t("{0} was created.", next.at(-1)?.name ?? "");
  const paidIn = next.find(({ entries }, index) => {
    const [[last], known] = [entries, old[index]];
    return known && last?.type === "deposit" && last.at !== known.entries[0]?.at;
  });
  return paidIn && t("{0} available", paidIn.available);
}

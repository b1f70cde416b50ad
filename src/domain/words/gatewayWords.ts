/** The destination of a request in a word or two: *Local · free*, or the gateway's host. What another gateway charges is not known here. */
import { t } from "@vscode/l10n";
import { localOrigin } from "../gateway/address";

export function localWords(): string {
  return t("Local · free");
}

export function originWords(origin: string): string {
  return origin === localOrigin ? localWords() : (URL.parse(origin)?.host ?? origin);
}

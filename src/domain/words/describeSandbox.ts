/** The words for the sandbox of commands: what it holds, and how to get one. */
import { t } from "@vscode/l10n";
import type { SandboxLack, SandboxState } from "../tools/sandbox";

export function sandboxTitle(sandbox: SandboxState): string {
  if (sandbox.state !== "ready") return t("No sandbox: commands ask");
  return sandbox.copies
    ? t("Sandbox with a copy: commands run without a question")
    : t("Sandbox without a copy: commands ask, and are confined");
}

export function describeSandbox(sandbox: SandboxState): string {
  switch (sandbox.state) {
    case "ready":
      return sandbox.copies
        ? t(
            "They work on a copy of this workspace, without network, home folder, secrets or other programs. Plain changes are applied and can be undone. What something runs or obeys asks first. Commands in the background and outside of the sandbox ask",
          )
        : t(
            "The system can't copy these folders. Commands can write in this workspace only, and nothing that git, editors, builds or agents obey. They have no network and see no home folder, secrets or other programs. Commands outside of the sandbox ask",
          );
    case "off":
      return t("The setting sluice.sandbox is off");
    case "missing":
      return describeLack(sandbox.why);
  }
}

function describeLack(why: SandboxLack): string {
  switch (why) {
    case "not-installed":
      return t("Install bubblewrap (package “bubblewrap” of your distribution) and reload the window");
    case "refused":
      return t("The system does not let it work: user namespaces are switched off for it");
    case "no-such":
      return t("This system has none that Sluice can use");
    case "too-wide":
      return t("A folder of this workspace holds your home folder or a part of the system");
  }
}

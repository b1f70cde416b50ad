/** *New Prompt File…*: one of the person's own or of the workspace, opened to be written. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { t } from "@vscode/l10n";
import type { Workspace } from "../../../domain/tools/workspace";
import { typedName } from "../../../tools/context/findPromptFiles";
import { gatePlace } from "../../../tools/gate/fileGate";
import { rootNames } from "../../../tools/gate/pathNames";
import { StepPicker } from "../../../vscode/interface/pickSteps";
import { openFile } from "../../../vscode/interface/runCommand";
import { askText, notifyWarning } from "../../../vscode/interface/show";
import type { PromptFiles } from "./promptFiles";

const nameCap = 60;

/** Rejects with a `ToolRefusal` or the error of the file system. */
export async function createPromptFile(prompts: PromptFiles): Promise<void> {
  const place = await askForPlace(prompts);
  if (place === undefined) return;
  const asked = await askText({
    title: t("New Prompt File"),
    prompt: t("Its name, which is typed after / in the chat"),
    value: "my-prompt",
    longest: nameCap,
  });
  if (asked === undefined) return;
  const name = typedName([asked.replace(/^\//, "")]);
  if (name === undefined) {
    await notifyWarning(t("A name has letters, digits, “-”, “_” and “.” only, and begins with a letter or digit."));
    return;
  }
  const content = Buffer.from(template());
  if (place === "workspace") {
    const { workspace } = prompts;
    const { signal } = new AbortController();
    const found = await gatePlace(workspace, `${firstRoot(workspace)}.github/prompts/${name}.prompt.md`, signal);
    await workspace.create(found.path, content);
    await prompts.refresh();
    await openFile(found.path);
  } else {
    const file = join(prompts.folder, `${name}.prompt.md`);
    await mkdir(dirname(file), { recursive: true });
    // An existing one is opened as it is.
    await writeFile(file, content, { flag: "wx" }).catch((error: unknown) => {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    });
    await prompts.refresh();
    await openFile(file);
  }
}

async function askForPlace({ workspace }: PromptFiles): Promise<"own" | "workspace" | undefined> {
  if (workspace.roots().length === 0) return "own";
  const picker = new StepPicker(t("New Prompt File"));
  try {
    const answer = await picker.ask({
      placeholder: t("Where it is kept"),
      choices: [
        { icon: "edit", label: t("Yours"), description: t("in every workspace"), value: "own" },
        { icon: "go-to-file", label: t("This workspace"), description: ".github/prompts", value: "workspace" },
      ] as const,
    });
    return typeof answer === "string" ? undefined : answer.value;
  } finally {
    picker.dispose();
  }
}

/** Of several folders the first one. */
function firstRoot(workspace: Workspace): string {
  const roots = workspace.roots();
  return roots.length > 1 ? `${rootNames(roots)[0] ?? ""}/` : "";
}

function template(): string {
  return `---
description: ${t("What it is for, shown in the list after /")}
argument-hint: ${t("what may follow the name")}
---

${t("Write the prompt here. $ARGUMENTS stands for what is written after the name, $1 for its first word, and {0} asks for a value.", "${input:topic:What about?}")}
`;
}

/** The skills that the model may take up without a command: one line each, in a trusted workspace and only when git's index names the file. It reads the rest with a tool. */
import type { Skill } from "../../domain/chat/environmentSchema";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { findPromptFiles } from "./findPromptFiles";

/** Every request holds these lines. In characters, of all. */
const bounds = { skills: 40, all: 8000, short: 300 };

/** Rejects with an `AbortError`, or with the error of the file system. */
export async function findSkills(workspace: ReadableWorkspace, signal: AbortSignal): Promise<readonly Skill[]> {
  const { prompts } = await findPromptFiles(workspace, signal, ["skill"]);
  const skills: Skill[] = [];
  let left = bounds.all;
  for (const { name, path, header, isTracked } of prompts) {
    if (!isTracked || header.description === undefined) continue;
    // With many of them the later ones are shorter, so that no skill is left out for the length of others.
    const description = left < bounds.all / 2 ? cut(header.description) : header.description;
    left -= name.length + path.length + description.length;
    if (skills.length === bounds.skills || left < 0) break;
    skills.push({ name, path, description });
  }
  return skills;
}

function cut(text: string): string {
  return text.length <= bounds.short ? text : `${text.slice(0, bounds.short).toWellFormed()}…`;
}

/** The models that are trained on patches: they are offered `apply_patch` instead of `edit_file`. */

/** By the beginning of the name, behind what a gateway puts before it. */
const trained = /(?:^|[/:])(?:gpt-(?:4\.[1-9]|[5-9]|[1-9]\d)|o[1-9](?![a-z0-9])|codex)/i;

export function takesPatches(model: string): boolean {
  return trained.test(model);
}

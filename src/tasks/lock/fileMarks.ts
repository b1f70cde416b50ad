/** Finds which marks of its origin a file carries, as short names for `sluice.lock`. */
import { readMarks } from "../../domain/media/marks/readMarks";

/** `c2pa`: content credentials. `iptc`: the mark that a model made it. `rehearsed`: it is a placeholder. `prompt`, `seed`: it holds these. */
export function marksIn(bytes: Uint8Array): readonly string[] {
  const { hasCredentials, isGenerated, isRehearsed, prompt, seed } = readMarks(bytes);
  const found = {
    c2pa: hasCredentials,
    iptc: isGenerated,
    rehearsed: isRehearsed,
    prompt: prompt !== undefined,
    seed: seed !== undefined,
  };
  return Object.entries(found).flatMap(([name, is]) => (is === true ? [name] : []));
}

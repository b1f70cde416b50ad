/** Where a chat works, read through the workspace and the editor. */
import { isAbort } from "../../base/async/abort";
import type { Clock } from "../../base/clock";
import { definedFields } from "../../base/definedFields";
import { localDate } from "../../base/localDay";
import type { Surroundings } from "./surroundings";
import type { Log } from "../../domain/ports";
import type { PlacePort } from "../../domain/tools/toolPorts";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import {
  findInstructions,
  findInstructionsAbove,
  type InstructionRules,
  readAllowed,
} from "../../tools/context/findInstructions";
import { findSkills } from "../../tools/context/findPromptFiles";
import { readFacts } from "../../tools/context/readFacts";

export interface SurroundingsPorts {
  readonly workspace: ReadableWorkspace;
  readonly place: PlacePort;
  readonly clock: Clock;
  readonly log: Log;
}

export function createSurroundings({ workspace, place, clock, log }: SurroundingsPorts): Surroundings {
  const rules: InstructionRules = {
    workspace,
    own: () => place.instructions(),
    isAllowed: (real) => place.allowed.has(real),
  };
  const day = (): string => localDate(clock.now());
  /** A disk that fails must not end a turn. */
  const orElse = async <T>(other: T, work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (isAbort(error)) throw error;
      log.warn("Where the chat works could not be read.", { message: String(error) });
      return other;
    }
  };
  return {
    promptContext: () => ({ day: day(), ...definedFields({ editor: place.activeEditor() }) }),
    roots: () => workspace.roots().map(({ path }) => path),
    readEnvironment: (signal) =>
      orElse(
        undefined,
        Promise.all([
          readFacts(workspace, signal),
          findInstructions(rules, signal),
          findSkills(workspace, signal),
        ]).then(([roots, { instructions, offered }, skills]) => ({
          ...place.host,
          day: day(),
          roots,
          instructions,
          offered,
          ...(skills.length === 0 ? {} : { skills }),
        })),
      ),
    instructionsAbove: (file, known, signal) =>
      orElse({ instructions: [], offered: [] }, findInstructionsAbove(rules, file, known, signal)),
    async allowInstructions(path, known) {
      const read = await orElse(undefined, readAllowed(rules, path, known));
      if (read) place.allowed.add(read.real);
      return read?.instructions;
    },
  };
}

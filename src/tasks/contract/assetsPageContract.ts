/** The contract of the page that shows which files of the project were made here (T17). */
import * as z from "zod/mini";
import type { AssetFile, AssetGroup, Oversize } from "../../domain/task/assetGroups";
import type { IntentOf, ProjectedContract } from "../../base/pageContract";
import type { LockState } from "../../domain/lock/lockState";
import { gallerySections, sectionIntents } from "./pageSections";

/**
 * `make`, `make-again`: submits the prompt of the file anew, for its path. `restore`: the changed file gets the bytes of its result again. `keep`: the
 * lock takes the changed file as it is.
 */
export const assetActions = [
  "open-task",
  "open-prompt",
  "make-real",
  "make",
  "make-again",
  "restore",
  "keep",
  "convert",
  "show",
] as const;
export type AssetAction = (typeof assetActions)[number];

/** The URI of an asset that the host has sent. */
const file = z.string().check(z.maxLength(4000));

const intents = {
  ...sectionIntents(gallerySections),
  "assets-look": {},
  "assets-stop": {},
  "folder-open": {},
  /** Puts the program that checks `sluice.lock` into the project. */
  "check-add": {},
  "asset-act": { action: z.enum(assetActions), file },
  /** Opens a document where it names the asset. */
  "use-open": { file, use: z.int().check(z.minimum(0), z.maximum(1000)) },
};

export type AssetsPageContract = ProjectedContract<typeof intents, AssetsPageSnapshot, AssetsPageSnapshot>;
export const assetsPageContract: AssetsPageContract = { intents };
export type AssetsPageIntent = IntentOf<AssetsPageContract>;

export interface AssetRow {
  readonly file: string;
  /** The path in the workspace. */
  readonly path: string;
  /** The prompt of the task that made the file. For a file that only `sluice.lock` lists: the place of the prompt, or empty. */
  readonly prompt: string;
  /** The action of a click on the prompt; missing where there is nothing to open. */
  readonly opens?: "open-task" | "open-prompt";
  /** The model, only for a file that `sluice.lock` alone lists. */
  readonly model?: string;
  /** The time at which the task was submitted, or the file was put there; milliseconds since 1970. */
  readonly createdAt?: number;
  /** The file on disk, as it was when the page was filled. */
  readonly onDisk: AssetFile;
  /** Why the file is larger than needed; only in the group `too-large`. */
  readonly oversize?: Oversize;
  /** The state of the file by `sluice.lock`; missing for `good` and for a file that the lock does not list. */
  readonly locked?: LockState;
  /** The address of its small picture. */
  readonly picture?: string;
  /** Documents and lines that name it: `src/index.html:12`. */
  readonly uses: readonly string[];
  /** The number of uses beyond those. */
  readonly moreUses: number;
  readonly actions: readonly AssetAction[];
}

export interface FoundAssets {
  readonly groups: readonly { readonly name: AssetGroup; readonly rows: readonly AssetRow[] }[];
  /** The time at which the project was searched; milliseconds since 1970. */
  readonly lookedAt: number;
  /** How many documents were read. */
  readonly documents: number;
  /** Some documents were not read in full. */
  readonly isIncomplete: boolean;
  /** How many files there are beyond those of the rows. */
  readonly more: number;
}

export interface AssetsPageSnapshot {
  readonly subject: string;
  /** No folder is open, so there is no project. */
  readonly noFolder?: true;
  /** The number of documents read so far, while the project is searched. */
  readonly looking?: number;
  /** The files of the rows are being compared with `sluice.lock`: states, buttons and pictures that depend on it come later. */
  readonly isChecking?: true;
  /** A folder has a lock, and not the program of this version that checks it. */
  readonly lacksCheck?: true;
  /** Missing until the project was searched for the first time. */
  readonly found?: FoundAssets;
}

/** The contract of the page that shows what of the project was made here (T17). */
import * as z from "zod/mini";
import type { AssetFile, AssetGroup, Oversize } from "../../domain/task/assetGroups";
import type { IntentOf, ProjectedContract } from "../../base/pageContract";
import type { LockState } from "../../domain/lock/lockState";
import { gallerySections, sectionIntents } from "./pageSections";

export const assetActions = ["open-task", "open-prompt", "make-real", "show", "convert"] as const;
export type AssetAction = (typeof assetActions)[number];

/** The URI of an asset that the host has sent. */
const file = z.string().check(z.maxLength(4000));

const intents = {
  ...sectionIntents(gallerySections),
  "assets-look": {},
  "assets-stop": {},
  "folder-open": {},
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
  /** The prompt of the task that made it; where only `sluice.lock` tells of it, the place of the prompt, or empty. */
  readonly prompt: string;
  /** What a click on it opens. */
  readonly opens?: "open-task" | "open-prompt";
  /** Where only `sluice.lock` tells of it. */
  readonly model?: string;
  /** When that task was submitted, or when the file was put there; milliseconds since 1970. */
  readonly createdAt?: number;
  /** The file on disk, as it was when the page was filled. */
  readonly onDisk: AssetFile;
  /** Why it is larger than needed, in that group. */
  readonly oversize?: Oversize;
  /** By `sluice.lock`, where that says more than that all is good. */
  readonly locked?: LockState;
  /** The address of its small picture. */
  readonly picture?: string;
  /** Documents and lines that name it: `src/index.html:12`. */
  readonly uses: readonly string[];
  /** How many there are beyond those. */
  readonly moreUses: number;
  readonly actions: readonly AssetAction[];
}

export interface FoundAssets {
  readonly groups: readonly { readonly name: AssetGroup; readonly rows: readonly AssetRow[] }[];
  /** When the project was looked through; milliseconds since 1970. */
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
  /** Documents that were read so far, while the project is looked through. */
  readonly looking?: number;
  /** Missing until it was looked through for the first time. */
  readonly found?: FoundAssets;
}

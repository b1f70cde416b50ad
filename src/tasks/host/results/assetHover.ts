/** Over a reference to a file that was made here: its picture, its prompt and what can be made of it (T17). */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Disposable } from "../../../base/disposable";
import type { Event } from "../../../base/event";
import { mediaReferenceAt } from "../../../domain/task/mediaReference";
import type { LockState } from "../../../domain/lock/lockState";
import { acceptedOf } from "../../../domain/task/phase";
import type { Task } from "../../../domain/task/task";
import { mediaOf } from "../../../domain/task/taskTypes";
import { describeLockState } from "../../../domain/words/lockWords";
import { cutLabel } from "../../../domain/words/label";
import { taskActionLabel } from "../../../domain/words/taskActionWords";
import { taskTypeName } from "../../../domain/words/taskTypeWords";
import { placedTasks } from "../../results/placedTasks";
import { createTimes } from "../../../domain/words/timeFormats";
import { type CommandAction, commandOf } from "../tree/taskActionCommands";
import { commands, internalCommands } from "../../../vscode/ids";
import { createPictureHover, type HoverAction } from "../../../vscode/interface/show";
import { placesOf } from "./lookForUses";

export interface AssetHoverPorts {
  /** The board, also with the tasks that are off the list. */
  readonly board: {
    readonly all: ReadonlyMap<string, Task>;
    readonly onDidChange: Event<ReadonlySet<string>>;
    loaded(): Promise<unknown>;
  };
  readonly now: () => number;
  /** By `sluice.lock`; `undefined` for a file that it does not list. */
  readonly stateOf: (file: string) => Promise<LockState | undefined>;
}

export class AssetHover implements vscode.HoverProvider, Disposable {
  readonly #ports: AssetHoverPorts;
  readonly #listening: Disposable;
  /** See `placedTasks`; until tasks change. */
  #placed: ReadonlyMap<string, Task> | undefined;

  constructor(ports: AssetHoverPorts) {
    this.#ports = ports;
    this.#listening = ports.board.onDidChange(() => (this.#placed = undefined));
  }

  dispose(): void {
    this.#listening.dispose();
  }

  async provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    const found = mediaReferenceAt(document.lineAt(position).text, position.character);
    if (found === undefined) return undefined;
    await this.#ports.board.loaded();
    const file = placesOf(found.path, document.uri).find((place) => this.#tasks().has(place.toString()));
    const task = file && this.#tasks().get(file.toString());
    if (file === undefined || task === undefined) return undefined;
    const { line } = position;
    const { picture, isTooLarge } = await pictureOf(task, file);
    const lines = describe(task, this.#ports.now());
    const locked = describeLockState(await this.#ports.stateOf(file.toString()));
    if (locked !== "") lines.push(locked);
    if (isTooLarge) lines.push(t("Can't be shown: {0}", t("the picture is too large")));
    return createPictureHover(
      { picture, lines, actions: actionsOf(task, file, isTooLarge) },
      new vscode.Range(line, found.start, line, found.end),
    );
  }

  #tasks(): ReadonlyMap<string, Task> {
    this.#placed ??= placedTasks(this.#ports.board.all.values());
    return this.#placed;
  }
}

interface HoverPicture {
  readonly picture: vscode.Uri | undefined;
  readonly isTooLarge: boolean;
}

/** The small one, where there is one; of a video there is no other. The window decodes the file itself whole. */
async function pictureOf(task: Task, file: vscode.Uri): Promise<HoverPicture> {
  const small = acceptedOf(task)?.saved?.thumbnail;
  if (small !== undefined) return { picture: vscode.Uri.file(small), isTooLarge: false };
  if (mediaOf(task.intent.type) !== "image" || file.scheme !== "file") return { picture: undefined, isTooLarge: false };
  const { lookAtPicture } = await import("../../results/pictureState");
  const state = await lookAtPicture(file.fsPath);
  return { picture: state === "fits" ? file : undefined, isTooLarge: state === "too-large" };
}

/** Characters: two lines of a hover. */
const maxPromptLength = 140;

function describe({ intent }: Task, now: number): string[] {
  const made = createTimes(vscode.env.language, now).short(intent.createdAt);
  return [cutLabel(intent.prompt, maxPromptLength), [taskTypeName(intent.type), intent.model, made].join(" · ")];
}

function actionsOf({ intent }: Task, file: vscode.Uri, isTooLarge: boolean): readonly HoverAction[] {
  const row = { kind: "task", id: intent.id };
  const isPicture = mediaOf(intent.type) === "image";
  const action = (one: CommandAction): HoverAction => {
    const { command, choice } = commandOf(one);
    return { title: taskActionLabel(one), command, args: [row, undefined, choice] };
  };
  return [
    ...(isTooLarge ? [action("open-result")] : []),
    action("open-task"),
    action("make-variants"),
    ...(isPicture ? [action("make-video"), action("convert")] : []),
    { title: t("Replace with Another Variant…"), command: commands.replaceAsset, args: [file.toString()] },
    { title: t("Where Is This Used"), command: internalCommands.findUses, args: [file.toString()] },
  ];
}

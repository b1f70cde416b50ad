/** The files that the editor names: what the model calls them, whether it may see a line of them without a question, and which of them a result quotes. */
import { isAbort } from "../../base/async/abort";
import { type CallEffects, ToolRefusal } from "../../domain/tools/tool";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { reasonsToAskForRead } from "../gate/cautions";
import { gateFile, type GatedFile, readText } from "../gate/fileGate";
import { labelInWorkspace, listedName } from "../gate/pathNames";
import { type QuotedFile, reportQuoted } from "../gate/quotedFiles";
import { linesOf } from "../base/resultLines";

const sizeCap = 2 * 1024 * 1024;
const shownLength = 300;

interface KnownFile {
  readonly label: string;
  readonly isOutside: boolean;
  /** Set for a file that may be read without a question. */
  readonly gated?: GatedFile;
}

export class KnownFiles {
  readonly #workspace: ReadableWorkspace;
  readonly #signal: AbortSignal;
  readonly #files = new Map<string, Promise<KnownFile>>();
  readonly #lines = new Map<string, Promise<readonly string[]>>();
  readonly #quoted: QuotedFile[] = [];

  constructor(workspace: ReadableWorkspace, signal: AbortSignal) {
    this.#workspace = workspace;
    this.#signal = signal;
  }

  /** `file` as in `CodePlace`. */
  get(file: string): Promise<KnownFile> {
    const known = this.#files.get(file) ?? this.#know(file);
    this.#files.set(file, known);
    return known;
  }

  /** Notes that the result contains text of the file or its name. */
  async addQuoted(file: string): Promise<void> {
    const { label, gated } = await this.get(file);
    this.#quoted.push(gated ?? { path: file, real: file, label });
  }

  /** Reports an untrusted one of the quoted files. Called when the result is complete. */
  report(effects: CallEffects | undefined): Promise<void> {
    return reportQuoted(this.#workspace, this.#quoted, this.#signal, effects);
  }

  /** Whether its content may be shown to the model: it is no secret, and git does not ignore it. Files outside are named only. */
  async mayBeTold(file: string): Promise<boolean> {
    const { gated, isOutside } = await this.get(file);
    return isOutside || gated !== undefined;
  }

  /** `label:line: text`, without the text where the file may not be read. */
  async quote(file: string, line: number): Promise<string> {
    const { label, gated } = await this.get(file);
    const text = gated && (await this.#linesOf(gated))[line - 1]?.trim().slice(0, shownLength).toWellFormed();
    if (text === undefined) return `${label}:${line}`;
    await this.addQuoted(file);
    return `${label}:${line}: ${text}`;
  }

  #linesOf(gated: GatedFile): Promise<readonly string[]> {
    const lines =
      this.#lines.get(gated.real) ??
      readText(this.#workspace, gated, sizeCap).then(
        ({ text }) => [...linesOf(text)],
        () => [],
      );
    this.#lines.set(gated.real, lines);
    return lines;
  }

  async #know(file: string): Promise<KnownFile> {
    try {
      const gated = await gateFile(this.#workspace, file, this.#signal);
      const label = listedName(gated.label);
      return reasonsToAskForRead(gated.cautions) ? { label, isOutside: false } : { label, isOutside: false, gated };
    } catch (error) {
      if (isAbort(error) || !(error instanceof ToolRefusal)) throw error;
      return this.#nameOf(file);
    }
  }

  /** A file that is gone keeps its path in the workspace; a file outside is named by the last three names of its path. */
  #nameOf(file: string): KnownFile {
    const label = labelInWorkspace(this.#workspace, file);
    if (label !== undefined) return { label: listedName(label), isOutside: false };
    const names = file.split(/[\\/]/).slice(-3).join("/");
    return { label: listedName(`…/${names} (outside the workspace)`), isOutside: true };
  }
}

/**
 * The ports of the tools: the editor and its symbols, foreign tools, images, workspace facts, terminals and the web. Lines and columns are counted
 * from 1.
 */
import type { Event } from "../../base/event";
import type { ImageType } from "../chat/imageTypes";
import type { PromptContext } from "../chat/environmentSchema";

/** `file` is absolute, as the editor names it, or the URI of what is no file of this machine. */
export interface CodePlace {
  readonly file: string;
  readonly line: number;
  /** The last line of the code at this place. */
  readonly endLine: number;
}

export interface CodePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Has the page, which has a decoder for all types, reduce an image to that many pixels of its longer side. `data` is base64. */
export interface ScaleMessage {
  readonly type: "image-scale";
  readonly key: number;
  readonly data: string;
  readonly side: number;
}

export interface CodeSymbol {
  readonly name: string;
  /** The kind in lower case: *class*, *method*. */
  readonly kind: string;
  readonly place: CodePlace;
  /** The number of symbols that it lies in. */
  readonly depth: number;
  /** The name of the symbol that it lies in, where that is not listed before it. */
  readonly container?: string;
}

type Severity = "error" | "warning" | "info" | "hint";

export interface CodeProblem {
  readonly severity: Severity;
  readonly message: string;
  /** The compiler or linter; may be empty. */
  readonly source: string;
  readonly position: CodePosition;
  /** Further files that the problem is about: the message may quote them. */
  readonly related?: readonly string[];
}

export interface OpenEditor {
  readonly file: string;
  readonly isActive: boolean;
  readonly hasUnsavedChanges: boolean;
  /** Missing for an editor in a background tab. `selection` is empty without selected text. */
  readonly shown?: {
    readonly firstLine: number;
    readonly lastLine: number;
    readonly cursor: { readonly line: number; readonly column: number };
    readonly selection: string;
  };
}

export interface WorkingChange {
  readonly file: string;
  readonly change: "added" | "modified" | "deleted" | "renamed" | "untracked" | "conflict";
  readonly isStaged: boolean;
}

/** The reports of problems by language extensions, which read a file once it is open, in an editor or not. */
interface ProblemReports {
  /** Fires with the files whose problems were reported again. */
  readonly onDidReport: Event<readonly string[]>;
  isRead(file: string): boolean;
  /** Never rejects. */
  read(file: string): Promise<void>;
}

/** Methods reject where a language extension fails; they are not aborted, their caller stops waiting. */
export interface EditorPort {
  symbolsOf(file: string): Promise<readonly CodeSymbol[]>;
  findSymbols(name: string): Promise<readonly CodeSymbol[]>;
  definitionsOf(position: CodePosition): Promise<readonly CodePlace[]>;
  referencesTo(position: CodePosition): Promise<readonly CodePlace[]>;
  problems(): readonly CodeProblem[];
  /** Missing where no extension reports any. */
  readonly reports?: ProblemReports;
  /** The active one first. */
  openEditors(): readonly OpenEditor[];
  /** The changes in the repositories that VS Code's git extension has open; `undefined` without that extension. */
  changes(): Promise<readonly WorkingChange[] | undefined>;
  /** The changes against the last commit, as a unified diff; empty when there are none. `undefined` outside of those repositories. */
  diffOf(file: string): Promise<string | undefined>;
}

// Foreign tools come from VS Code, other extensions and MCP servers. Their descriptions and results are untrusted.

export interface ForeignTool {
  /** The name by which VS Code lists it. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly schema: object | undefined;
  /** Fingerprint of the extensions that declare it, its description, schema and tags; rules and the person's choice hold for this one only. */
  readonly promise: string;
}

export type ForeignContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly mimeType: string; readonly bytes: Uint8Array }
  /** A result that can't be shown to a model as text. `size` in bytes. */
  | { readonly type: "data"; readonly mimeType: string; readonly size: number };

export interface ForeignToolPort {
  /** The tools that the person has switched on and that have not changed since; empty in Restricted Mode. */
  chosen(): readonly ForeignTool[];
  /** Rejects with a `ToolRefusal` when the tool was switched off or has changed, otherwise with the tool's own error. */
  call(
    tool: ForeignTool,
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<readonly ForeignContent[]>;
}

// Images of tools are kept within the bounds that all families take; a larger one is scaled.

/** An image within the bounds of `chat/imageTypes`; `width` and `height` in pixels. */
export interface ShownImage {
  /** The origin of the image, as shown to the person: a path, or the name of a tool. */
  readonly name: string;
  readonly mimeType: ImageType;
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/**
 * The image with its longer side reduced to so many pixels, in a type that `chat/imageTypes` names. `undefined` where it can't be decoded,
 * or nothing here can scale it now. Rejects with an abort only.
 */
export type ScaleImage = (bytes: Uint8Array, side: number, signal: AbortSignal) => Promise<Uint8Array | undefined>;

// The editor and the settings of the person describe the place where a chat works.

export interface PlacePort {
  /** The operating system, and the shell for a command line that is more than plain words. */
  readonly host: { readonly system: string; readonly shell: string };
  /** A file of the workspace with the lines that are selected. */
  activeEditor(): PromptContext["editor"];
  /** The setting `sluice.instructions`. */
  instructions(): string;
  /** Files that the person has allowed to be instructions, by their real paths; kept with the workspace. */
  readonly allowed: { has(path: string): boolean; add(path: string): void };
}

// A tool may open a terminal of the person.

export interface TerminalCommand {
  /** Absolute. */
  readonly folder: string;
  /** The line as the model wrote it. */
  readonly line: string;
  /** Missing for a line that is more than plain words: it is typed but not sent. */
  readonly argv?: readonly string[];
}

/** `started`: it runs there. `typed`: it waits there for the person. `opened`: nothing was typed, because a terminal would send a part of it. */
export type TerminalOutcome = "started" | "typed" | "opened";

export interface Terminals {
  open(command: TerminalCommand): TerminalOutcome;
}

// A tool may fetch one page of the internet at a time, and take a picture of a page on this machine.

export interface WebPort {
  /** The proxy that a request goes through, as host and port. It looks the name up itself, so the address can't be checked here. */
  proxyOf(url: URL): string | undefined;
  /**
   * Makes one GET request without cookies or login; a redirect is not followed. It goes to public addresses only: the name is looked up, every
   * address is checked, and the connection goes to one of these. Rejects with an `AppFailure`, or with the reason of an abort.
   */
  get(url: URL, signal: AbortSignal): Promise<WebResponse>;
}

export interface WebResponse {
  readonly status: number;
  /** The address that a redirect leads to, as it was sent. */
  readonly location?: string;
  readonly contentType?: string;
  /** Decompressed. Ends with an error where the connection breaks; an abort of the signal ends it. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Width and height in pixels. */
export interface PageSize {
  readonly width: number;
  readonly height: number;
}

export interface PagePort {
  /**
   * A picture of the page, as PNG, by a browser with an empty profile that reaches the port of the address on this machine and nothing else.
   * `undefined` where the page could not be drawn in time. Rejects with the reason of an abort.
   */
  capture(url: URL, size: PageSize, signal: AbortSignal): Promise<Uint8Array | undefined>;
}

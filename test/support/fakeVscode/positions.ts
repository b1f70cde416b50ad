/** Uri, Position, Range and Selection with VS Code's rules. */
import path from "node:path";
import type * as vscode from "vscode";

interface UriParts {
  readonly scheme: string;
  readonly authority?: string;
  readonly path?: string;
  readonly query?: string;
  readonly fragment?: string;
}

export class Uri implements vscode.Uri {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;

  private constructor({ scheme, authority = "", path: parts = "", query = "", fragment = "" }: UriParts) {
    if (scheme !== "" && !/^\w[\w+.-]*$/.test(scheme))
      throw new Error(`[UriError]: Scheme contains illegal characters. ${scheme}`);
    this.scheme = scheme;
    this.authority = authority;
    const isAbsolute = authority !== "" && parts !== "";
    const needsRoot = parts === "" && ["http", "https", "file"].includes(scheme);
    this.path = needsRoot || (isAbsolute && !parts.startsWith("/")) ? `/${parts}` : parts;
    this.query = query;
    this.fragment = fragment;
  }

  static file(file: string): Uri {
    const slashes = process.platform === "win32" ? file.replaceAll("\\", "/") : file;
    const parts = /^\/\/([^/]*)(.*)$/.exec(slashes);
    if (parts) return new Uri({ scheme: "file", authority: parts[1] ?? "", path: parts[2] || "/" });
    return new Uri({ scheme: "file", path: slashes.startsWith("/") ? slashes : `/${slashes}` });
  }

  static parse(value: string, strict = false): Uri {
    const parts = /^(([^:/?#]+?):)?(\/\/([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?$/.exec(value);
    const scheme = parts?.[2];
    if (scheme === undefined && strict) throw new Error(`[UriError]: Scheme is missing: ${value}`);
    const read = (text = ""): string => text.replaceAll(/(%[0-9a-f]{2})+/gi, decoded);
    return new Uri({
      scheme: scheme ?? "file",
      authority: read(parts?.[4]),
      path: read(parts?.[5]),
      query: read(parts?.[7]),
      fragment: read(parts?.[9]),
    });
  }

  static from(parts: UriParts): Uri {
    return new Uri(parts);
  }

  static joinPath(base: vscode.Uri, ...segments: string[]): Uri {
    if (base.path === "") throw new Error("[UriError]: cannot call joinPath on URI without path");
    return Uri.from(base).with({ path: path.posix.join(base.path, ...segments) });
  }

  with(change: Partial<UriParts>): Uri {
    const { scheme, authority, path: parts, query, fragment } = this;
    const next = new Uri({ scheme, authority, path: parts, query, fragment, ...change });
    const keys = ["scheme", "authority", "path", "query", "fragment"] as const;
    return keys.every((key) => next[key] === this[key]) ? this : next;
  }

  get fsPath(): string {
    const isUnc = this.authority !== "" && this.path.length > 1 && this.scheme === "file";
    const drive = /^\/([a-z]:.*)$/i.exec(this.path)?.[1];
    const plain = isUnc ? `//${this.authority}${this.path}` : (drive ?? this.path);
    return process.platform === "win32" ? plain.replaceAll("/", "\\") : plain;
  }

  toString(skipEncoding = false): string {
    const encode = skipEncoding ? (text: string) => text.replaceAll("#", "%23").replaceAll("?", "%3F") : encoded;
    // A port stays as it is, and hosts have no capitals.
    const [, host = "", port = ""] = /^(.*?)(:\d+)?$/.exec(this.authority.toLowerCase()) ?? [];
    const authority = host !== "" || this.scheme === "file" ? `//${encode(host)}${port}` : "";
    const query = this.query === "" ? "" : `?${skipEncoding ? this.query : encoded(this.query, false)}`;
    const fragment = this.fragment === "" ? "" : `#${skipEncoding ? this.fragment : encoded(this.fragment, false)}`;
    return `${this.scheme}:${authority}${encode(this.path)}${query}${fragment}`;
  }

  toJSON(): UriParts & { readonly $mid: 1; readonly fsPath?: string; readonly external?: string } {
    const { scheme, authority, query, fragment } = this;
    return {
      $mid: 1,
      scheme,
      authority,
      path: this.path,
      query,
      fragment,
      fsPath: this.fsPath,
      external: String(this),
    };
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** VS Code encodes all that is not unreserved, apart from the slashes of a path. */
function encoded(text: string, keepsSlashes = true): string {
  const all = encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return keepsSlashes ? all.replaceAll("%2F", "/") : all;
}

export class Position implements vscode.Position {
  readonly line: number;
  readonly character: number;

  constructor(line: number, character: number) {
    if (line < 0) throw new Error("illegal argument: line must be non-negative");
    if (character < 0) throw new Error("illegal argument: character must be non-negative");
    this.line = line;
    this.character = character;
  }

  compareTo(other: vscode.Position): number {
    return Math.sign(this.line - other.line || this.character - other.character);
  }
  isEqual(other: vscode.Position): boolean {
    return this.compareTo(other) === 0;
  }
  isBefore(other: vscode.Position): boolean {
    return this.compareTo(other) < 0;
  }
  isBeforeOrEqual(other: vscode.Position): boolean {
    return this.compareTo(other) <= 0;
  }
  isAfter(other: vscode.Position): boolean {
    return this.compareTo(other) > 0;
  }
  isAfterOrEqual(other: vscode.Position): boolean {
    return this.compareTo(other) >= 0;
  }

  translate(change: { lineDelta?: number; characterDelta?: number } | number = 0, characters = 0): Position {
    const { lineDelta = 0, characterDelta = 0 } =
      typeof change === "number" ? { lineDelta: change, characterDelta: characters } : change;
    return new Position(this.line + lineDelta, this.character + characterDelta);
  }

  with(change: { line?: number; character?: number } | number = this.line, to: number = this.character): Position {
    const { line = this.line, character = this.character } =
      typeof change === "number" ? { line: change, character: to } : change;
    return line === this.line && character === this.character ? this : new Position(line, character);
  }
}

/** The two positions of the four numbers or two positions of a constructor. */
function bothOf(a: vscode.Position | number, b: vscode.Position | number, c = 0, d = 0): [Position, Position] {
  if (typeof a === "number") return [new Position(a, b as number), new Position(c, d)];
  const end = b as vscode.Position;
  return [new Position(a.line, a.character), new Position(end.line, end.character)];
}

export class Range implements vscode.Range {
  readonly start: Position;
  readonly end: Position;

  constructor(start: vscode.Position, end: vscode.Position);
  constructor(startLine: number, startCharacter: number, endLine: number, endCharacter: number);
  constructor(a: vscode.Position | number, b: vscode.Position | number, c?: number, d?: number) {
    const [first, second] = bothOf(a, b, c, d);
    [this.start, this.end] = first.isAfter(second) ? [second, first] : [first, second];
  }

  get isEmpty(): boolean {
    return this.start.isEqual(this.end);
  }
  get isSingleLine(): boolean {
    return this.start.line === this.end.line;
  }

  contains(other: vscode.Position | vscode.Range): boolean {
    const [start, end] = "start" in other ? [other.start, other.end] : [other, other];
    return this.start.isBeforeOrEqual(start) && this.end.isAfterOrEqual(end);
  }

  isEqual(other: vscode.Range): boolean {
    return this.start.isEqual(other.start) && this.end.isEqual(other.end);
  }

  intersection(other: vscode.Range): Range | undefined {
    const start = this.start.isAfter(other.start) ? this.start : other.start;
    const end = this.end.isBefore(other.end) ? this.end : other.end;
    return start.isAfter(end) ? undefined : new Range(start, end);
  }

  union(other: vscode.Range): Range {
    const start = this.start.isBefore(other.start) ? this.start : other.start;
    const end = this.end.isAfter(other.end) ? this.end : other.end;
    return new Range(start, end);
  }

  with(
    change: { start?: vscode.Position; end?: vscode.Position } | vscode.Position = this.start,
    to?: vscode.Position,
  ): Range {
    const { start = this.start, end = to ?? this.end } =
      "line" in change ? { start: change, end: to ?? this.end } : change;
    return start.isEqual(this.start) && end.isEqual(this.end) ? this : new Range(start, end);
  }
}

export class Selection extends Range implements vscode.Selection {
  readonly anchor: Position;
  readonly active: Position;

  constructor(anchor: vscode.Position, active: vscode.Position);
  constructor(anchorLine: number, anchorCharacter: number, activeLine: number, activeCharacter: number);
  constructor(a: vscode.Position | number, b: vscode.Position | number, c?: number, d?: number) {
    const [anchor, active] = bothOf(a, b, c, d);
    super(anchor, active);
    this.anchor = anchor;
    this.active = active;
  }

  get isReversed(): boolean {
    return this.active.isBefore(this.anchor);
  }
}

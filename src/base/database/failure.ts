/** The kinds of failure of a database file, as a closed union that callers decide by; the text for a person is chosen elsewhere. */

export type DatabaseFailureKind =
  /** No space left, or a quota reached. */
  | "full"
  /** Another process held the lock for longer than the limit. */
  | "busy"
  /** The file or its folder can't be written. */
  | "read-only"
  /** The system reported an error while reading or writing. */
  | "io"
  /** The content is no sound database. Only SQLITE_CORRUPT, SQLITE_NOTADB and tables without a version mean this. */
  | "corrupt"
  /** Written by a later version of the product: it is read and never written. */
  | "newer"
  /** The file system has no working locks. */
  | "unsupported-locking"
  /** This Node has no `node:sqlite`. */
  | "missing-runtime"
  /** There is no such file or folder, and it can't be made. */
  | "cannot-open"
  /** The file is no longer the one under this path: another process has replaced it, or copied one of an older version over it. */
  | "moved"
  /** A rule of the schema refused a row. */
  | "constraint"
  /** A lease that the write depends on belongs to another owner now. */
  | "lease-lost";

export class DatabaseFailure extends Error {
  override readonly name = "DatabaseFailure";
  readonly kind: DatabaseFailureKind;
  /** SQLite's extended result code, or the system's error name (`EACCES`). */
  readonly code: number | string | undefined;

  constructor(
    kind: DatabaseFailureKind,
    message: string,
    options: { readonly code?: number | string; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.code = options.code;
  }
}

export function hasKind(error: unknown, ...kinds: readonly DatabaseFailureKind[]): error is DatabaseFailure {
  return error instanceof DatabaseFailure && kinds.includes(error.kind);
}

/** SQLite's extended result codes with a kind of their own. The others have that of their primary code, their lowest byte (https://www.sqlite.org/rescode.html). */
const extendedKinds: Readonly<Record<number, DatabaseFailureKind>> = {
  1032: "moved", // SQLITE_READONLY_DBMOVED
  2058: "unsupported-locking", // SQLITE_IOERR_UNLOCK
  2314: "unsupported-locking", // SQLITE_IOERR_RDLOCK
  3594: "unsupported-locking", // SQLITE_IOERR_CHECKRESERVEDLOCK
  3850: "unsupported-locking", // SQLITE_IOERR_LOCK
};
const primaryKinds: Readonly<Record<number, DatabaseFailureKind>> = {
  3: "read-only", // SQLITE_PERM
  5: "busy", // SQLITE_BUSY
  6: "busy", // SQLITE_LOCKED
  8: "read-only", // SQLITE_READONLY
  10: "io", // SQLITE_IOERR
  11: "corrupt", // SQLITE_CORRUPT
  13: "full", // SQLITE_FULL
  14: "cannot-open", // SQLITE_CANTOPEN
  15: "unsupported-locking", // SQLITE_PROTOCOL
  19: "constraint", // SQLITE_CONSTRAINT
  26: "corrupt", // SQLITE_NOTADB
};
const systemKinds: Readonly<Record<string, DatabaseFailureKind>> = {
  ENOSPC: "full",
  EDQUOT: "full",
  EACCES: "read-only",
  EPERM: "read-only",
  EROFS: "read-only",
  EIO: "io",
  ENOENT: "cannot-open",
  ENOTDIR: "cannot-open",
  EISDIR: "cannot-open",
  EEXIST: "cannot-open",
  ELOOP: "cannot-open",
  ENAMETOOLONG: "cannot-open",
  EMFILE: "io",
  ENFILE: "io",
};

/** Returns a caught error as a `DatabaseFailure`, or unchanged if no table above has its code: such an error is a bug of this program. */
export function toDatabaseFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseFailure) return error;
  const { errcode, code } = error as { readonly errcode?: unknown; readonly code?: unknown };
  if (typeof errcode === "number") {
    const kind = extendedKinds[errcode] ?? primaryKinds[errcode & 0xff];
    return kind === undefined ? error : new DatabaseFailure(kind, error.message, { code: errcode, cause: error });
  }
  if (typeof code === "string") {
    const kind = systemKinds[code];
    return kind === undefined ? error : new DatabaseFailure(kind, error.message, { code, cause: error });
  }
  return error;
}

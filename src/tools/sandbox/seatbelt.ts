/** The profile for `sandbox-exec`, the sandbox of macOS, in its own language: of two rules that match the later one counts. Pure. */
import type { ConfinedCommand, HostView } from "./bubblewrap";

/** The rules without which programs of macOS don't start. They give no keychain, pasteboard, window server, Apple events or network. */
const base = `(version 1)
(deny default)
(allow process-fork)
(allow process-exec)
(allow signal (target same-sandbox))
(allow process-info* (target same-sandbox))
(allow sysctl-read)
(allow pseudo-tty)
(allow ipc-posix-sem)
(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo") (global-name "com.apple.system.notification_center") (global-name "com.apple.system.logger") (global-name "com.apple.trustd.agent"))
(allow file-read-metadata)
(allow file-read* (literal "/") (subpath "/System") (subpath "/usr") (subpath "/bin") (subpath "/sbin") (subpath "/Library/Apple") (subpath "/Library/Developer") (subpath "/Library/Frameworks") (subpath "/Library/Java") (subpath "/Library/Preferences/Logging") (subpath "/Applications/Xcode.app") (subpath "/private/etc") (subpath "/private/var/db/timezone") (subpath "/private/var/db/dyld") (subpath "/private/var/select") (subpath "/dev"))
(allow file-ioctl (literal "/dev/null") (literal "/dev/tty"))
(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (literal "/dev/dtracehelper"))`;

/** Names that act unasked, in any folder of the workspace: this sandbox can also prevent that new ones are made. */
const obeyedNames = String.raw`\.git|\.hg|\.svn|\.jj|\.husky|\.vscode|\.idea|\.devcontainer|\.claude|\.cursor|[^/]*\.code-workspace`;

/** `temporary`: a folder of the window's own, in the place of a private `/tmp`. */
export function seatbeltProfile(
  { home, programs, hidden }: Pick<HostView, "home" | "programs" | "hidden">,
  { roots, mounts, usesNetwork, isFixed }: Pick<ConfinedCommand, "roots" | "mounts" | "usesNetwork" | "isFixed">,
  temporary: string,
): string {
  const of = (kinds: readonly string[]): readonly string[] =>
    [...mounts].filter(([, kind]) => kinds.includes(kind)).map(([path]) => path);
  return [
    base,
    rule("deny file-read* file-write*", [home]),
    rule("allow file-read*", programs),
    rule(
      "deny file-read*",
      hidden.map(([path]) => path),
    ),
    rule(isFixed === true ? "allow file-read*" : "allow file-read* file-write*", roots),
    rule("allow file-read* file-write*", [temporary]),
    ...roots.map((root) => `(deny file-write* (regex #"^${escaped(root)}/(.*/)?(${obeyedNames})(/|$)"))`),
    rule("deny file-write*", of(["fixed"])),
    rule("deny file-read* file-write*", of(["hidden-file", "hidden-folder"])),
    // A folder on the way must not be renamed, because another could be put in its place.
    ...[...of(["open"]), ...roots].map((path) => `(deny file-write-unlink (literal ${quoted(path)}))`),
    usesNetwork === true ? "(allow network*)" : "(deny network*)",
  ]
    .filter((line) => line !== "")
    .join("\n");
}

function rule(effect: string, paths: readonly string[]): string {
  return paths.length === 0 ? "" : `(${effect} ${paths.map((path) => `(subpath ${quoted(path)})`).join(" ")})`;
}

function quoted(path: string): string {
  return `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

/** Escapes a path for a regular expression between `#"` and `"`. */
function escaped(path: string): string {
  return path.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&").replaceAll('"', ".");
}

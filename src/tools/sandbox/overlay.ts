/**
 * Starts a sandboxed command on a copy of the workspace: each folder of it is an overlay, of which the lower part is the real folder, that
 * nothing writes, and the upper part a folder of this extension's, which has what the command has changed. Linux 5.11 and later.
 */
import { execFile } from "node:child_process";

/** Programs of the system that the administrator alone can change. */
export interface OverlayPrograms {
  /** With its options. */
  readonly shell: readonly [string, ...string[]];
  readonly unshare: string;
  readonly mount: string;
}

/** One folder of the workspace, and the folder that holds `upper`, `work`, `masks` and `merged` for it. `masks` has an empty file for each that is hidden. */
export interface OverlaidRoot {
  readonly root: string;
  readonly parts: string;
}

/**
 * Lines of a shell. A handle that another part of the editor has left open in this process would be one of the command's too. A shell that knows
 * handles of one digit only ends here, so that nothing is run.
 */
export const closeHandles = `for each in /proc/self/fd/*; do
  each=\${each##*/}
  [ "$each" -le 2 ] || eval "exec $each<&-" || exit 1
done
`;

/**
 * Folders reach the options of the mount as handles: in a path, `,`, `:` and `\` would mean something there. A process of the command is in this
 * process namespace too, so that all of them are dead once the first one has ended: its end waits for theirs.
 */
const script = `${closeHandles}mount=$1 ready=$2 arguments=$3 bubblewrap=$4 count=$5
shift 5
while [ "$count" -gt 0 ]; do
  exec 6<"$2/masks" 7<"$1" 8<"$2/upper" 9<"$2/work" || exit 1
  "$mount" -t overlay overlay -o lowerdir=/proc/self/fd/6:/proc/self/fd/7,upperdir=/proc/self/fd/8,workdir=/proc/self/fd/9,userxattr "$2/merged" || exit 1
  exec 6<&- 7<&- 8<&- 9<&-
  shift 2
  count=$((count - 1))
done
ulimit -u 4096 2>/dev/null
exec 5<"$arguments" || exit 1
: > "$ready" || exit 1
exec "$bubblewrap" --args 5 -- "$@"`;

/** `ready`: a file that is made once the command is about to start. `arguments`: a file with those of bubblewrap, each with a NUL behind it. */
export function overlayArgv(
  { shell, unshare, mount }: OverlayPrograms,
  overlaid: readonly OverlaidRoot[],
  { ready, arguments: file }: { readonly ready: string; readonly arguments: string },
  bubblewrap: string,
  argv: readonly string[],
): readonly [string, ...string[]] {
  const roots = overlaid.flatMap(({ root, parts }) => [root, parts]);
  const own = [mount, ready, file, bubblewrap, String(overlaid.length), ...roots];
  return [
    unshare,
    ...["--user", "--map-root-user", "--mount", "--pid", "--fork", "--kill-child"],
    ...[...shell, "-c", script, "sh", ...own, ...argv],
  ];
}

/** A merged folder shows what only the lower one has; one that the command has put in its place does not. Answers with `1` and `0`, in order. */
const look = `exec 6<"$3/masks" 7<"$2" 8<"$3/upper" || exit 1
"$1" -t overlay overlay -o ro,lowerdir=/proc/self/fd/8:/proc/self/fd/6:/proc/self/fd/7,userxattr "$3/merged" || exit 1
exec 6<&- 7<&- 8<&-
cd "$3/merged" || exit 1
exec xargs -0 sh -c 'for each; do if [ -e "./$each" ] || [ -L "./$each" ]; then printf 1; else printf 0; fi; done' sh`;

/** Which of these paths, relative to the root and there in it, the copy has too. Its upper part must be at rest. */
export function findInCopy(
  { unshare, mount }: OverlayPrograms,
  { root, parts }: OverlaidRoot,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return Promise.resolve(new Set());
  return new Promise((resolve, reject) => {
    const args = ["--user", "--map-root-user", "--mount", "/bin/sh", "-c", look, "sh", mount, root, parts];
    const options = { env: { PATH: "/usr/bin:/bin" }, maxBuffer: paths.length + 1024, signal };
    const child = execFile(unshare, args, options, (error, answers) => {
      if (error === null && answers.length === paths.length)
        resolve(new Set(paths.filter((_, at) => answers[at] === "1")));
      else reject(error ?? new Error("the copy could not be looked at"));
    });
    child.stdin?.on("error", () => undefined).end(paths.map((path) => `${path}\0`).join(""));
  });
}

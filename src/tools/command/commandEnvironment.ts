/** The environment of a command: that of the host without what would let a program act as the person, and without questions, pagers and colours (A2). */
import { posix, win32 } from "node:path";

export type CommandEnvironment = Readonly<Record<string, string>>;

/** Names of keys, tokens and passwords. `AUTHOR` is none. */
const secretName =
  /KEY|TOKEN|SECRET|PASSW|PASSPHRASE|PASSFILE|_PASS$|SSHPASS|ASKPASS|_PWD$|CREDENTIAL|AUTH(?!OR_)|COOKIE|CERT_DATA|PRIVATE|_PAT$|_PAT_|SIGNATURE|WEBHOOK|_DSN$|CONN(ECTION)?_?STR/i;

/** Our variables; VS Code's, whose sockets and helpers act in the window; and the shell's, such as its folder, which is another one here. */
const hostName =
  /^(SLUICE_.*|VSCODE_.*|ELECTRON_.*|CURSOR_.*|TERM_PROGRAM.*|GIT_EDITOR|SSH_AGENT_PID|GPG_AGENT_INFO|BROWSER|CHROME_DESKTOP|FORCE_COLOR|CLICOLOR_FORCE|BASH_ENV|ENV|PROMPT_COMMAND|OLDPWD|PWD)$/i;

/** A token in the format of its issuer, a login in a web address, or the password of a connection string. */
const secretValue =
  /https?:\/\/[^/\s]+@|(password|pwd|accountkey|sharedaccesskey)=|-----BEGIN|(^|[^\w-])(sk-[\w-]{16}|gh[pousr]_\w{16}|github_pat_|glpat-|xox[abprs]-|xapp-|hf_\w{16}|AIza[\w-]{16}|ya29\.|AKIA[A-Z\d]{12}|npm_\w{16}|eyJ[\w-]{10,}\.eyJ)/i;

/** Whether it contains an address with a password. Of several addresses in one word only the first is examined: the text after it includes the others. */
function hasPassword(value: string): boolean {
  return value.split(/\s/).some((word) => {
    const login = /:\/\/[^/:@]*:/.exec(word);
    return login !== null && word.includes("@", login.index + login[0].length + 1);
  });
}

/** Matches what a debugger adds to NODE_OPTIONS so that each program loads it. */
const debuggerOptions = /bootloader|--inspect|js-debug/i;

/** `host`: the environment of the extension's process. `cwd`: the folder where the command will run. */
export function commandEnvironment(host: CommandEnvironment, cwd: string, isWindows: boolean): CommandEnvironment {
  const kept = Object.entries(host).flatMap(([name, value]): readonly (readonly [string, string])[] => {
    if (!isKept(name, value)) return [];
    if (name.toUpperCase() !== "PATH") return [[name, value]];
    const folders = absoluteFolders(value, isWindows ? win32 : posix);
    // An empty PATH means the working directory; without the variable the system's default applies.
    return folders === "" ? [] : [[name, folders]];
  });
  return { ...Object.fromEntries(kept), ...unattended, ...(isWindows ? windowsOnly : { PWD: cwd }) };
}

function isKept(name: string, value: string): boolean {
  if (secretName.test(name) || hostName.test(name) || secretValue.test(value) || hasPassword(value)) return false;
  return name.toUpperCase() !== "NODE_OPTIONS" || !debuggerOptions.test(value);
}

/** The search path without relative and empty folders: these are in the workspace, whose programs would run in place of the system's. */
function absoluteFolders(path: string, system: typeof posix): string {
  // Windows takes folders in quotes, too.
  const folders = path.split(system.delimiter).filter((folder) => system.isAbsolute(folder.replace(/^"/, "")));
  return folders.join(system.delimiter);
}

/** There is no person to answer a question, leaf through a pager or write in an editor. */
const unattended: CommandEnvironment = {
  CI: "1",
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  GCM_INTERACTIVE: "never",
  EDITOR: "false",
  VISUAL: "false",
  GIT_EDITOR: "false",
  DEBIAN_FRONTEND: "noninteractive",
  PIP_NO_INPUT: "1",
  PYTHONUNBUFFERED: "1",
  TERM: "dumb",
  NO_COLOR: "1",
};

/** Without this Windows looks for a program in the folder first: one that the workspace brings would run in place of `git`. */
const windowsOnly: CommandEnvironment = { NoDefaultCurrentDirectoryInExePath: "1" };

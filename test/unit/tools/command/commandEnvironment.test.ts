/** What of the host's environment a command gets. */
import assert from "node:assert/strict";
import { commandEnvironment } from "../../../../src/tools/command/commandEnvironment";

const value = "x";
const given = (names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, value]));

describe("environment of a command", () => {
  it("A2, C2: no name of a key, token or password is in it", () => {
    const names =
      `API_KEY OPENAI_API_KEY ANTHROPIC_API_KEY apikey AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN GITHUB_TOKEN
      GH_TOKEN NPM_TOKEN NODE_AUTH_TOKEN npm_config__auth npm_config__authToken GITLAB_PAT AZURE_DEVOPS_EXT_PAT AZURE_CLIENT_SECRET
      GOOGLE_APPLICATION_CREDENTIALS PGPASSWORD PGPASSFILE MYSQL_PWD SSHPASS DB_PASS DB_PASSWORD KEY_PASSPHRASE SSH_AUTH_SOCK
      SSH_ASKPASS SUDO_ASKPASS GIT_ASKPASS DOCKER_AUTH_CONFIG SESSION_COOKIE SENTRY_DSN SLACK_WEBHOOK_URL PRIVATE_DATA
      WEBHOOK_SIGNATURE XAUTHORITY AZURE_STORAGE_CONNECTION_STRING`.split(/\s+/);
    const kept = Object.keys(commandEnvironment(given(names), "/w", false));
    assert.deepEqual(
      kept.filter((name) => names.includes(name)),
      [],
    );
  });

  it("A2, A4: nothing of ours, of VS Code's sockets and helpers, of agents and of debuggers is in it", () => {
    const names =
      `SLUICE_KEY SLUICE_TEST VSCODE_IPC_HOOK VSCODE_IPC_HOOK_CLI VSCODE_GIT_ASKPASS_MAIN VSCODE_GIT_IPC_HANDLE VSCODE_PID
      VSCODE_INSPECTOR_OPTIONS ELECTRON_RUN_AS_NODE ELECTRON_NO_ATTACH_CONSOLE TERM_PROGRAM BROWSER SSH_AGENT_PID GPG_AGENT_INFO
      BASH_ENV ENV PROMPT_COMMAND OLDPWD`.split(/\s+/);
    const host = { ...given(names), NODE_OPTIONS: "--require /x/js-debug/bootloader.js --inspect-publish-uid=http" };
    const kept = Object.keys(commandEnvironment(host, "/w", false));
    assert.deepEqual(
      kept.filter((name) => name in host),
      [],
    );
  });

  it("A2: what programs need stays, with the folder as that of the shell", () => {
    const names =
      "PATH HOME USER LANG LC_ALL TMPDIR JAVA_HOME GOPATH NVM_DIR GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL HTTPS_PROXY DISPLAY".split(
        " ",
      );
    const host = { ...given(names), PATH: "/usr/bin:/bin", NODE_OPTIONS: "--max-old-space-size=8192", PWD: "/host" };
    const environment = commandEnvironment(host, "/w", false);
    for (const name of names) assert.equal(environment[name], name === "PATH" ? host.PATH : value, name);
    assert.equal(environment["NODE_OPTIONS"], "--max-old-space-size=8192");
    assert.equal(environment["PWD"], "/w");
  });

  it("A2, C2: a value with a password or a token in it is left out, whatever its name", () => {
    const host = {
      DATABASE_URL: "postgres://me:hunter2@db.example/x",
      HTTPS_PROXY: "http://me:hunter2@proxy.example:8080",
      EXTRA: "--header ghp_0123456789abcdefghij",
      STORAGE: "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=abc==",
      REMOTE: "https://0123456789abcdef@git.example/x",
      SLASH: "amqp://me:hunter/2@queue.example",
      PEM: "-----BEGIN RSA KEY-----",
      MODELS: "hf_0123456789abcdefghij",
      SERVICE: "sk-0123456789abcdefghij",
      CLAIM: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x",
      HTTP_PROXY: "http://proxy.example:8080",
      SKETCH: "task-0123456789abcdefghij",
    };
    const kept = Object.keys(commandEnvironment(host, "/w", false)).filter((name) => name in host);
    assert.deepEqual(kept, ["HTTP_PROXY", "SKETCH"]);
  });

  it("A2: nothing asks, pages or colours, also when the host said otherwise", () => {
    const environment = commandEnvironment({ PAGER: "less", FORCE_COLOR: "1", CI: "", GIT_EDITOR: "vi" }, "/w", false);
    const { CI, PAGER, GIT_PAGER, GIT_TERMINAL_PROMPT, GIT_EDITOR, TERM, NO_COLOR, FORCE_COLOR } = environment;
    assert.deepEqual(
      [CI, PAGER, GIT_PAGER, GIT_TERMINAL_PROMPT, GIT_EDITOR, TERM, NO_COLOR, FORCE_COLOR],
      ["1", "cat", "cat", "0", "false", "dumb", "1", undefined],
    );
  });

  it("A4 (finding H15): a program is looked for in absolute folders only: a relative one is in the workspace", () => {
    const pathIn = (PATH: string): string | undefined => commandEnvironment({ PATH }, "/w", false)["PATH"];
    assert.equal(pathIn("node_modules/.bin:/usr/bin::.:./bin:~/bin:/bin:"), "/usr/bin:/bin");
    for (const none of [".", "", ":", "bin"]) assert.equal(pathIn(none), undefined, none);
    const windows = { Path: String.raw`bin;C:\Windows;.;"D:\a b";C:tools;\\server\share;` };
    const onWindows = commandEnvironment(windows, "C:\\w", true);
    assert.equal(onWindows["Path"], String.raw`C:\Windows;"D:\a b";\\server\share`);
  });

  it("A4 (Windows): a program of the workspace is not found in the place of one on the path", () => {
    assert.equal(commandEnvironment({}, "C:\\w", true)["NoDefaultCurrentDirectoryInExePath"], "1");
  });
});

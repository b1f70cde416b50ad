/** A13: what bubblewrap and sandbox-exec are given, as a whole: each line here is a rule of the sandbox. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import {
  bubblewrapArguments,
  type ConfinedCommand,
  isBelow,
  type HostView,
} from "../../../../src/tools/sandbox/bubblewrap";
import { confinedEnvironment, readHostView } from "../../../../src/tools/sandbox/hostView";
import { seatbeltProfile } from "../../../../src/tools/sandbox/seatbelt";
import { createTemporaryFolder } from "../../../support/temporaryFolder";

const view: HostView = {
  home: "/home/person",
  programs: ["/usr", "/etc", "/opt/node", "/home/person/.cargo/bin"],
  links: [["/bin", "usr/bin"]],
  hidden: [
    ["/etc/shadow", "hidden-file"],
    ["/etc/ssl/private", "hidden-folder"],
    ["/home/person/.cargo/bin/login", "hidden-file"],
  ],
  memory: 1024,
};
const command: ConfinedCommand = {
  cwd: "/work/a/src",
  emptyFile: "/tmp/sluice/empty",
  roots: ["/work/a"],
  mounts: new Map([
    ["/work/a/packages/b/.git", "fixed"],
    ["/work/a/packages/b", "open"],
    ["/work/a/packages", "open"],
    ["/work/a/.git", "fixed"],
    ["/work/a/.env", "hidden-file"],
    ["/work/a/.aws", "hidden-folder"],
    ["/work/a/node_modules", "fixed"],
    ["/work/a/node_modules/.cache", "scratch"],
  ]),
};

describe("the arguments of a sandbox", () => {
  it("A13, R4: of toolchains in the home folder, what may hold a login is hidden; a folder of another person in PATH is left out", async () => {
    // Below /tmp on most machines, as the home of a build machine may be.
    const folder = await createTemporaryFolder();
    const home = path.join(folder.path, ".config", "home");
    try {
      const files = {
        ".nvm/versions/node/v20/etc/npmrc": "hidden",
        ".nvm/versions/node/v20/bin/node": "seen",
        ".dotnet/corefx/cryptography/key.pfx": "hidden",
        ".local/share/uv/credentials/login.toml": "not there",
        ".local/share/uv/python/bin/python": "seen",
        ".julia/servers/host/auth.toml": "not there",
        ".julia/packages/a.jl": "seen",
        ".config/bin/tool": "not there",
      };
      for (const name of Object.keys(files)) {
        await mkdir(path.dirname(path.join(home, name)), { recursive: true });
        await writeFile(path.join(home, name), "");
      }
      const found = readHostView({ HOME: home, PATH: `/usr/bin:/nonexistent/bin:${home}/.config/bin` });
      const isIn = (paths: readonly string[], name: string): boolean =>
        paths.some((one) => isBelow(one, path.join(home, name)));
      for (const [name, what] of Object.entries(files)) {
        const isHidden = isIn(
          found.hidden.map(([one]) => one),
          name,
        );
        const is = isHidden ? "hidden" : isIn(found.programs, name) ? "seen" : "not there";
        assert.equal(is, what, name);
      }
    } finally {
      await folder.remove();
    }
  });

  it("A13: bubblewrap: own namespaces, a file system of programs and the workspace, and mounts from the top down", () => {
    const lines = bubblewrapArguments(view, command)
      .join(" ")
      .replaceAll(/ (?=--)/g, "\n")
      .split("\n");
    assert.deepEqual(lines, [
      ...["--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"],
      ...["--disable-userns", "--die-with-parent", "--new-session", "--cap-drop ALL"],
      ...["--proc /proc", "--dev /dev", "--size 64", "--tmpfs /dev/shm", "--size 256", "--tmpfs /tmp"],
      ...["--size 64", "--tmpfs /var/tmp", "--size 4", "--tmpfs /run"],
      ...["--ro-bind /etc /etc", "--ro-bind /usr /usr", "--ro-bind /opt/node /opt/node", "--symlink usr/bin /bin"],
      ...["--ro-bind /tmp/sluice/empty /etc/shadow", "--tmpfs /etc/ssl/private", "--remount-ro /etc/ssl/private"],
      ...["--size 64", "--tmpfs /home/person", "--ro-bind /home/person/.cargo/bin /home/person/.cargo/bin"],
      "--ro-bind /tmp/sluice/empty /home/person/.cargo/bin/login",
      "--bind /work/a /work/a",
      ...["--tmpfs /work/a/.aws", "--remount-ro /work/a/.aws", "--ro-bind /tmp/sluice/empty /work/a/.env"],
      ...["--ro-bind /work/a/.git /work/a/.git", "--ro-bind /work/a/node_modules /work/a/node_modules"],
      ...["--bind /work/a/packages /work/a/packages", "--size 64", "--tmpfs /work/a/node_modules/.cache"],
      ...["--bind /work/a/packages/b /work/a/packages/b", "--ro-bind /work/a/packages/b/.git /work/a/packages/b/.git"],
      ...["--remount-ro /proc", "--remount-ro /dev", "--remount-ro /", "--chdir /work/a/src"],
    ]);
  });

  it("A13: bubblewrap: a copy is in the place of its folder, with the other file systems that are mounted in it", () => {
    const copied = { ...command, mounts: new Map(), merged: new Map([["/work/a", "/s/0/merged"]]) };
    const words = bubblewrapArguments(view, { ...copied, foreign: ["/work/a/node_modules"] }).join(" ");
    assert.match(
      words,
      / --bind \/s\/0\/merged \/work\/a --ro-bind \/work\/a\/node_modules \/work\/a\/node_modules --remount-ro/,
    );
    assert.match(bubblewrapArguments(view, { ...command, isFixed: true }).join(" "), / --ro-bind \/work\/a \/work\/a /);
  });

  it("A13: sandbox-exec: denies by default, and what acts by itself after what is allowed", () => {
    const profile = seatbeltProfile(view, command, "/private/var/t").split("\n");
    assert.deepEqual(profile.slice(0, 2), ["(version 1)", "(deny default)"]);
    const from = profile.indexOf('(deny file-read* file-write* (subpath "/home/person"))');
    assert.deepEqual(profile.slice(from + 1), [
      '(allow file-read* (subpath "/usr") (subpath "/etc") (subpath "/opt/node") (subpath "/home/person/.cargo/bin"))',
      '(deny file-read* (subpath "/etc/shadow") (subpath "/etc/ssl/private") (subpath "/home/person/.cargo/bin/login"))',
      '(allow file-read* file-write* (subpath "/work/a"))',
      '(allow file-read* file-write* (subpath "/private/var/t"))',
      String.raw`(deny file-write* (regex #"^/work/a/(.*/)?(\.git|\.hg|\.svn|\.jj|\.husky|\.vscode|\.idea|\.devcontainer|\.claude|\.cursor|[^/]*\.code-workspace)(/|$)"))`,
      '(deny file-write* (subpath "/work/a/packages/b/.git") (subpath "/work/a/.git") (subpath "/work/a/node_modules"))',
      '(deny file-read* file-write* (subpath "/work/a/.env") (subpath "/work/a/.aws"))',
      '(deny file-write-unlink (literal "/work/a/packages/b"))',
      '(deny file-write-unlink (literal "/work/a/packages"))',
      '(deny file-write-unlink (literal "/work/a"))',
      "(deny network*)",
    ]);
    const reading = seatbeltProfile(view, { ...command, isFixed: true }, "/private/var/t").split("\n");
    assert.deepEqual(
      reading.filter((line) => !profile.includes(line)),
      ['(allow file-read* (subpath "/work/a"))'],
    );
  });

  it("A13: sandbox-exec: a path is quoted whole, and as a pattern means itself", () => {
    const odd = { ...command, roots: [String.raw`/work/a "b" \(c)+`], mounts: new Map() };
    const profile = seatbeltProfile(view, odd, "/t");
    assert.ok(profile.includes(String.raw`(subpath "/work/a \"b\" \\(c)+")`));
    assert.ok(profile.includes(String.raw`#"^/work/a .b. \\\(c\)\+/(.*/)?`));
  });

  it("A13: the environment names no socket, session or service of the machine", () => {
    const given = Object.fromEntries(
      `DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR DISPLAY WAYLAND_DISPLAY XAUTHORITY SSH_AUTH_SOCK SSH_CONNECTION DOCKER_HOST KUBECONFIG
       PULSE_SERVER NOTIFY_SOCKET WSL_INTEROP TMUX SUDO_USER HTTPS_PROXY no_proxy LD_PRELOAD GIT_DIR GIT_SSH_COMMAND`
        .split(/\s+/)
        .map((name) => [name, "x"]),
    );
    const environment = confinedEnvironment({ ...given, PATH: "/usr/bin", HOME: "/home/person" }, "/tmp", { A: "1" });
    assert.deepEqual(environment, {
      PATH: "/usr/bin",
      HOME: "/home/person",
      TMPDIR: "/tmp",
      PYTHONPYCACHEPREFIX: "/tmp/pycache",
      A: "1",
    });
  });
});

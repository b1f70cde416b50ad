/** The environment of a sandboxed command: without what names a socket, a session or a service of the machine. Pure. */

export type ConfinedEnvironment = Readonly<Record<string, string>>;

const outside =
  /^(?:DBUS_.*|XDG_(?:RUNTIME_DIR|SESSION.*|SEAT.*|VTNR)|DISPLAY|WAYLAND_.*|XAUTHORITY|ICEAUTHORITY|SESSION_MANAGER|DESKTOP_.*|GNOME_.*|KDE_.*|SSH_.*|GPG_.*|DOCKER_.*|CONTAINER_HOST|PODMAN_.*|KUBECONFIG|KUBERNETES_.*|PULSE_.*|PIPEWIRE_.*|NOTIFY_SOCKET|LISTEN_.*|JOURNAL_STREAM|INVOCATION_ID|WSL.*|TMUX.*|STY|SUDO_.*|MAIL|REMOTE_CONTAINERS.*|GIT_(?:DIR|WORK_TREE|CONFIG.*|SSH.*|EXEC_PATH|PROXY_.*)|(?:https?|ftp|all|no)_proxy|LD_(?:PRELOAD|AUDIT))$/i;

export function confinedEnvironment(
  environment: ConfinedEnvironment,
  temporary: string,
  more: ConfinedEnvironment,
): ConfinedEnvironment {
  const kept = Object.entries(environment).filter(([name]) => !outside.test(name));
  return {
    ...Object.fromEntries(kept),
    TMPDIR: temporary,
    // Compiled files beside sources would be run later, outside: they go where they end with the command.
    PYTHONPYCACHEPREFIX: `${temporary}/pycache`,
    ...more,
  };
}

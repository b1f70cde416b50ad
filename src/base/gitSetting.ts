/** Reads one setting of a git configuration file. Included files are not read. */

/** The last value, as in git. `section` and `name` in lower case. */
export function gitSetting(configuration: string, section: string, name: string): string | undefined {
  let current = "";
  let value: string | undefined;
  for (const line of configuration.split(/\r?\n/)) {
    const header = /^\s*\[([^\]]*)\]/.exec(line);
    if (header) current = (header[1] ?? "").trim().toLowerCase();
    if (current !== section) continue;
    const setting = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:=(.*))?$/.exec(header ? line.slice(header[0].length) : line);
    // A name alone means true.
    if (setting?.[1]?.toLowerCase() === name) value = setting[2] === undefined ? "true" : unquoted(setting[2].trim());
  }
  return value;
}

function unquoted(value: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(value);
  if (quoted) return (quoted[1] ?? "").replace(/\\(["\\])/g, "$1");
  const comment = value.search(/[#;]/);
  return comment < 0 ? value : value.slice(0, comment).trimEnd();
}

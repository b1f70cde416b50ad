/** Reads from the output of a command on which port it serves: in the sandbox nothing outside can look. */

/** An address of this machine, as servers print theirs. */
const loopbackAddress = /\bhttps?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):(\d{1,5})\b/i;
/** By which a server announces that it listens. */
const announced =
  /\b(?:listen\w*|serv(?:er|es|ing|ed)|running|started|ready|available|accepting|local|loopback|open)\b/i;
/** By which a line is about a request, most likely to a server that is another program. */
const requested =
  /\b(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\b|\b(?:connect(?:ing|ed)?|fetch\w*|request\w*|wait\w*|prox(?:y|ie)\w*|against|fail\w*|errors?|refused|retr(?:y|ie)\w*)\b/i;
/** Of a line that has not ended yet. The oldest characters give way. */
const lineLength = 1000;

export class ServedPort {
  #line = "";

  /** Of the first whole line that announces one: one that has not ended may be cut inside of the port. */
  add(text: string): number | undefined {
    const lines = (this.#line + text).split("\n");
    this.#line = (lines.pop() ?? "").slice(-lineLength);
    for (const line of lines) {
      const port = portIn(line);
      if (port !== undefined) return port;
    }
    return undefined;
  }
}

function portIn(line: string): number | undefined {
  const [address, digits] = loopbackAddress.exec(line) ?? [];
  if (address === undefined) return undefined;
  const words = line.replace(/https?:\S*/gi, "");
  const isAlone = !/[\p{L}\p{N}]/u.test(words);
  if (requested.test(words) || !(isAlone || announced.test(words))) return undefined;
  const port = Number(digits);
  return port >= 1 && port <= 65_535 ? port : undefined;
}

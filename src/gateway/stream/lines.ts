/** Text in any pieces to whole lines, in time that grows with the text only: LF, CR or CRLF, also when CR and LF come apart. */

export interface Lines {
  push(text: string): void;
  /** What is left is a line too. */
  end(): void;
}

/**
 * `onLines` gets one or more whole lines, each ended by LF. A line longer than `longest` characters is dropped, and its
 * beginning given to `onTooLong`.
 */
export function createLines(
  longest: number,
  onLines: (lines: string) => void,
  onTooLong: (beginning: string) => void,
): Lines {
  // Pieces are joined once, when their line ends: joining as they come would cost the square of the line's length.
  let pieces: string[] = [];
  let length = 0;
  let skipLineFeed = false;
  let skipLine = false;

  const keep = (piece: string): void => {
    if (piece === "" || skipLine) return;
    pieces.push(piece);
    length += piece.length;
    if (length <= longest) return;
    const beginning = pieces.join("").slice(0, 1000);
    pieces = [];
    length = 0;
    skipLine = true;
    onTooLong(beginning);
  };

  const take = (): string => {
    const text = pieces.length === 1 ? (pieces[0] ?? "") : pieces.join("");
    pieces = [];
    length = 0;
    return text;
  };

  return {
    push(text) {
      if (text === "") return;
      let rest = text;
      // A CR at the end of a piece has ended its line already; the LF that may follow belongs to it.
      if (skipLineFeed && rest.startsWith("\n")) rest = rest.slice(1);
      skipLineFeed = text.endsWith("\r");
      if (rest.includes("\r")) rest = rest.replaceAll("\r\n", "\n").replaceAll("\r", "\n");
      if (skipLine) {
        const end = rest.indexOf("\n");
        if (end === -1) return;
        skipLine = false;
        rest = rest.slice(end + 1);
      }
      const end = rest.lastIndexOf("\n");
      if (end === -1) {
        keep(rest);
        return;
      }
      const whole = take() + rest.slice(0, end + 1);
      keep(rest.slice(end + 1));
      onLines(whole);
    },
    end() {
      skipLine = false;
      if (length > 0) onLines(`${take()}\n`);
    },
  };
}

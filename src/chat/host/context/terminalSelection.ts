/** The selection of the terminal. The API has none for extensions, so VS Code's own command copies it, and the clipboard's text is put back. */
import * as vscode from "vscode";
import { copyTerminalSelection } from "../../../vscode/interface/runCommand";

/** Empty without one. */
export async function readTerminalSelection(): Promise<string> {
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  // Without a selection the command copies nothing: this would stay. It is no text that a person has.
  const mark = `sluice ${crypto.randomUUID()}`;
  await clipboard.writeText(mark);
  try {
    await copyTerminalSelection();
    const copied = await clipboard.readText();
    return copied === mark ? "" : copied;
  } finally {
    await clipboard.writeText(before);
  }
}

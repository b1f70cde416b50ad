/** A setting as the person has set it, whatever a repository says (C1). */
import * as vscode from "vscode";
import { ownValue } from "./ownValue";

export function readOwnSetting(section: "sluice" | "http", id: string): unknown {
  const settings = vscode.workspace.getConfiguration(section);
  const found = settings.inspect<unknown>(id);
  return found ? ownValue(section, found, settings.get(id)) : settings.get(id);
}

/** *Choose Tools*: which tools of VS Code, other extensions and MCP servers the chat may offer to a model (A2, A3). */
import { t } from "@vscode/l10n";
import type { ChosenTools, ListedTool } from "./chosenTools";
import { createPick, notifyInformation, shownItem, type ShownItem } from "../../vscode/interface/show";
import { shownLine } from "../../vscode/interface/shownText";

type ToolItem = ShownItem & { readonly tool: ListedTool };

/** Resolves when the list is closed. */
export async function chooseTools(tools: ChosenTools): Promise<void> {
  const listed = tools.list();
  if (listed.length === 0) {
    void notifyInformation(t("There are no tools of extensions or MCP servers that the chat could use here."));
    return;
  }
  const pick = createPick<ToolItem>();
  const closed = Promise.withResolvers<undefined>();
  pick.title = shownLine(t("Choose Tools"));
  pick.placeholder = shownLine(t("Tools of extensions and MCP servers. Each call asks."));
  // What was checked would be lost when the focus moves.
  pick.ignoreFocusOut = true;
  pick.canSelectMany = pick.matchOnDescription = pick.matchOnDetail = true;
  pick.items = listed.map(itemOf);
  pick.selectedItems = pick.items.filter(({ tool }) => tool.state === "on");
  let chosen: readonly ToolItem[] | undefined;
  pick.onDidAccept(() => {
    chosen = pick.selectedItems;
    pick.hide();
  });
  pick.onDidHide(() => closed.resolve(undefined));
  pick.show();
  await closed.promise;
  pick.dispose();
  if (chosen) {
    await tools.choose(
      listed,
      chosen.map(({ tool }) => tool),
    );
  }
}

function itemOf(tool: ListedTool): ToolItem {
  const { name, description: detail, source = t("VS Code or an MCP server"), state } = tool;
  const description = state === "changed" ? t("{0} · has changed since you switched it on: off", source) : source;
  return { ...shownItem({ label: name, description, detail }), tool };
}

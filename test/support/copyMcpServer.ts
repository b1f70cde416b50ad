/** Switches the MCP server of a window on by its command, and reads from the clipboard what a person gives to a program. */
import assert from "node:assert/strict";
import type { VsCodeWindow } from "./window";

export interface CopiedMcpServer {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Works only in a window with `toasts` whose MCP server is off. */
export async function copyMcpServer(window: VsCodeWindow): Promise<CopiedMcpServer> {
  window.begin("sluice.mcp.copyConfiguration");
  const dialog = window.page.locator(".monaco-dialog-box", { hasText: "The MCP server is off" });
  await dialog.getByRole("button", { name: "Switch On", exact: true }).click();
  const copied = await window.toast("its secret token");
  assert.match(await copied.innerText(), /127\.0\.0\.1:\d+\/mcp/);
  return await readMcpServer(window);
}

async function readMcpServer({ page }: VsCodeWindow): Promise<CopiedMcpServer> {
  const text = await page.evaluate<string>("navigator.clipboard.readText()");
  return (JSON.parse(text) as { readonly mcpServers: { readonly sluice: CopiedMcpServer } }).mcpServers.sluice;
}

/** The tools for tasks in the manifest are the ones that the code declares (V2). */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import * as z from "zod/mini";
import { mediaKinds } from "../../src/domain/task/taskTypes";
import type { TaskPort } from "../../src/domain/task/taskPort";
import type { Workspace } from "../../src/domain/tools/workspace";
import { createTaskTools } from "../../src/tools/tasks/taskTools";
import { agentToolNames } from "../../src/agents/tasks/agentToolNames";
import { mcpProviderId } from "../../src/vscode/ids";
import { plainAppOptions } from "../support/plainOptions";

const tool = z.looseObject({
  name: z.string(),
  modelDescription: z.string(),
  canBeReferencedInPrompt: z.literal(true),
  toolReferenceName: z.string(),
  when: z.string(),
  inputSchema: z.unknown(),
  tags: z.array(z.string()),
});
const { keywords, contributes } = z
  .object({
    keywords: z.array(z.string()),
    contributes: z.object({
      languageModelTools: z.array(tool),
      mcpServerDefinitionProviders: z.array(z.object({ id: z.string(), when: z.string() })),
    }),
  })
  .parse(JSON.parse(readFileSync("package.json", "utf8")));

describe("tools for agents in the manifest", () => {
  const unused = {} as Workspace & TaskPort;
  const declared = createTaskTools(unused, unused, agentToolNames, plainAppOptions.scaleImage).map(
    ({ declaration }) => declaration,
  );
  const tags = ["sluice", ...[...mediaKinds].sort()];

  it("V2: name, description and schema of each are those of the code: one declaration for chat, agents and MCP; its tags are the kinds of media", () => {
    const shown = contributes.languageModelTools.map(({ name, modelDescription, inputSchema, tags: written }) => ({
      name,
      description: modelDescription,
      parameters: inputSchema,
      tags: written,
    }));
    if (process.env["RESET_RESULTS"] === "1") {
      const manifest = JSON.parse(readFileSync("package.json", "utf8")) as {
        contributes: { languageModelTools: object[] };
      };
      manifest.contributes.languageModelTools = contributes.languageModelTools.map((one, index) => ({
        ...one,
        modelDescription: declared[index]?.description,
        inputSchema: declared[index]?.parameters,
        tags,
      }));
      writeFileSync("package.json", `${JSON.stringify(manifest, undefined, 2)}\n`);
      return;
    }
    assert.deepEqual(
      shown,
      declared.map((one) => ({ ...one, tags })),
    );
  });

  it("V5: the extension is found by each kind of media that tasks make", () => {
    for (const kind of mediaKinds) assert.ok(keywords.includes(`${kind} generation`), kind);
  });

  it("V2: each can be named in a prompt, and none is offered in Restricted Mode", () => {
    for (const { when, name, toolReferenceName } of contributes.languageModelTools) {
      assert.equal(when, "isWorkspaceTrusted", name);
      assert.match(toolReferenceName, /^sluice\w+$/);
    }
  });

  it("V6: the MCP server is offered to VS Code while it is on, and not in Restricted Mode", () => {
    const when = "config.sluice.mcp.enabled && isWorkspaceTrusted";
    assert.deepEqual(contributes.mcpServerDefinitionProviders, [{ id: mcpProviderId, when }]);
  });
});

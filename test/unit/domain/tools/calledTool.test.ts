/** A10: the tool that a model means by the name that it calls. */
import assert from "node:assert/strict";
import { declaredName, describeUnknownTool } from "../../../../src/domain/tools/calledTool";

const declared = ["read_file", "edit_file", "write_file", "run_command", "find_text", "submit_task", "mcp.search"];

describe("the name of a called tool", () => {
  it("A10: a name with what templates put around it is the declared one", () => {
    const written = [
      ...["read_file", "READ_FILE", "readFile", "ReadFile", "read-file", "read file", " read_file\n"],
      ...["functions.read_file", "functions.read_file:3", "default_api.read_file", "default_api:read_file"],
      ...["tools.readFile", "read_file<|channel|>commentary", "read_file<|constrain|>json", "read_file()"],
    ];
    for (const name of written) assert.equal(declaredName(name, declared), "read_file", name);
    assert.equal(declaredName("mcp.search", declared), "mcp.search", "a dot may belong to the name");
  });

  it("A10: the names of other agents' tools are known where such a tool is declared, those that cost money are not", () => {
    const known = {
      Read: "read_file",
      Bash: "run_command",
      str_replace: "edit_file",
      Write: "write_file",
      Grep: "find_text",
    };
    for (const [name, tool] of Object.entries(known)) {
      assert.equal(declaredName(name, declared), tool);
      assert.equal(declaredName(name, ["submit_task"]), undefined);
    }
    assert.equal(declaredName("Write", [...declared, "write_file"]), "write_file", "the nearer one first");
    for (const name of ["generate_image", "create_video", "submit", "constructor", "__proto__", ""])
      assert.equal(declaredName(name, declared), undefined, name);
  });

  it("A10: a name that could be two is none", () => {
    assert.equal(declaredName("ReadFile", ["read_file", "readfile"]), undefined);
  });

  it("A10: an unknown tool is answered with the nearest, its schema in one line, and all names", () => {
    const parameters = {
      type: "object",
      properties: { path: { type: "string" }, edits: { type: "array", items: { enum: ["a", "b"] } } },
      required: ["path"],
    };
    const tools = ["find_text", "read_file"].map((name) => ({ name, description: "", parameters }));
    assert.equal(
      describeUnknownTool("load_file", tools),
      'There is no tool load_file. The nearest is read_file, which takes { path: string, edits?: ["a" | "b"] }. The tools: find_text, read_file.',
    );
    assert.match(describeUnknownTool("x".repeat(100_000), tools), /^There is no tool x{100}\. The tools/);
    assert.match(describeUnknownTool("read_file", []), /No tools are declared now/);
  });
});

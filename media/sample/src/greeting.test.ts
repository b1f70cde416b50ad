import assert from "node:assert/strict";
import { test } from "node:test";
import { greeting } from "./greeting.ts";

test("greets in the morning", () => {
  assert.equal(greeting("Ada", 9), "Good morning, Ada.");
});

test("greets in the afternoon", () => {
  assert.equal(greeting("Ada", 15), "Good afternoon, Ada.");
});

test("greets in the evening", () => {
  assert.equal(greeting("Ada", 20), "Good evening, Ada.");
});

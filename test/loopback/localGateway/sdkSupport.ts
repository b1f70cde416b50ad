/** What the tests of the official clients share: one question about the weather, a picture, a limit that strikes once. */
import assert from "node:assert/strict";
import { encodePng } from "../../../src/localGateway/demo/painter";
import type { GatewayUnderTest } from "./support";

export const weather = { Paris: "sunny, 21 degrees", Rome: "rain, 17 degrees" };
export const prompt = 'call get_weather with {"city":"Paris"} and {"city":"Rome"}';
export const toolText = "Tells the weather of a city.";

/** As base64. */
export async function blackPng(width: number, height: number): Promise<string> {
  const png = await encodePng({ width, height, rgb: new Uint8Array(width * height * 3) });
  return png.toString("base64");
}

export function cityOf(value: unknown): keyof typeof weather {
  const city = typeof value === "object" && value !== null && "city" in value ? value.city : undefined;
  assert.ok(city === "Paris" || city === "Rome", String(city));
  return city;
}

/** The next request of the route is one too many. */
export async function limit(test: GatewayUnderTest, route: string): Promise<void> {
  const value = { status: 429, headers: { "retry-after": "7" } };
  await test.ask("POST", "/_local/faults", { name: "http.status", route, times: 1, value });
}

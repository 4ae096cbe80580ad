import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type Description,
  formsOf,
  grouped,
  nameOf,
  operations,
  type Schema,
  typeOf,
} from "../../src/pages/docs/description";

const file = resolve(import.meta.dirname, "../../../docs/openapi.json");
const description = JSON.parse(readFileSync(file, "utf8")) as Description;
const { schemas } = description.components;
const all = operations(description);

describe("the API's description", () => {
  it("gives every route a group, a summary and an answer", () => {
    expect(all.length).toBeGreaterThan(40);
    for (const one of all) {
      expect(one.group, one.id).not.toBe("other");
      expect(one.summary, one.id).not.toBe("");
      expect(one.answers.length, one.id).toBeGreaterThan(0);
    }
  });
  it("is searched by all of the words, in any order", () => {
    const found = grouped(all, "commands TABLE post").flatMap(({ operations }) => operations.map(({ path }) => path));
    expect(found).toContain("/api/tables/{table}/commands");
    expect(found).not.toContain("/api/house/commands");
    expect(grouped(all, "no such words")).toEqual([]);
  });
  it("has a name in words for every type, and a type for every name", () => {
    const visit = (schema: Schema): void => {
      expect(typeOf(schema)).not.toBe("");
      if (schema.$ref !== undefined) expect(schemas[nameOf(schema.$ref)], schema.$ref).toBeDefined();
      const parts = [
        schema.items,
        ...(schema.oneOf ?? []),
        ...(schema.allOf ?? []),
        ...Object.values(schema.properties ?? {}),
      ];
      for (const part of parts) if (part !== undefined) visit(part);
    };
    for (const schema of Object.values(schemas)) visit(schema);
  });
  it("lists the forms of a command with their fields", () => {
    const command = all.find(({ id }) => id === "post:/api/tables/{table}/commands");
    const forms = formsOf(command?.body ?? {}, schemas);
    const place = forms.find(({ fields }) => fields.some(({ schema }) => schema.enum?.[0] === "place-wager"));
    expect(place?.fields.map(({ name }) => name)).toEqual(expect.arrayContaining(["do", "position", "area", "amount"]));
  });
});

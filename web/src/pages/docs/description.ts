// The description of the API (/openapi.json), as the page shows it: operations in groups, schemas as words.

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: Schema | boolean;
  minimum?: number;
  maximum?: number;
  example?: unknown;
}
export interface Parameter {
  name: string;
  in: "path" | "query" | "header" | "cookie";
  description?: string;
  required?: boolean;
  schema?: Schema;
  example?: unknown;
}
interface Content {
  content?: Record<string, { schema?: Schema; example?: unknown; examples?: Record<string, { value?: unknown }> }>;
}
interface Described {
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content & { description?: string }>;
}
export interface Description {
  info: { title: string; version: string; description?: string };
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  group: string;
  summary: string;
  description: string;
  parameters: Parameter[];
  body: Schema | undefined;
  example: unknown;
  answers: { status: string; words: string; schema: Schema | undefined }[];
}

const firstContent = (holder: Content | undefined) => Object.values(holder?.content ?? {})[0];

export function operations({ paths }: Description): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, told]): Operation => {
      const body = firstContent(told.requestBody);
      return {
        id: `${method}:${path}`,
        method: method.toUpperCase(),
        path,
        group: told.tags?.[0] ?? "other",
        summary: told.summary ?? "",
        description: told.description ?? "",
        parameters: told.parameters ?? [],
        body: body?.schema,
        example: body?.example ?? Object.values(body?.examples ?? {})[0]?.value,
        answers: Object.entries(told.responses).map(([status, answer]) => ({
          status,
          words: answer.description ?? "",
          schema: firstContent(answer)?.schema,
        })),
      };
    }),
  );
}

/** The operations that have all of the words, by group. */
export function grouped(all: Operation[], words: string): { group: string; operations: Operation[] }[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, Operation[]>();
  for (const one of all) {
    const text = `${one.method} ${one.path} ${one.group} ${one.summary} ${one.description}`.toLowerCase();
    if (!wanted.every((word) => text.includes(word))) continue;
    groups.set(one.group, [...(groups.get(one.group) ?? []), one]);
  }
  return [...groups].map(([group, found]) => ({ group, operations: found }));
}

export const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1);

/** A type in a few words, such as `list of Card` or `"ante" | "bonus"`. */
export function typeOf(schema: Schema | undefined): string {
  if (schema === undefined) return "nothing";
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) return choices.map(typeOf).join(" | ");
  if (schema.allOf !== undefined) return schema.allOf.map(typeOf).join(" & ");
  const types = [schema.type ?? "any"].flat();
  return types
    .map((type) => {
      if (type === "array") return `list of ${typeOf(schema.items)}`;
      if (type !== "object") return schema.format === undefined ? type : `${type} (${schema.format})`;
      if (typeof schema.additionalProperties === "object") return `map to ${typeOf(schema.additionalProperties)}`;
      const fields = Object.keys(schema.properties ?? {});
      return fields.length === 0 ? "object" : `{ ${fields.join(", ")} }`;
    })
    .join(" | ");
}

export interface Form {
  words: string;
  fields: { name: string; required: boolean; schema: Schema }[];
}

/** The forms a schema may take, each with its fields. A plain type has one form without fields. */
export function formsOf(schema: Schema, schemas: Record<string, Schema>): Form[] {
  if (schema.$ref !== undefined) {
    const named = schemas[nameOf(schema.$ref)];
    return named === undefined ? [] : formsOf(named, schemas);
  }
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) {
    return choices.flatMap((choice) =>
      formsOf(choice, schemas).map((form) => ({ ...form, words: choice.description ?? form.words })),
    );
  }
  if (schema.allOf !== undefined) {
    return schema.allOf
      .map((part) => formsOf(part, schemas))
      .reduce((whole, parts) =>
        whole.flatMap((left) =>
          parts.map((right) => ({ words: left.words || right.words, fields: [...left.fields, ...right.fields] })),
        ),
      );
  }
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    required: required.has(name),
    schema: field,
  }));
  return [{ words: schema.description ?? "", fields }];
}

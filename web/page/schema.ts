/** What the schema of scenes says about a place in a scene. */

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  items?: Schema | Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  oneOf?: Schema[];
  if?: Schema;
  then?: Schema;
  else?: Schema;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  definitions?: Record<string, Schema>;
}

/** A schema with what it refers to and what it is made of, flat. */
function parts(root: Schema, schema: Schema, depth = 0): Schema[] {
  if (depth > 12) return [];
  const inner: Schema[] = [];
  if (schema.$ref) {
    const name = schema.$ref.split('/').pop()!;
    const target = root.definitions?.[name];
    if (target) inner.push(target);
  }
  for (const list of [schema.anyOf, schema.allOf, schema.oneOf]) inner.push(...(list ?? []));
  for (const one of [schema.then, schema.else]) if (one) inner.push(one);
  return [schema, ...inner.flatMap((one) => parts(root, one, depth + 1))];
}

/** The schemas that hold at a path of keys and indices. */
export function schemasAt(root: Schema, path: readonly string[]): Schema[] {
  let here = parts(root, root);
  for (const key of path) {
    const next: Schema[] = [];
    for (const schema of here) {
      const named = schema.properties?.[key];
      if (named) next.push(named);
      else if (typeof schema.additionalProperties === 'object') next.push(schema.additionalProperties);
      if (/^\d+$/.test(key) && schema.items) next.push(...(Array.isArray(schema.items) ? schema.items : [schema.items]));
    }
    here = next.flatMap((schema) => parts(root, schema));
  }
  return here;
}

export interface Suggestion {
  label: string;
  info: string;
}

/** Keys that may stand in the object at a path. */
export function keysAt(root: Schema, path: readonly string[]): Suggestion[] {
  const found = new Map<string, string>();
  for (const schema of schemasAt(root, path))
    for (const [key, value] of Object.entries(schema.properties ?? {})) {
      const info = parts(root, value).find((part) => part.description)?.description ?? '';
      if (!found.has(key) || info) found.set(key, info);
    }
  return [...found].map(([label, info]) => ({ label, info }));
}

/** Words that the value at a path may be, as JSON. */
export function wordsAt(root: Schema, path: readonly string[]): string[] {
  const words = new Set<string>();
  for (const schema of schemasAt(root, path)) {
    for (const word of schema.enum ?? []) words.add(JSON.stringify(word));
    if (schema.const !== undefined) words.add(JSON.stringify(schema.const));
    if (schema.type === 'boolean') words.add('true').add('false');
  }
  return [...words];
}

import type { Schema } from './convert-schema.ts'

export type Schemas = {
  /** The schemas of one version, by their names there. */
  of(version: string): { refer(name: string, read: () => Schema): Schema }
}

/**
 * Schemas that are referred to, of all versions, written to `kept`. Most are the same in each version and stand there once,
 * under their name; one that differs from those before it has the name of its version behind it.
 */
export function openSchemas(kept: Record<string, Schema>): Schemas {
  return {
    of: (version) => {
      const names = new Map<string, string>()
      return {
        refer: (name, read) => {
          if (!names.has(name)) {
            names.set(name, name) // should it refer to itself
            const schema = read()
            const alike = Object.keys(kept).filter((key) => key === name || key.startsWith(`${name}@`))
            const same = alike.find((key) => textOf(kept[key] ?? {}) === textOf(schema))
            const own = same ?? (name in kept ? `${name}@${version}` : name)
            kept[own] ??= schema
            names.set(name, own)
          }
          return { $ref: `github#/schemas/${names.get(name)}` }
        },
      }
    },
  }
}

/** What a schema says of a value: its examples say nothing. */
export const textOf = (schema: Schema): string =>
  JSON.stringify(schema, (key, value: unknown) => (key === 'example' && typeof value !== 'object' ? undefined : value))

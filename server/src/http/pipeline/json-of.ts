declare const of: unique symbol

/** The JSON of such a value, as the text or the bytes that are sent. */
export type JsonOf<Value> = (string | Buffer) & { readonly [of]: Value }

export function jsonOf<Value>(value: Value): JsonOf<Value> {
  return JSON.stringify(value) as JsonOf<Value>
}

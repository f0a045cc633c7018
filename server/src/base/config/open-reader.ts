import { parseWholeNumber } from '#base/ids.ts'
import { Secret } from '#base/secrets/secret.ts'

export type Environment = Record<string, string | undefined>

export type Reader = ReturnType<typeof openReader>

/** Reads one variable at a time and gathers what is wrong. Empty counts as not set; a wrong value is never printed. */
export function openReader(env: Environment) {
  const faults: string[] = []
  const text = (name: string) => env[name]?.trim() || undefined
  /** The value as `parse` makes it, if it is set; where it makes none, the variable is at fault. */
  const parsed = <T>(name: string, request: string, parse: (value: string) => T | undefined): T | undefined => {
    const value = text(name)
    if (value === undefined) return undefined
    const result = parse(value)
    if (result === undefined) faults.push(`${name} must be ${request}.`)
    return result
  }
  return {
    faults,
    text,
    parsed,
    number: (name: string, { min, max, otherwise }: { min: number; max: number; otherwise: number }) =>
      parsed(name, `a whole number from ${min} to ${max}`, (value) => {
        const number = parseWholeNumber(value)
        return number !== undefined && number >= min && number <= max ? number : undefined
      }) ?? otherwise,
    boolean: (name: string) =>
      parsed(
        name,
        '1 (or true) or 0 (or false)',
        (value) => ({ '1': true, true: true, '0': false, false: false })[value],
      ) ?? false,
    word: <Word extends string>(name: string, words: readonly Word[]) =>
      parsed(name, `one of ${words.join(', ')}`, (value) => words.find((word) => word === value)),
    url: (name: string, protocols: string[]) =>
      parsed(
        name,
        `an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
        (value) => (URL.canParse(value) && protocols.includes(new URL(value).protocol) ? value : undefined),
      ),
    long: (name: string) =>
      parsed(name, '32 or more printable ASCII characters', (value) =>
        /^[ -~]{32,}$/.test(value) ? value : undefined,
      ),
    list: (
      name: string,
      { separator, isValid, expected }: { separator: string; isValid: (item: string) => boolean; expected: string },
    ) =>
      parsed(name, expected, (value) => {
        const items = value
          .split(separator)
          .map((item) => item.trim())
          .filter(Boolean)
        return items.every(isValid) ? items : undefined
      }) ?? [],
  }
}

export const secretOf = (text: string | undefined) => (text === undefined ? null : new Secret(text))

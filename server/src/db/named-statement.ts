/** A statement that is planned once on each connection, and whose parameters have names. */
export type NamedStatement<Values> = {
  name: string
  text: string
  /** The values in the order of the statement. */
  bind(values: Values): unknown[]
}

/**
 * A statement with `:organizationId` where others have `$1`, as many times as it likes; the values are one object. Casts and
 * texts in quotes stay as they are. Throws for a parameter that has no value.
 */
export function namedStatement<Values extends object>(name: string, text: string): NamedStatement<Values> {
  const names: string[] = []
  const numbered = text.replaceAll(/'[^']*'|::|:([a-z]\w*)/gi, (all, parameter?: string) => {
    if (parameter === undefined) return all
    if (!names.includes(parameter)) names.push(parameter)
    return `$${names.indexOf(parameter) + 1}`
  })
  const bind = (values: Values) =>
    names.map((parameter) => {
      if (!Object.hasOwn(values, parameter)) throw new TypeError(`${name} needs a value for :${parameter}`)
      return (values as Record<string, unknown>)[parameter]
    })
  return { name, text: numbered, bind }
}

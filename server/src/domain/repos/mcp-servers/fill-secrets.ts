/** What stands for a secret in a header or a variable. */
const reference = /\$\{([A-Za-z_][A-Za-z0-9_]{0,99})\}/g

export type Filled = { values: Record<string, string>; missing: string[]; hasSecrets: boolean }

/** Values with the secrets that they name; `missing`: names that there are no secrets of. */
export function fillSecrets(
  templates: Record<string, string>,
  secrets: readonly { name: string; value: string }[],
): Filled {
  const known = new Map(secrets.map(({ name, value }) => [name, value]))
  const missing = new Set<string>()
  let hasSecrets = false
  const fill = (template: string) =>
    template.replace(reference, (whole, name: string) => {
      const value = known.get(name)
      if (value === undefined) missing.add(name)
      hasSecrets = true
      return value ?? whole
    })
  const values = Object.fromEntries(Object.entries(templates).map(([name, template]) => [name, fill(template)]))
  return { values, missing: [...missing], hasSecrets }
}

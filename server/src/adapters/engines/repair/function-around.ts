const declared = /^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:def|function\*?)\s+([\w$]+)/
const assigned = /^\s*(?:export\s+)?(?:const|let|var)\s+([\w$]+)\s*=\s*(.*)$/s
const value = /^(?:async\s*)?(?:function|\([^)]*\)\s*(?::[^=]+)?=>|\w+\s*=>)/
const method = /^\s+(?:static\s+)?(?:async\s+)?([\w$#]+)(\([^)]*\)[^;]*)$/
const statements = new Set(['if', 'for', 'while', 'switch', 'catch', 'return'])

/** The name of the function that a line is in, by its looks: good enough for a title. */
export function functionAround(source: string, line: number): string | null {
  const lines = source.split('\n').slice(0, line).reverse()
  for (const text of lines) {
    const found = nameIn(text)
    if (found) return found
  }
  return null
}

function nameIn(line: string): string | undefined {
  const name = declared.exec(line)?.[1]
  if (name) return name
  const [, variable, given] = assigned.exec(line) ?? []
  if (variable) return value.test(given ?? '') ? variable : undefined
  const [, called, rest] = method.exec(line) ?? []
  return called && !statements.has(called) && rest?.trimEnd().endsWith('{') ? called : undefined
}

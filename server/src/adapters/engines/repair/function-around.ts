const declared = /^(?:export\s{1,9})?(?:default\s{1,9})?(?:async\s{1,9})?(?:def|function\*?)\s{1,9}([\w$]{1,200})/
const inGo = /^func\s{1,9}(?:\([^)]{0,200}\)\s{0,9})?(\w{1,200})/
const assigned = /^(?:export\s{1,9})?(?:(?:const|let|var)\s{1,9}|(?:[\w$]{1,200}\.){1,9})([\w$]{1,200})\s{0,9}=\s{0,9}/
const value = /^(?:async\s{0,9})?(?:function|\([^)]{0,500}\)\s{0,9}(?::[^=]{1,200})?=>|\w{1,200}\s{0,9}=>)/
const method = /^\s+(?:static\s+)?(?:async\s+)?([\w$#]+)(\([^)]*\)[^;]*)$/
const statements = new Set(['if', 'for', 'while', 'switch', 'catch', 'return'])

/** The name of the function that a line is in, by its looks: good enough for a title. */
export function functionAround(source: string, line: number): string | null {
  return functionsByLine(source)[line - 1] ?? null
}

/** Of each line, the first one first. */
export function functionsByLine(source: string): (string | null)[] {
  let name: string | null = null
  return source.split('\n').map((text) => (name = nameIn(text) ?? name))
}

function nameIn(line: string): string | undefined {
  const text = line.trim()
  const name = declared.exec(text)?.[1] ?? inGo.exec(text)?.[1]
  if (name) return name
  const [whole, variable] = assigned.exec(text) ?? []
  if (whole) return value.test(text.slice(whole.length)) ? variable : undefined
  const [, called, rest] = method.exec(line) ?? []
  return called && !statements.has(called) && rest?.trimEnd().endsWith('{') ? called : undefined
}

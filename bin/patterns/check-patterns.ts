import { findPatterns, type Found } from './find-patterns.ts'
import { provePattern, type Verdict } from './prove-pattern.ts'

export type Checked = { list: string; faults: string[] }

const heading = `# Regular expressions of the product, each proven to take linear time: see docs/decisions/0038-prove-every-regular-expression-linear.md.
# Written by \`npm run generate\`, which proves those that are not listed yet.
`

/** The list of what is proven, made anew out of the one there is; and what is wrong with the others, by place. */
export function checkPatterns(root: string, listed: string, prove = provePattern): Checked {
  return checkFound(findPatterns(root), listed, prove)
}

export function checkFound(
  { patterns, unknown }: Found,
  listed: string,
  prove: (source: string, flags: string) => Verdict,
): Checked {
  const known = new Set(listed.split('\n'))
  const proven: string[] = []
  const faults = unknown.map(
    ({ place, text }) =>
      `${place}: what \`${firstLine(text)}\` matches is known only when it runs. Write the pattern out, or read the text by hand.`,
  )
  for (const { source, flags, places } of patterns) {
    const line = `/${source}/${flags}`.replaceAll('\n', '\\n')
    const verdict = known.has(line) ? { isLinear: true as const } : prove(source, flags)
    if (verdict.isLinear) proven.push(line)
    else faults.push(`${places.join(', ')}: ${line} ${verdict.why}`)
  }
  return { list: `${heading}${[...new Set(proven)].sort().join('\n')}\n`, faults }
}

const firstLine = (text: string) => text.split('\n', 1)[0]!.slice(0, 120)

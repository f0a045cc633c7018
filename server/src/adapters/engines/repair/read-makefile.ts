const DEPTH_MAX = 4

type Target = { needs: string[]; recipe: string[] }

/** What `make NAME` runs, by `make NAME`, as a script of a shell; targets of which it can't be told are left out. */
export function readMakefile(text: string): Record<string, string> {
  const { targets, variables } = readTargets(text.replaceAll(/\\\n\s*/g, ' '))
  const scripts: Record<string, string> = {}
  for (const name of targets.keys()) {
    const lines = linesOf(name, targets, 0)
    const script = lines.map((line) => withVariables(line, variables)).join(' && ')
    // A comment would end the lines after it, too.
    const isPlain = !/\$[({@<^*%]/.test(script) && !lines.slice(0, -1).some((line) => line.includes('#'))
    if (script && isPlain) scripts[`make ${name}`] = script.replaceAll('$$', '$')
  }
  return scripts
}

function readTargets(text: string): { targets: Map<string, Target>; variables: Map<string, string> } {
  const targets = new Map<string, Target>()
  const variables = new Map<string, string>()
  let current: Target[] = []
  for (const line of text.split('\n')) {
    const variable = /^([A-Za-z_]\w*)\s{0,20}(?::{0,2}|\?)=(.*)$/.exec(line)
    const rule = variable ? null : /^(\w[\w ./-]*):([^=]*)$/.exec(line)
    if (line.startsWith('\t')) for (const target of current) target.recipe.push(line.trim())
    else if (variable) variables.set(variable[1]!, variable[2]!.trim())
    else if (rule) {
      current = rule[1]!
        .trim()
        .split(/\s+/)
        .map((name) => {
          const target = targets.get(name) ?? { needs: [], recipe: [] }
          targets.set(name, target)
          return target
        })
      const needs = rule[2]!.split(';')[0]!.split(/\s+/).filter(Boolean)
      for (const target of current) target.needs.push(...needs)
    } else if (line.trim() && !line.startsWith('#')) current = []
  }
  return { targets, variables }
}

/** With the recipes of what a target needs before its own. */
function linesOf(name: string, targets: Map<string, Target>, depth: number): string[] {
  const target = targets.get(name)
  if (!target || depth > DEPTH_MAX) return []
  const before = target.needs.flatMap((one) => linesOf(one, targets, depth + 1))
  // `@` says nothing of a line, `-` goes on when it fails.
  return [...before, ...target.recipe.map((line) => line.replace(/^[@+-]{1,3}\s*/, ''))].filter(Boolean)
}

function withVariables(line: string, variables: Map<string, string>, depth = 0): string {
  const written = line.replaceAll(/\$[({]([A-Za-z_]\w*)[)}]/g, (whole, name: string) =>
    name === 'MAKE' ? 'make' : (variables.get(name) ?? whole),
  )
  return written === line || depth > DEPTH_MAX ? written : withVariables(written, variables, depth + 1)
}

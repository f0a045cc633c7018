const LENGTH_MAX = 300
const ALTERNATIVES_MAX = 50

/** Whether a path fits a glob with `*`, `**`, `?` and braces. In time by the product of both lengths, whatever they hold. */
export function matchGlob(glob: string, path: string): boolean {
  if (glob.length > LENGTH_MAX) return false
  const whole = glob.includes('/') ? glob.replace(/^\//, '') : `**/${glob}`
  return alternativesOf(whole).some((one) => fits(one, path))
}

function alternativesOf(glob: string): string[] {
  let done = [glob]
  while (done.length <= ALTERNATIVES_MAX) {
    const index = done.findIndex((one) => /\{[^{}]*\}/.test(one))
    const one = done[index]
    if (one === undefined) break
    const start = one.lastIndexOf('{', one.indexOf('}'))
    const end = one.indexOf('}', start)
    const words = one.slice(start + 1, end).split(',')
    done = done.toSpliced(index, 1, ...words.map((word) => one.slice(0, start) + word + one.slice(end + 1)))
  }
  return done.slice(0, ALTERNATIVES_MAX)
}

function fits(glob: string, path: string): boolean {
  const tokens = glob.match(/\*\*\/|\*+|[^*]/g) ?? []
  let at = new Set<number>()
  const enter = (states: Set<number>, index: number) => {
    for (let next = index; !states.has(next); next++) {
      states.add(next)
      if (!tokens[next]?.startsWith('*')) return
    }
  }
  enter(at, 0)
  for (const character of path) {
    const after = new Set<number>()
    for (const index of at) {
      const token = tokens[index]
      if (token === '**/') {
        after.add(index)
        if (character === '/') enter(after, index + 1)
      } else if (token?.startsWith('*')) {
        if (token.length > 1 || character !== '/') enter(after, index)
      } else if (token === character || (token === '?' && character !== '/')) enter(after, index + 1)
    }
    at = after
  }
  return at.has(tokens.length)
}

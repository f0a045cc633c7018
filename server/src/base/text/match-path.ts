/** A pattern that is read once, to be held against many paths. */
export type PathPattern = {
  names: readonly string[]
  /** It covers paths alone, and not what lies in a folder that it covers. */
  isWhole: boolean
}

/** What holding patterns against paths may still take, in comparisons of characters; below zero it has taken more. */
export type Work = { left: number }

/**
 * Whether a pattern, as people know it from .gitignore, covers a path: `*` and `?` within a name, `**` for any folders; one
 * without a slash is meant at any depth; one that covers a folder covers all in it. Takes time with the lengths, and never
 * more: patterns come from repositories.
 */
export function matchPath(pattern: string, path: string): boolean {
  const names = pattern.replace(/^\/|\/$/g, '').split('/')
  return coversPath({ names: isAnchored(pattern) ? names : ['**', ...names], isWhole: false }, path.split('/'))
}

/**
 * The same as CODEOWNERS has it: `docs/` and `docs/**` cover what lies in the folder at any depth, and no file of that name;
 * `docs/*` covers the files that lie in it, and nothing deeper.
 */
export function readOwnedPaths(pattern: string): PathPattern {
  const names = pattern.replace(/^\//, '').split('/')
  const last = names.at(-1)
  const isFolder = names.length > 1 && (last === '' || last === '**')
  if (isFolder) names[names.length - 1] = '*'
  if (!isAnchored(pattern)) return { names: ['**', ...names], isWhole: false }
  return { names, isWhole: last === '*' }
}

const isAnchored = (pattern: string): boolean => /^\/|\/./.test(pattern)

/** `path`: the names of its folders, and its own. */
export function coversPath(
  { names, isWhole }: PathPattern,
  path: readonly string[],
  work: Work = { left: Infinity },
): boolean {
  const end = isWhole ? path.length : 0
  let [at, in_, wild, from] = [0, 0, -1, 0]
  while (at < names.length || in_ < end) {
    work.left--
    if (names[at] === '**') [wild, from, at] = [at, in_, at + 1]
    else if (at < names.length && in_ < path.length && matchName(names[at]!, path[in_]!, work)) {
      at++
      in_++
    } else if (wild >= 0 && from < path.length) [from, in_, at] = [from + 1, from + 1, wild + 1]
    else return false
  }
  return true
}

function matchName(pattern: string, name: string, work: Work): boolean {
  let [at, in_, wild, from] = [0, 0, -1, 0]
  while (in_ < name.length) {
    work.left--
    if (pattern[at] === '*') [wild, from, at] = [at, in_, at + 1]
    else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === name[in_])) {
      at++
      in_++
    } else if (wild >= 0) [from, in_, at] = [from + 1, from + 1, wild + 1]
    else return false
  }
  return /^\**$/.test(pattern.slice(at))
}

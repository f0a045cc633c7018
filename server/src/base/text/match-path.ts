/**
 * Whether a pattern, as people know it from .gitignore, covers a path: `*` and `?` within a name, `**` for any folders; one
 * without a slash is meant at any depth; one that covers a folder covers all in it. Takes time with the lengths, and never
 * more: patterns come from repositories.
 */
export function matchPath(pattern: string, path: string): boolean {
  const names = pattern.replace(/^\/|\/$/g, '').split('/')
  const isAnchored = /^\/|\/./.test(pattern)
  return matchFolders(isAnchored ? names : ['**', ...names], path.split('/'))
}

/** Begins of the path count: what lies in a folder that is covered is covered. */
function matchFolders(pattern: string[], path: string[]): boolean {
  let [at, in_, wild, from] = [0, 0, -1, 0]
  while (at < pattern.length) {
    if (pattern[at] === '**') [wild, from, at] = [at, in_, at + 1]
    else if (in_ < path.length && matchName(pattern[at]!, path[in_]!)) [at, in_] = [at + 1, in_ + 1]
    else if (wild >= 0 && from < path.length) [from, in_, at] = [from + 1, from + 1, wild + 1]
    else return false
  }
  return true
}

function matchName(pattern: string, name: string): boolean {
  let [at, in_, wild, from] = [0, 0, -1, 0]
  while (in_ < name.length) {
    if (pattern[at] === '*') [wild, from, at] = [at, in_, at + 1]
    else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === name[in_])) [at, in_] = [at + 1, in_ + 1]
    else if (wild >= 0) [from, in_, at] = [from + 1, from + 1, wild + 1]
    else return false
  }
  return /^\**$/.test(pattern.slice(at))
}

/**
 * Folders to which a work tree is limited, as a cone of git's sparse checkout: these with all that is in them, and the files
 * that lie beside them and above. With none, it holds everything.
 */
export type WorkPaths = readonly string[]

export const workPathsMax = 50
export const workPathCharactersMax = 500

/** What is against a folder's name; null where it is one. Git takes quotes, backslashes and patterns for more than letters. */
export function whyNotPath(path: string): string | null {
  if (path.length > workPathCharactersMax) return `has more than ${workPathCharactersMax} characters`
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f"\\*?[\]]/.test(path) || path.startsWith('-'))
    return 'has characters that no folder may have here'
  const isPlain = path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && part !== '.git')
  return isPlain ? null : 'is no folder of the repository, such as services/api'
}

/** Whether a work tree that is limited to these folders holds what lies at this path. */
export function isInCone(path: string, paths: WorkPaths): boolean {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
  if (paths.length === 0 || folder === '') return true
  return paths.some((one) => `${folder}/`.startsWith(`${one}/`) || `${one}/`.startsWith(`${folder}/`) || path === one)
}

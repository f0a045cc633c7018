const CODE = /\.(py|pyi|go|[cm]?[jt]s|[jt]sx)$/
/** Files that hold comments though they are named after JSON. */
const LENIENT_JSON = /(^|\/)([tj]sconfig[^/]*|devcontainer|\.[^/]+|deno|api-extractor)\.json$|(^|\/)\.vscode\//

/** Whether a file of this name is one of which we can tell where it is wrong. */
export function hasCheckedSyntax(path: string): boolean {
  return CODE.test(path) || /\.ya?ml$/.test(path) || (path.endsWith('.json') && !LENIENT_JSON.test(path))
}

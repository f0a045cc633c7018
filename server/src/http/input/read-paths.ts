import { AppError } from '#base/errors.ts'
import { whyNotPath } from '#domain/repos/work-paths.ts'

/** Folders without a slash at the end, each once. Throws `invalid_request`. */
export function readPaths(body: readonly string[]): string[] {
  const paths = body.map((path) => path.replace(/\/$/, ''))
  paths.forEach((path, index) => {
    const msg = whyNotPath(path)
    if (msg === null) return
    const detail = [{ loc: ['body', 'paths', index], msg, type: 'value_error' }]
    throw new AppError('invalid_request', { message: `"${path}" ${msg}.`, detail })
  })
  return [...new Set(paths)]
}

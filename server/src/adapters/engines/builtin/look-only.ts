import { SandboxFileError, type Sandbox } from '#adapters/sandboxes/sandbox.ts'

/** A sandbox whose commands change nothing that stays; null where it cannot hold them to that. */
export function lookOnly(sandbox: Sandbox): Sandbox | null {
  if (!sandbox.canLookOnly) return null
  return {
    id: sandbox.id,
    paths: sandbox.paths,
    enforcement: sandbox.enforcement,
    limits: sandbox.limits,
    proxyUrl: null,
    canLookOnly: true,
    closed: sandbox.closed,
    exec: (request) => sandbox.exec({ ...request, looksOnly: true }),
    readFile: (path, options) => sandbox.readFile(path, options),
    writeFile: (path) => Promise.reject(new SandboxFileError('EROFS', path)),
    stop: (reason) => sandbox.stop(reason),
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  }
}

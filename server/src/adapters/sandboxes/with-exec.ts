import type { Sandbox } from './sandbox.ts'

/** The same sandbox, whose commands are run by `exec`. */
export function withExec(sandbox: Sandbox, exec: Sandbox['exec']): Sandbox {
  return {
    id: sandbox.id,
    paths: sandbox.paths,
    enforcement: sandbox.enforcement,
    limits: sandbox.limits,
    proxyUrl: sandbox.proxyUrl,
    canLookOnly: sandbox.canLookOnly,
    closed: sandbox.closed,
    exec,
    readFile: (path, options) => sandbox.readFile(path, options),
    writeFile: (path, data, options) => sandbox.writeFile(path, data, options),
    stop: (reason) => sandbox.stop(reason),
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  }
}

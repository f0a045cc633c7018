import type { ExecRequest, Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { RunSecret } from '#domain/repos/secrets/unseal-secrets.ts'
import { withExec } from '#adapters/sandboxes/with-exec.ts'

/**
 * The sandbox as an engine has it, which knows secrets by their names alone. A command that names some finds them in its
 * environment, and runs apart: what else runs inside could read them there, and in the memory of what started it. Those
 * that the repository gives to all commands are nothing that one command could keep from another.
 */
export function giveSecrets(sandbox: Sandbox, secrets: readonly RunSecret[]): Sandbox {
  const values = new Map(secrets.map(({ name, value }) => [name, value]))
  const everywhere = Object.fromEntries(secrets.flatMap((one) => (one.isEverywhere ? [[one.name, one.value]] : [])))
  const valueOf = (name: string): [string, string] => {
    const value = values.get(name)
    if (value === undefined) throw new TypeError(`there is no secret ${name}`)
    return [name, value]
  }
  return withExec(sandbox, ({ secrets: names = [], ...request }: ExecRequest) =>
    sandbox.exec({
      ...request,
      env: { ...everywhere, ...request.env, ...Object.fromEntries(names.map(valueOf)) },
      ...(names.length > 0 && { ownNamespace: true }),
    }),
  )
}

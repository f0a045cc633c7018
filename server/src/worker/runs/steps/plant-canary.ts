import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { App } from '#app/app.ts'
import type { Holder } from '#domain/runs/holder.ts'

const plantMs = 10_000

/** Lays the run's canary into the home of its sandbox, beside the work tree; over nothing that is there already. */
export async function plantCanary(
  { redactors }: Pick<App, 'redactors'>,
  { holder, sandbox, signal }: { holder: Holder; sandbox: Sandbox; signal: AbortSignal },
): Promise<void> {
  const canary = redactors.canary(holder)
  if (!canary) return
  const script = `umask 077; set -C
while [ $# -gt 0 ]; do mkdir -p "\${1%/*}" && printf %s "$2" > "$1"; shift 2; done`
  const files = canary.files.flatMap(([path, content]) => [`./${path}`, content])
  const argv = ['bash', '-c', script, 'bash', ...files]
  await sandbox.exec({ argv, cwd: sandbox.paths.home, timeoutMs: plantMs, signal }).result
}

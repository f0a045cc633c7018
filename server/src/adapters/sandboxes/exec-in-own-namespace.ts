import type { Exec, ExecRequest, ExecResult, Sandbox } from './sandbox.ts'

/** Runs one command in the processes that `open` starts for it, which are gone when its result is there. */
export function execInOwnNamespace(request: ExecRequest, open: () => Promise<Sandbox>): Exec {
  const { ownNamespace: _, looksOnly: __, keepsWorkTree: ___, ...own } = request
  const startedAt = performance.now()
  const killed = new AbortController()
  const signal = request.signal ? AbortSignal.any([request.signal, killed.signal]) : killed.signal
  const begun = open().then((sandbox) => ({ sandbox, exec: sandbox.exec({ ...own, signal }) }))
  const finish = async (): Promise<ExecResult> => {
    const { sandbox, exec } = await begun
    const result = await exec.result
    await sandbox.stop('its command has ended')
    const isStarved = result.reason === 'sandbox_lost' && (await sandbox.closed).reason === 'out_of_memory'
    return isStarved ? { ...result, reason: 'out_of_memory' } : result
  }
  return {
    result: finish().catch((error: Error) => notStarted(error, performance.now() - startedAt)),
    write: (data) => void begun.then(({ exec }) => exec.write(data)).catch(() => {}),
    kill: () => killed.abort(),
  }
}

function notStarted({ message }: Error, durationMs: number): ExecResult {
  const output = Buffer.from(`${message}\n`)
  const rest = { stdout: Buffer.alloc(0), stderr: output, output, cutBytes: 0, durationMs: Math.round(durationMs) }
  return { exitCode: null, reason: 'sandbox_lost', ...rest }
}

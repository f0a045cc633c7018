import type { Config } from '#base/config/config.ts'
import type { Listen } from '#base/network/network-address.ts'

const answerMs = 10_000
const bodyBytesMax = 2 ** 20
const probes = ['/healthz', '/readyz', '/statusz']

export type Answer = { status: number; body: string } | { problem: string }

/** What the service that should run on this machine answers to who watches it. */
export async function askService(config: Pick<Config, 'host' | 'port'>): Promise<Record<string, Answer>> {
  const answers = probes.map(async (path) => [path, await ask(config, path)] as const)
  return Object.fromEntries(await Promise.all(answers))
}

/** The page of metrics as Prometheus would read it. */
export async function askMetrics({ metrics }: Pick<Config, 'metrics'>): Promise<Answer> {
  if (!metrics) return { problem: 'RUNWRIGHT_METRICS is not set, so there is no page of metrics.' }
  return ask(metrics, '/metrics')
}

async function ask({ host, port }: Listen, path: string): Promise<Answer> {
  if (port === 0) return { problem: 'The port is any that was free, so it is not known here.' }
  try {
    const response = await fetch(`http://${reachable(host)}:${port}${path}`, {
      signal: AbortSignal.timeout(answerMs),
      redirect: 'error',
    })
    return { status: response.status, body: await readBody(response) }
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } }
    return { problem: `No answer: ${cause?.code ?? message}. The service may be stopped.` }
  }
}

async function readBody(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    if ((bytes += chunk.length) >= bodyBytesMax) break
  }
  return Buffer.concat(chunks).subarray(0, bodyBytesMax).toString()
}

/** Who listens on all addresses is reached at this machine's own. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

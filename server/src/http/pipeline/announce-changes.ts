import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { HttpDeps } from './deps.ts'

/** Says to all processes, after its commit, that a request has changed a run, so that who follows it sees it at once. */
export function announceChanges(server: FastifyInstance, { app }: HttpDeps): void {
  server.addHook('onResponse', (request, reply, done) => {
    const runId = changedRun(request, reply)
    if (runId) app.notifier.notifyRun(runId)
    done()
  })
}

function changedRun({ method, params, body }: FastifyRequest, { statusCode }: FastifyReply): number | undefined {
  if (method === 'GET' || method === 'HEAD' || statusCode >= 300) return undefined
  const named = [params, body] as ({ agent_run_id?: unknown } | null | undefined)[]
  return named.map((names) => names?.agent_run_id).find((id) => typeof id === 'number')
}

import type { FastifyInstance } from 'fastify'
import type { HttpParts } from './parts.ts'

/** Says to all processes, after its commit, that a request has changed a run, so that who follows it sees it at once. */
export function announceChanges(server: FastifyInstance, { app }: HttpParts): void {
  server.addHook('onResponse', async (request, reply) => {
    if (request.method === 'GET' || request.method === 'HEAD' || reply.statusCode >= 300) return
    const named = [request.params, request.body] as ({ agent_run_id?: unknown } | null | undefined)[]
    const runId = named.map((names) => names?.agent_run_id).find((id) => typeof id === 'number')
    if (runId) app.announcer.announceRun(runId)
  })
}

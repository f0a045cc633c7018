import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#base/errors.ts'
import { hostLimits } from '#base/hosts/host-limits.ts'
import { openIntegration, type OpenIntegration } from '#domain/hosts/integrations/open-integration.ts'
import { saveDelivery } from '#domain/hosts/webhooks/save-delivery.ts'
import type { HttpDeps } from '#http/pipeline/deps.ts'
import { isStorable, limitBodyTime } from '#http/pipeline/read-body.ts'

export const webhookPath = '/webhooks/:key'

/**
 * Where code hosts send what happens: what is signed by a secret of the integration whose address it is, is kept and
 * answered at once, and read later. Nothing is kept of anything else. Answers the paths that it has added.
 */
export async function addWebhooks(server: FastifyInstance, { app, arrival }: HttpDeps): Promise<string[]> {
  const integrations = new WeakMap<FastifyRequest, OpenIntegration>()
  await server.register(async (scope) => {
    // The signature is over the bytes, whatever they say that they are.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: FastifyRequest, bytes: Buffer) => bytes)
    scope.post<{ Params: { key: string } }>(webhookPath, {
      bodyLimit: hostLimits.webhookBytesMax,
      // Before the body is read, which may be large.
      onRequest: async (request) => {
        const { key } = request.params
        const integration = isStorable(key) ? await openIntegration(app.pool, app.secretBox, { key }) : null
        if (!integration?.active) throw new AppError('integration_not_found')
        integrations.set(request, integration)
      },
      preParsing: (_, reply, payload, done) => {
        limitBodyTime(reply, payload, arrival?.bodyMs)
        done(null, payload)
      },
      handler: async (request, reply) => {
        const { organizationId, id: integrationId, kind, credentials } = integrations.get(request) as OpenIntegration
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const head = app.webhooks[kind].verify({ headers: request.headers, body }, credentials.webhookSecrets)
        if (!head)
          throw new AppError('unauthorized', { message: 'The signature matches no secret of this integration.' })
        const content = app.webhooks[kind].unwrap({ headers: request.headers, body })
        if (!content) throw new AppError('invalid_request', { message: notReadable })
        const delivery = nameOf(head.delivery, body)
        const event = head.event.slice(0, eventCharactersMax)
        await saveDelivery(app.pool, { organizationId, integrationId, delivery, event, body: content })
        return reply.code(202).send()
      },
    })
  })
  return [webhookPath]
}

const eventCharactersMax = 100

/** Code hosts show it to whoever has made the webhook. */
const notReadable =
  'The body of this webhook cannot be read: choose the content type application/json (application/x-www-form-urlencoded works too).'

/** What has no name, or one that nobody can keep, is known by its bytes. */
function nameOf(delivery: string | null, body: Buffer): string {
  if (delivery !== null && /^[\w-]{1,100}$/.test(delivery)) return delivery
  return `sha256:${createHash('sha256').update(body).digest('hex')}`
}

import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { exportLimits } from '#base/export-limits.ts'
import type { Caller } from '#http/pipeline/caller.ts'
import type { HttpApp, HttpDb } from '#http/pipeline/deps.ts'
import { logOfRequest } from '#http/pipeline/log-of-request.ts'
import { admitExport } from './admit-export.ts'
import { listItems, type ExportSubject } from './list-items.ts'
import { packItems } from './pack-items.ts'

export type SendExport = {
  app: Pick<HttpApp, 'blobs' | 'hosts' | 'redactors' | 'clock' | 'subscriptions'>
  caller: Pick<Caller, 'credentialId'>
  request: FastifyRequest
  reply: FastifyReply
  subject: ExportSubject
  /** Of the file as browsers save it. */
  name: string
  /** How long its reader may take nothing, and how long all of it may take. */
  stallMs?: number
  totalMs?: number
}

/**
 * An export as it is made: no more is read than its reader takes. It ends when its reader goes, takes nothing for too long, needs too long or
 * may not read any more. Who has no manifest then sees that it is cut off.
 */
export function sendExport(db: HttpDb, options: SendExport): Readable {
  const { app, caller, request, reply, subject, name } = options
  const { stallMs = exportLimits.stallMs, totalMs = exportLimits.totalMs } = options
  reply.header('content-disposition', `attachment; filename="${name}.tar.gz"`)
  if (request.method === 'HEAD') return Readable.from([])
  using beginning = new DisposableStack()
  const owner = subject.kind === 'user' ? `user ${subject.id}` : `organization ${subject.organizationIds.join()}`
  beginning.use(admitExport(reply, owner))
  const uses = subject.organizationIds.map((organizationId) => ({ credentialId: caller.credentialId, organizationId }))
  const readers = uses.map((use) => beginning.use(app.subscriptions.admit(use)))
  const stop = new AbortController()
  const archive = packItems({
    items: listItems(db, { ...subject, app, signal: stop.signal }),
    at: app.clock.now(),
    onError: (error) => logOfRequest(request).warn({ err: error, event: 'export_cut' }, 'an export broke off'),
  })
  const drop = () => void reply.raw.destroy()
  const total = setTimeout(drop, totalMs)
  const over = AbortSignal.any([app.subscriptions.closed, ...readers.map(({ signal }) => signal)])
  over.addEventListener('abort', drop)
  const underWay = beginning.move()
  archive.once('close', () => {
    clearTimeout(total)
    stop.abort()
    underWay[Symbol.dispose]()
  })
  return Readable.from(paced(archive, { stallMs, drop }), { objectMode: false })
}

/** What is not taken in time is dropped. */
async function* paced(
  archive: Readable,
  { stallMs, drop }: { stallMs: number; drop: () => void },
): AsyncGenerator<Buffer> {
  for await (const chunk of archive as AsyncIterable<Buffer>) {
    const stalled = setTimeout(drop, stallMs)
    try {
      yield chunk
    } finally {
      clearTimeout(stalled)
    }
  }
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#base/errors.ts'
import { acceptsCoding } from '#http/pipeline/accepts-coding.ts'
import { readFormTarget } from '#http/pipeline/form-target.ts'
import type { HttpApp } from '#http/pipeline/deps.ts'
import { readFiles, type UiFile } from './read-files.ts'

/**
 * What the pages may do: run and style themselves from our own files, ask our own API, and post to GitHub the form that
 * makes an App, also to the GitHub Enterprise that this browser has begun to make one at. Nothing from elsewhere.
 */
const policyWith = (formTargets: (string | undefined)[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    // Pictures that somebody is about to send are shown from memory.
    "img-src 'self' blob:",
    "base-uri 'none'",
    `form-action ${formTargets.filter(Boolean).join(' ')}`,
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')

/** Every address that is a page: all answer the same file, whose script shows the one that is asked for. */
export const pagePaths = [
  '/',
  '/sign-in',
  '/record',
  '/runs/:organization_id',
  '/runs/:organization_id/:run_id',
  '/organizations/:organization_id/repos',
  '/organizations/:organization_id/repos/:repo_id',
  '/organizations/:organization_id/repos/:repo_id/pulls',
  '/organizations/:organization_id/repos/:repo_id/pulls/:number',
  '/organizations/:organization_id/repos/:repo_id/issues',
  '/organizations/:organization_id/repos/:repo_id/issues/:number',
  '/organizations/:organization_id/hosts/:integration_id',
  '/organizations/:organization_id/settings',
  '/organizations/:organization_id/audit',
  '/organizations/:organization_id/tokens',
  '/organizations/:organization_id/workers',
  '/organizations/:organization_id/mcp',
  '/organizations/:organization_id/model-providers',
  '/organizations/:organization_id/engines',
  '/organizations/:organization_id/inbox',
  '/organizations/:organization_id/comparisons',
  '/organizations/:organization_id/comparisons/:comparison_id',
  '/organizations/:organization_id/start',
]

/** Below these an address that is no page of ours is answered to browsers with the UI's own "Page not found". */
const pageFolders = ['/runs', '/runs/*', '/organizations', '/organizations/*']

/** Names of built files carry a digest of what is in them, so they never change. */
const isHashed = (name: string) => name.startsWith('assets/')

export type UiOptions = { app: Pick<HttpApp, 'publicUrl' | 'secretBox' | 'clock'>; folder: string }

/** Serves the web UI. Its files hold no data: they ask the API, as whoever has signed in. */
export async function addUi(server: FastifyInstance, { app, folder }: UiOptions): Promise<void> {
  const files = await readFiles(folder)
  for (const file of files)
    if (file.name !== 'index.html')
      server.get(`/${file.name}`, async (request, reply) => send(file, { request, reply }))
  const page = files.find(({ name }) => name === 'index.html')
  for (const url of [...pagePaths, ...pageFolders]) {
    const isKnown = !pageFolders.includes(url)
    server.get(url, async (request, reply) => {
      if (!isKnown && !request.headers.accept?.includes('text/html')) throw new AppError('route_not_found')
      if (!page) throw new AppError('unavailable', { message: 'The web UI is not built. Run "npm run build:web".' })
      reply.headers({
        'content-security-policy': policyWith(['https://github.com', readFormTarget(request, app)]),
        'cross-origin-opener-policy': 'same-origin',
      })
      return send(page, { request, reply, status: isKnown ? 200 : 404 })
    })
  }
}

type Sent = { request: FastifyRequest; reply: FastifyReply; status?: number }

/** In the first coding that the client takes; nothing where it has the file already. */
function send(file: UiFile, { request, reply, status = 200 }: Sent): FastifyReply {
  reply.headers({
    'content-type': file.mediaType,
    'cache-control': isHashed(file.name) ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: file.tag,
    vary: 'accept-encoding',
  })
  if (request.headers['if-none-match'] === file.tag) return reply.code(304).send()
  reply.code(status)
  for (const [coding, bytes] of file.encoded)
    if (acceptsCoding(request.headers['accept-encoding'], coding))
      return reply.header('content-encoding', coding).send(bytes)
  return reply.send(file.bytes)
}

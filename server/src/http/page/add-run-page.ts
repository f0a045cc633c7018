import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'

/** What the page may do: run and style itself from our own files, and ask our own API. Nothing from elsewhere. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const files: { urls: string[]; file: string; mediaType: string }[] = [
  // A pull request is shown on the page of the run that opened it.
  {
    urls: ['/runs/:organization_id/:run_id', '/organizations/:organization_id/repos/:repo_id/pulls/:number'],
    file: 'run-page.html',
    mediaType: 'text/html',
  },
  { urls: ['/page/read-events.js'], file: 'read-events.js', mediaType: 'text/javascript' },
  { urls: ['/page/run-page.css'], file: 'run-page.css', mediaType: 'text/css' },
  { urls: ['/page/run-page.js'], file: 'run-page.js', mediaType: 'text/javascript' },
  { urls: ['/page/run-text.js'], file: 'run-text.js', mediaType: 'text/javascript' },
  { urls: ['/page/run-view.js'], file: 'run-view.js', mediaType: 'text/javascript' },
  { urls: ['/page/mark.svg', '/favicon.ico'], file: 'mark.svg', mediaType: 'image/svg+xml' },
]

export const pagePaths = files.flatMap(({ urls }) => urls)

/** Serves the page where a run is watched. It holds no data: it asks the API, with the token that its reader gives it. */
export async function addRunPage(server: FastifyInstance): Promise<void> {
  for (const { urls, file, mediaType } of files) {
    const bytes = await readFile(path.join(import.meta.dirname, file))
    for (const url of urls) {
      server.get(url, async (_, reply) =>
        reply
          .headers({
            'content-type': `${mediaType}; charset=utf-8`,
            'content-security-policy': policy,
            'cross-origin-opener-policy': 'same-origin',
            'referrer-policy': 'no-referrer',
            'cache-control': 'no-cache',
          })
          .send(bytes),
      )
    }
  }
}

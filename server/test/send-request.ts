import { request } from 'node:http'
import type { Answer } from './test-app.ts'

export type SentRequest = {
  method: string
  /** As it is to stand on the wire. */
  path: string
  headers: Record<string, string>
  body?: Buffer | string | undefined
}

/** Sends what `fetch` would refuse or fix. Of a stream of events only the head is read. */
export function sendRequest(url: string, { method, path, headers, body }: SentRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const sent = request({ hostname, port, path, method, headers, agent: false }, (response) => {
      const end = (text: string) => {
        const options = new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)]))
        const isJson = options.get('content-type')?.includes('json') && text
        const answer = { status: response.statusCode ?? 0, headers: options, text }
        resolve({ ...answer, body: isJson ? (JSON.parse(text) as Answer['body']) : {} })
        sent.destroy()
      }
      if (response.headers['content-type']?.startsWith('text/event-stream')) return end('')
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () => end(text))
      return response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

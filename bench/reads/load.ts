// A client in a process of its own: keeps so many keep-alive connections busy with GET and says how many answers came.
// Each line on stdin is an order `{url, token, connections, ms, pages}`; `{n}` in the url counts up to `pages` and around.
import http from 'node:http'
import { createInterface } from 'node:readline'

type Order = { url: string; token: string; connections: number; ms: number; pages: number }

const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })

function get({ url, token }: { url: string; token: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url}: ${answer.statusCode}`))
      answer.on('end', resolve).on('error', reject).resume()
    })
    request.on('error', reject)
  })
}

async function work({ url, token, connections, ms, pages }: Order): Promise<{ perSecond: number }> {
  const begun = performance.now()
  let sent = 0
  let done = 0
  const loop = async () => {
    while (performance.now() - begun < ms) {
      await get({ url: url.replace('{n}', String((sent++ % pages) * 100)), token })
      done++
    }
  }
  await Promise.all(Array.from({ length: connections }, loop))
  return { perSecond: (done / (performance.now() - begun)) * 1000 }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await work(JSON.parse(line) as Order))}\n`)
}
agent.destroy()

import type { Answer } from '#adapters/engines/engine.ts'
import type { App } from '#app/app.ts'
import type { Holder } from '#domain/runs/holder.ts'
import { webUrl } from '#domain/runs/runs/web-url.ts'
import { findStepEntries } from '#domain/runs/steps/find-step-entries.ts'

const CITED = /\[(t\d{1,9}-\d{1,9}\.\d{1,9})\](?!\()/g
const CITATIONS_MAX = 1_000

/** The answer, with what its sentences cite as links to the entries of the log: `[t1-3.1]` becomes `[#12](…)`. */
export async function citeSteps<T extends Answer>(
  app: Pick<App, 'pool' | 'publicUrl'>,
  holder: Holder,
  answer: T,
): Promise<T> {
  const { answer: text, summary, body, replies } = answer
  const texts = [text, summary ?? '', body ?? '', ...(replies ?? []).map((reply) => reply.text)]
  const cited = new Set(
    texts.flatMap((one) => [...one.matchAll(CITED)].map(([, name]) => name!)).slice(0, CITATIONS_MAX),
  )
  if (!cited.size) return answer
  const entries = await findStepEntries(app.pool, holder, [...cited].map(keyOf))
  const link = (one: string) =>
    one.replaceAll(CITED, (mark, name: string) => {
      const seq = entries.get(keyOf(name))
      return seq === undefined ? mark : `[#${seq}](${webUrl(app.publicUrl, holder)}#s${seq})`
    })
  return {
    ...answer,
    answer: link(text),
    ...(summary && { summary: link(summary) }),
    ...(body && { body: link(body) }),
    ...(replies && { replies: replies.map((reply) => ({ ...reply, text: link(reply.text) })) }),
  }
}

const keyOf = (name: string) => name.replace('-', '/tool/')

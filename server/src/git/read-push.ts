import { limits } from '#base/limits.ts'
import { begin } from './begin.ts'
import type { Visit } from './git-gateway.ts'
import { readBody, upTo } from './git-request.ts'
import { readPushHead, type PushHead } from './push-commands.ts'
import { noteOptions } from './push-options.ts'
import { pushReport } from './push-report.ts'
import { refuseRefs } from './refuse-refs.ts'

/** Reads which refs a push wants to move. Answers it and gives null when it moves none, or one that it may not move. */
export async function readPush(visit: Visit): Promise<PushHead | null> {
  const { request, repo, grant, gone } = visit
  // Git refuses a pack beyond its limit in its answer, for which the client waits until it has sent all.
  const head = await readPushHead(upTo(2 * limits.pushBytesMax, readBody(request, gone)))
  const refused = refuseRefs(head.commands, { grant, repo })
  // Before a large push clients ask with an empty one whether they will be let in.
  if (head.commands.length && !refused.size) return head
  for await (const _ of head.body) continue
  reportPush(visit, head, refused)
  return null
}

/** The answer to a push without git's own program: all refs as they were wanted, or none, with the reasons. */
export function reportPush({ response }: Visit, head: PushHead, refused: Map<string, string>): void {
  begin(response, 'application/x-git-receive-pack-result')
  response.end(head.commands.length ? Buffer.concat([noteOptions(head), pushReport(head, refused)]) : '')
}

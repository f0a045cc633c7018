import { limits } from '#base/limits.ts'
import { upTo } from './git-request.ts'
import { readPushHead, type PushHead } from './push-commands.ts'
import { noteOptions } from './push-options.ts'
import { pushReport } from './push-report.ts'
import { refuseRefs } from './refuse-refs.ts'
import type { Visit } from './visit.ts'

/** Reads which refs a push wants to move. Answers it and gives null when it moves none, or one that it may not move. */
export async function readPush(visit: Visit): Promise<PushHead | null> {
  const { repo, grant, readBody, isOpenEnded } = visit
  // Git refuses a pack beyond its limit in its answer, for which the client waits until it has sent all.
  const head = await readPushHead(upTo(2 * limits.pushBytesMax, readBody()), { isOpenEnded })
  const refused = refuseRefs(head.commands, { grant, repo })
  // Before a large push clients ask with an empty one whether they will be let in.
  if (head.commands.length && !refused.size) return head
  for await (const _ of head.body) continue
  reportPush(visit, head, refused)
  return null
}

/** The answer to a push without git's own program: all refs as they were wanted, or none, with the reasons. */
export function reportPush({ answer }: Visit, head: PushHead, refused: Map<string, string>): void {
  answer.begin('application/x-git-receive-pack-result')
  answer.stream.end(head.commands.length ? Buffer.concat([noteOptions(head), pushReport(head, refused)]) : '')
}

import { mentions } from '#base/text/find-mention.ts'
import type { OwnAccount } from '#domain/hosts/integrations/get-own-account.ts'

/** Whether people who read it see that the agent is meant, by its own name or by that of its account on the host. */
export function mentionsAgent(body: string, { own, agentName }: { own: OwnAccount; agentName: string }): boolean {
  const names = own.mentionedAs === null ? [agentName] : [agentName, own.mentionedAs]
  return names.some((name) => mentions(body, name))
}

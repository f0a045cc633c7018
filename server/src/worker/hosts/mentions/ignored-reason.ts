import { hasAnyMarker } from '#base/text/hidden-marker.ts'
import type { HostActor } from '#base/hosts/host-event.ts'
import { isOwn, type OwnAccount } from '#domain/hosts/integrations/get-own-account.ts'
import { mentionsAgent } from './mentions-agent.ts'

export type Heard = {
  /** Null: nobody knows who it was. */
  actor: HostActor | null
  body: string
  own: OwnAccount
  agentName: string
  /** Whether it must mention the agent. */
  isMentionNeeded: boolean
}

/** Why a text is not meant for the agent, whoever may be trusted; null where it may be. */
export function ignoredReason({ actor, body, own, agentName, isMentionNeeded }: Heard): string | null {
  if (!actor) return 'nobody knows who it was'
  if (isOwn(own, actor) || hasAnyMarker(body)) return 'it is our own'
  if (actor.isBot) return `${actor.login} is a program`
  if (isMentionNeeded && !mentionsAgent(body, { own, agentName })) return 'it does not mention the agent'
  return null
}

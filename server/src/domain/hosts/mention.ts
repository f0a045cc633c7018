import type { HostSubject } from '#base/hosts/host-event.ts'

/** What somebody asks of the agent on a code host: a comment, an assignment, a label; `key` says which. */
export type Mention = { organizationId: number; repoId: number; on: HostSubject; key: string }

/** The key of a comment that asks; and that of one which was handed over with another, of the same review. */
export const commentKey = (id: string): string => `comment:${id}`
export const partKey = (id: string): string => `part:${id}`

export function subjectText({ kind, number }: HostSubject): string {
  return `${kind}:${number}`
}

export function readSubject(text: string): HostSubject {
  const [kind, number] = text.split(':')
  return { kind: kind === 'pull' ? 'pull' : 'issue', number: Number(number) }
}

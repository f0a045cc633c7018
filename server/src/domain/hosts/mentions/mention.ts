import type { HostSubject } from '#base/hosts/host-event.ts'

/** What somebody asks of the agent on a code host: a comment, an assignment, a label; `key` says which. */
export type Mention = { organizationId: number; repoId: number; on: HostSubject; key: string }

export function subjectText({ kind, number }: HostSubject): string {
  return `${kind}:${number}`
}

export function readSubject(text: string): HostSubject {
  const [kind, number] = text.split(':')
  return { kind: kind === 'pull' ? 'pull' : 'issue', number: Number(number) }
}

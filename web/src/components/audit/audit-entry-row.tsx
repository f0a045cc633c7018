import type { AuditEntry } from '@runwright/sdk'
import type { ReactElement } from 'react'
import { Time } from '#ui/time.tsx'
import { spell, wordsOfAction } from './audited-actions.ts'

/** Who asked for what, when and from where, and how it ended. */
export function AuditEntryRow({ entry, who }: { entry: AuditEntry; who: string }): ReactElement {
  const { action, at, address, named, changed, status } = entry
  const words = wordsOfAction(action)
  return (
    <li className="wrap">
      <div className="grow">
        <b>{words}</b>{' '}
        {Object.entries(named)
          .map(([name, value]) => (words.endsWith(wordOf(name)) ? textOf(value) : `${wordOf(name)} ${textOf(value)}`))
          .join(', ')}
        <div className="faint small">
          {who} · <Time at={at} /> · {address}
        </div>
        <Changes changed={changed} />
      </div>
      <span className="tag">{outcomeOf(status)}</span>
    </li>
  )
}

function Changes({ changed }: Pick<AuditEntry, 'changed'>): ReactElement | null {
  const fields = Object.entries(changed)
  if (!fields.length) return null
  return (
    <code className="small audit-changes">{fields.map(([name, value]) => `${name}: ${textOf(value)}`).join(', ')}</code>
  )
}

const wordOf = (name: string) => spell(name.replace(/_id$/, '').split('_'))
const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

function outcomeOf(status: number | null): string {
  if (status === null) return 'Unknown'
  if (status < 400) return 'Done'
  return status < 500 ? `Refused (${status})` : `Failed (${status})`
}

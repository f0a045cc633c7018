import type { WorkerToken } from '@runwright/sdk'
import type { ReactElement } from 'react'
import { Button } from '#ui/button.tsx'
import { formatAgo } from '#ui/format.ts'
import { Icon } from '#ui/icon.tsx'
import { Time } from '#ui/time.tsx'

export function WorkerTokenRow({ token, onEnd }: { token: WorkerToken; onEnd: () => void }): ReactElement {
  const { name, prefix, last4, labels, workers, last_used_at: usedAt, expires_at: expiresAt } = token
  const used = usedAt ? `last used ${formatAgo(usedAt, Date.now())}` : 'never used'
  return (
    <li className="wrap">
      <Icon name="key" />
      <div className="grow">
        <div className="strong truncate">{name}</div>
        <div className="faint small truncate">
          <code>
            {prefix}…{last4}
          </code>{' '}
          · {workers.length ? 'in use' : used} ·{' '}
          {expiresAt ? (
            <>
              expires <Time at={expiresAt} />
            </>
          ) : (
            'never expires'
          )}
        </div>
        {workers.map((worker) => (
          <div key={worker.name} className="small truncate">
            {worker.name} · {worker.runs} of {worker.slots} slots in use
            {!worker.is_fit && ' · takes no runs because its machine has a problem'}
          </div>
        ))}
      </div>
      <span className="row">
        {(labels ?? ['any labels']).map((label) => (
          <span key={label} className="tag">
            {label}
          </span>
        ))}
      </span>
      <Button look="sm danger" onClick={onEnd}>
        Revoke
      </Button>
    </li>
  )
}

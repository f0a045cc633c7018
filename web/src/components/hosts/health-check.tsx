import type { IntegrationHealthCheck } from '@runwright/sdk'
import type { ReactElement } from 'react'
import { StatusGlyph } from '#components/status-glyph.tsx'
import { LinkedText } from '#ui/linked-text.tsx'
import { PageLink } from '#ui/page-link.tsx'
import { Time } from '#ui/time.tsx'

/** One thing about the connection to a code host: how it stands, and where to fix it. */
export function HealthCheck({ check }: { check: IntegrationHealthCheck }): ReactElement {
  const { name, status, message, url, at } = check
  const isShown = url !== null && !message.includes(url)
  return (
    <li>
      <StatusGlyph size={16} {...glyphs[status]} />
      <div className="grow">
        <div className="strong">{titles[name]}</div>
        <p className={status === 'problem' ? 'failed tone small' : 'small'}>
          <LinkedText text={message} />
        </p>
        {at !== null && (
          <div className="faint small">
            Last: <Time at={at} form="ago" />
          </div>
        )}
      </div>
      {isShown && (
        <PageLink href={url}>
          {status === 'ok' ? 'Open' : 'Fix'}
          <span className="sr-only"> {titles[name]}</span>
        </PageLink>
      )}
    </li>
  )
}

const titles: Record<IntegrationHealthCheck['name'], string> = {
  credentials: 'Credentials',
  installation: 'Installation',
  permissions: 'Permissions',
  webhooks: 'Webhooks',
  deliveries: 'Deliveries',
  polls: 'Looking for events',
  jobs: 'Handling events',
  repositories: 'Repositories',
}

const glyphs = {
  ok: { status: 'completed', label: 'OK' },
  warning: { status: 'waiting_for_user', label: 'Warning' },
  problem: { status: 'failed', label: 'Problem' },
} as const

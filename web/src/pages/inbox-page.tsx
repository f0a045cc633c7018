import type { InboxItem } from '@runwright/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { startTransition, useOptimistic, type ReactElement } from 'react'
import { meQuery } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import {
  inboxQuery,
  inboxSettingsQuery,
  kinds,
  kindWords,
  pathOf,
  saveMuted,
  useMarkRead,
  type Kind,
} from '#components/inbox/inbox.ts'
import { saveNotifies, useNotifies } from '#components/inbox/use-notifies.ts'
import { PageFrame } from '#components/page-frame.tsx'
import { StatusGlyph } from '#components/status-glyph.tsx'
import { Button } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { Icon } from '#ui/icon.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Time } from '#ui/time.tsx'

export function InboxPage(): ReactElement {
  const { organizationId } = useParams({ from: '/shell/organizations/$organizationId/inbox' })
  const { data: me } = useQuery(meQuery())
  return <PageFrame title="Inbox">{me && <Inbox organizationId={organizationId} myId={me.id} />}</PageFrame>
}

type Props = { organizationId: number; myId: number }

function Inbox({ organizationId, myId }: Props): ReactElement {
  const { data, error, refetch } = useQuery(inboxQuery(organizationId))
  const items = data?.items
  const mark = useMarkRead(organizationId)
  const hasUnread = items?.some(isUnread) ?? false
  const newest = items?.[0]
  return (
    <>
      <section className="section" aria-label="Items">
        <div className="section-head">
          <div className="grow">
            <p>Your runs that need an answer, failed, or are ready to merge, and pull requests to review.</p>
          </div>
          {hasUnread && newest && (
            <Button look="sm" onClick={() => mark.mutate({ id: newest.id, and_older: true })}>
              Mark all as read
            </Button>
          )}
        </div>
        {error && <Fault error={error} onAgain={() => void refetch()} />}
        {!items && !error && <Skeleton rows={4} height={52} />}
        {items?.length === 0 && (
          <Empty icon="check" title="You’re all caught up">
            Questions, plans, failures and pull requests of your runs appear here, and requests for your review.
          </Empty>
        )}
        {items && items.length > 0 && (
          <ul className="panel list">
            {items.map((item) => (
              <Item key={item.id} item={item} onSee={() => isUnread(item) && mark.mutate({ id: item.id })} />
            ))}
          </ul>
        )}
      </section>
      <Wishes organizationId={organizationId} myId={myId} />
    </>
  )
}

const isUnread = ({ read_at: readAt }: InboxItem): boolean => readAt === null

function Item({ item, onSee }: { item: InboxItem; onSee: () => void }): ReactElement {
  const { title, subtitle } = wordsOf(item)
  return (
    <li>
      {item.run_status ? <StatusGlyph status={item.run_status} /> : <Icon name="pr" size={14} />}
      <div className="grow">
        <Link className={`truncate ${isUnread(item) ? 'strong' : 'muted'}`} to={pathOf(item)} onClick={onSee}>
          {isUnread(item) && <span className="sr-only">Unread: </span>}
          {title}
        </Link>
        <div className="faint small truncate">{subtitle}</div>
      </div>
      <Time className="faint small" at={item.created_at} form="ago" />
    </li>
  )
}

function wordsOf({ kind, run_title: title, text, pr_number: number }: InboxItem) {
  if (title === null) return { title: text, subtitle: `${kindWords[kind]} on pull request #${number}` }
  return { title, subtitle: text ? `${kindWords[kind]}: ${text}` : kindWords[kind] }
}

/** Which kinds, and whether the browser tells of them. */
function Wishes({ organizationId, myId }: Props): ReactElement {
  const { data: settings } = useQuery(inboxSettingsQuery(organizationId))
  const save = useMutation(saveMuted(organizationId, useQueryClient()))
  // What was chosen shows at once, and what is saved once that has ended; who saves tells of its failure.
  const [muted, showMuted] = useOptimistic(settings?.muted)
  const mute = (next: Kind[]) =>
    startTransition(async () => {
      showMuted(next)
      await save.mutateAsync(next).catch(() => undefined)
    })
  const [notifies, showNotifies] = useOptimistic(useNotifies(organizationId, myId))
  const setNotifies = (isOn: boolean) =>
    startTransition(async () => {
      showNotifies(isOn)
      saveNotifies(organizationId, myId, isOn && (await Notification.requestPermission()) === 'granted')
    })
  return (
    <section className="section" aria-labelledby="notify-about">
      <div className="section-head">
        <h2 id="notify-about">Notify me about</h2>
      </div>
      <div className="stack" style={{ gap: 8 }}>
        {kinds.map((kind) => (
          <label key={kind} className="check">
            <input
              type="checkbox"
              checked={muted !== undefined && !muted.includes(kind)}
              disabled={muted === undefined}
              onChange={({ target }) =>
                muted && mute(target.checked ? muted.filter((one) => one !== kind) : [...muted, kind])
              }
            />
            <span>{kindWords[kind]}</span>
          </label>
        ))}
        <label className="check">
          <input type="checkbox" checked={notifies} onChange={({ target }) => setNotifies(target.checked)} />
          <span>Show browser notifications, in this browser</span>
        </label>
      </div>
    </section>
  )
}

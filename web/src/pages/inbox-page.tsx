import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { meQuery } from '#api.ts'
import { Fault } from '#components/fault.tsx'
import { isUnread, kinds, kindWords, saveWishes, useWishes } from '#components/inbox/inbox.ts'
import { useInbox } from '#components/inbox/use-inbox.ts'
import { PageFrame } from '#components/page-frame.tsx'
import { titleOf } from '#components/run-title.tsx'
import { StatusGlyph } from '#components/status-glyph.tsx'
import { Button } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Time } from '#ui/time.tsx'

export function InboxPage(): ReactElement {
  const { organizationId } = useParams({ from: '/shell/organizations/$organizationId/inbox' })
  const { data: me } = useQuery(meQuery())
  return <PageFrame title="Inbox">{me && <Inbox organizationId={organizationId} myId={me.id} />}</PageFrame>
}

type Props = { organizationId: number; myId: number }

function Inbox({ organizationId, myId }: Props): ReactElement {
  const { items, error, refetch } = useInbox(organizationId, myId)
  const wishes = useWishes(organizationId, myId)
  const unread = items?.filter((item) => isUnread(item, wishes)).length ?? 0
  // By the clock of the server, as the times of the items are.
  const latest =
    items
      ?.map(({ at }) => at)
      .toSorted()
      .at(-1) ?? ''
  const see = (id: number, at: string) => saveWishes(organizationId, myId, { seen: { ...wishes.seen, [id]: at } })
  return (
    <>
      <section className="section" aria-label="Items">
        <div className="section-head">
          <p className="min-w-0 flex-1">Your runs that need an answer, failed, or are ready to merge.</p>
          {unread > 0 && (
            <Button look="sm" onClick={() => saveWishes(organizationId, myId, { seen: {}, seenUntil: latest })}>
              Mark all as read
            </Button>
          )}
        </div>
        {error && <Fault error={error} onAgain={() => void refetch()} />}
        {!items && !error && <Skeleton rows={4} height={52} />}
        {items?.length === 0 && (
          <Empty icon="check" title="You’re all caught up">
            Questions, plans, failures and pull requests of your runs appear here.
          </Empty>
        )}
        {items && items.length > 0 && (
          <ul className="panel list">
            {items.map((item) => (
              <li key={item.run.id}>
                <StatusGlyph status={item.run.status} />
                <div className="min-w-0 flex-1">
                  <Link
                    className={`block truncate ${isUnread(item, wishes) ? 'font-semibold' : 'text-ink-2'}`}
                    to="/runs/$organizationId/$runId"
                    params={{ organizationId, runId: item.run.id }}
                    onClick={() => see(item.run.id, item.at)}
                  >
                    {isUnread(item, wishes) && <span className="sr-only">Unread: </span>}
                    {titleOf(item.run)}
                  </Link>
                  <div className="text-ink-3 text-xs">{kindWords[item.kind]}</div>
                </div>
                <Time className="text-ink-3 text-xs" at={item.at} form="ago" />
              </li>
            ))}
          </ul>
        )}
      </section>
      <Wishes organizationId={organizationId} myId={myId} />
    </>
  )
}

/** Which kinds, and whether the browser tells of them. */
function Wishes({ organizationId, myId }: Props): ReactElement {
  const wishes = useWishes(organizationId, myId)
  const setNotifies = async (wanted: boolean) => {
    const notifies = wanted && (await Notification.requestPermission()) === 'granted'
    saveWishes(organizationId, myId, { notifies })
  }
  return (
    <section className="section" aria-labelledby="notify-about">
      <div className="section-head">
        <h2 id="notify-about">Notify me about</h2>
      </div>
      <div className="grid gap-2">
        {kinds.map((kind) => (
          <label key={kind} className="check">
            <input
              type="checkbox"
              checked={!wishes.off.includes(kind)}
              onChange={({ target }) =>
                saveWishes(organizationId, myId, {
                  off: target.checked ? wishes.off.filter((one) => one !== kind) : [...wishes.off, kind],
                })
              }
            />
            <span>{kindWords[kind]}</span>
          </label>
        ))}
        <label className="check">
          <input
            type="checkbox"
            checked={wishes.notifies}
            onChange={({ target }) => void setNotifies(target.checked)}
          />
          <span>Show browser notifications, in this browser</span>
        </label>
      </div>
    </section>
  )
}

import type { Token } from '@runwright/sdk'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState, type ReactElement } from 'react'
import { tokensQuery, usersQuery } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { MakeTokenDialog } from '#components/make-token-dialog.tsx'
import { NewTokenNotice } from '#components/new-token-notice.tsx'
import { PageFrame } from '#components/page-frame.tsx'
import { RevokeTokenDialog } from '#components/revoke-token-dialog.tsx'
import { ShowMore } from '#components/show-more.tsx'
import { Button } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { formatAgo } from '#ui/format.ts'
import { Icon } from '#ui/icon.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Time } from '#ui/time.tsx'

export function TokensPage(): ReactElement {
  const { organizationId } = useParams({ from: '/shell/organizations/$organizationId/tokens' })
  const { data, error, isPending, refetch, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    tokensQuery(organizationId),
  )
  const tokens = data?.items
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<string | null>(null)
  const [ending, setEnding] = useState<Token | null>(null)
  const make = (
    <Button look="primary" onClick={() => setMaking(true)}>
      <Icon name="plus" size={14} />
      Create a token
    </Button>
  )
  return (
    <PageFrame title="Tokens">
      <section className="section">
        <div className="section-head">
          <p className="grow">
            Tokens let programs act as you in this organization. You can also sign in to this UI with one.
          </p>
          {tokens?.length ? <div className="end">{make}</div> : null}
        </div>
        {made !== null && <NewTokenNotice token={made} />}
        {error && <Fault error={error} onAgain={() => void refetch()} />}
        {isPending && <Skeleton rows={4} height={52} />}
        {tokens?.length === 0 && (
          <Empty icon="key" title="No tokens yet" action={make}>
            Create one for each program, so that you can revoke them one by one.
          </Empty>
        )}
        {tokens && tokens.length > 0 && (
          <ul className="panel list">
            {tokens.map((token) => (
              <TokenRow key={token.id} organizationId={organizationId} token={token} onEnd={() => setEnding(token)} />
            ))}
          </ul>
        )}
        {data && (
          <ShowMore
            shown={data.items.length}
            total={data.total}
            name="tokens"
            isBusy={isFetchingNextPage}
            onMore={() => void fetchNextPage()}
          />
        )}
      </section>
      {isMaking && (
        <MakeTokenDialog organizationId={organizationId} onMade={setMade} onClose={() => setMaking(false)} />
      )}
      {ending && <RevokeTokenDialog organizationId={organizationId} token={ending} onClose={() => setEnding(null)} />}
    </PageFrame>
  )
}

function TokenRow({
  organizationId,
  token,
  onEnd,
}: {
  organizationId: number
  token: Token
  onEnd: () => void
}): ReactElement {
  const { data: users } = useQuery(usersQuery(organizationId))
  const user = users?.find(({ id }) => id === token.user_id)
  const used = token.last_used_at ? `last used ${formatAgo(token.last_used_at, Date.now())}` : 'never used'
  return (
    <li>
      <Icon name="key" />
      <div className="grow">
        <div className="strong truncate">{token.name ?? 'Unnamed token'}</div>
        <div className="faint small truncate">
          <code>
            {token.prefix}…{token.last4}
          </code>{' '}
          · {user?.full_name ?? user?.email ?? `user ${token.user_id}`} · {used}
        </div>
      </div>
      <span className="row hide-phone">
        {token.scopes.map((scope) => (
          <span key={scope} className="tag">
            {scope}
          </span>
        ))}
      </span>
      <span className="faint small hide-phone">
        {token.expires_at ? (
          <>
            Expires <Time at={token.expires_at} />
          </>
        ) : (
          'Never expires'
        )}
      </span>
      <Button look="sm danger" onClick={onEnd}>
        Revoke
      </Button>
    </li>
  )
}

import { RunwrightError, type PullRequest } from '@runwright/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, type ReactElement, type ReactNode } from 'react'
import { pullChecksQuery, pullCommentsQuery, pullDiffQuery, pullReviewsQuery } from '#base/api.ts'
import { changed } from '#base/search.ts'
import { PageLink } from '#ui/page-link.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { useKeys } from '#ui/use-keys.ts'
import { readFiles } from '#components/diff/read-files.ts'
import { Fault } from '#components/fault.tsx'
import { RepoBar } from '#components/repo-bar.tsx'
import { HostNotice } from './host-notice.tsx'
import { PullAside } from './pull-aside.tsx'
import { PullFiles } from './pull-files.tsx'
import { PullHead } from './pull-head.tsx'
import { PullTalk } from './pull-talk.tsx'

type Props = {
  pull: PullRequest
  /** Beside the bar: what is to be known of the page itself. */
  strip: ReactNode
}

export function PullView({ pull, strip }: Props): ReactElement {
  const { tab } = useSearch({ from: '/shell/organizations/$organizationId/repos/$repoId/pulls/$number' })
  const diff = useQuery(pullDiffQuery(pull))
  const comments = useQuery(pullCommentsQuery(pull))
  const others = [useQuery(pullReviewsQuery(pull)), useQuery(pullChecksQuery(pull))]
  const files = useMemo(() => readFiles(diff.data ?? ''), [diff.data])
  useEffect(() => {
    document.title = `${pull.title} · #${pull.number} · Runwright`
  }, [pull.title, pull.number])
  const shown = tab === 'files' ? diff : comments
  // What comes later would push down what is below it.
  const isLoading = shown.isPending || (tab !== 'files' && others.some(({ isPending }) => isPending))
  const faults = [comments.error, shown.error].filter((fault) => fault !== null)
  const away = faults.find(isAway) ?? null
  const error = faults.find((fault) => !isAway(fault))
  const again = () => void Promise.all([diff.refetch(), comments.refetch()])
  return (
    <main className="page" id="main">
      <PullBar pull={pull} />
      {strip}
      <div className="content pull">
        <PullHead pull={pull} files={files} />
        <PullTabs tab={tab} counts={{ comments: comments.data?.length ?? 0, files: files.length }} />
        <HostNotice pull={pull} error={away} onAgain={again} />
        {error && <Fault error={error} onAgain={again} />}
        {isLoading && !faults.length && <Skeleton rows={6} height={38} />}
        {tab !== 'files' && (!isLoading || faults.length > 0) && (
          <div className="pull-grid">
            <PullAside pull={pull} />
            <PullTalk pull={pull} comments={comments.data ?? []} />
          </div>
        )}
        {tab === 'files' && diff.data !== undefined && (
          <PullFiles pull={pull} files={files} comments={comments.data ?? []} />
        )}
      </div>
    </main>
  )
}

const isAway = (fault: Error) => fault instanceof RunwrightError && fault.code === 'unavailable'

function PullBar({ pull }: { pull: PullRequest }): ReactElement {
  const { organization_id: organizationId, repo_id: repoId } = pull
  return (
    <RepoBar
      of={pull}
      others={(name) => (
        <Link className="truncate" to="/runs/$organizationId" params={{ organizationId }} search={{ repo: repoId }}>
          {name}
        </Link>
      )}
      beside={({ host }) => host !== 'local' && <PageLink href={pull.url}>Open on GitHub</PageLink>}
    />
  )
}

type TabsProps = { tab: 'files' | undefined; counts: { comments: number; files: number } }

function PullTabs({ tab, counts }: TabsProps): ReactElement {
  const navigate = useNavigate({ from: '/organizations/$organizationId/repos/$repoId/pulls/$number' })
  const go = (name: 'files' | undefined) =>
    void navigate({ search: (before) => changed(before, { tab: name }), replace: true })
  useKeys({ v: () => go(tab ? undefined : 'files') })
  const tabs = [
    { name: undefined, word: 'Conversation', count: counts.comments },
    { name: 'files', word: 'Files', count: counts.files },
  ] as const
  return (
    <div className="tabs" role="tablist" aria-label="Views of this pull request">
      {tabs.map(({ name, word, count }) => (
        <button key={word} role="tab" type="button" aria-selected={tab === name} onClick={() => go(name)}>
          {word}
          {count ? <span className="count">{count}</span> : null}
        </button>
      ))}
    </div>
  )
}

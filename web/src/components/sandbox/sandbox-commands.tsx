import type { Sandbox, SandboxCommand } from '@runwright/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { Fault } from '#components/fault.tsx'
import { ExitMark } from '#components/repo/exit-mark.tsx'
import { ShowMore } from '#components/show-more.tsx'
import { formatBytes, formatDuration } from '#ui/format.ts'
import { Icon } from '#ui/icon.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Terminal } from '#ui/terminal.tsx'
import { plainCommand } from './plain-command.ts'
import { commandsQuery } from './queries.ts'

export function SandboxCommands({ sandbox }: { sandbox: Sandbox }): ReactElement {
  const ids = { organizationId: sandbox.organization_id, sandboxId: sandbox.id }
  const { data, error, isPending, refetch, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    commandsQuery(ids, sandbox.status === 'running'),
  )
  const commands = data?.pages.flatMap(({ items }) => items) ?? []
  const total = data?.pages.at(-1)?.total ?? 0
  return (
    <section className="panel" aria-label="Commands">
      <header>
        <h3>Commands</h3>
        <span className="faint small">{total}</span>
      </header>
      {error && <Fault error={error} onAgain={() => void refetch()} />}
      {isPending && <Skeleton rows={4} height={37} />}
      {data && commands.length === 0 && <p className="setup-note muted">No command has finished yet.</p>}
      {commands.map((command) => (
        <CommandRow key={command.n} command={command} />
      ))}
      {data && (
        <ShowMore
          shown={commands.length}
          total={total}
          name="commands"
          isBusy={isFetchingNextPage}
          onMore={() => void fetchNextPage()}
        />
      )}
    </section>
  )
}

function CommandRow({ command }: { command: SandboxCommand }): ReactElement {
  const { exit_code: exit, reason, duration_ms: ms, output, cut_bytes: cut } = command
  const line = plainCommand(command.command)
  return (
    <details className="step setup-step">
      <summary>
        <Icon name="chev" size={12} className="fold" />
        <code className="mono grow truncate">{line}</code>
        <ExitMark exit={exit} reason={reason} />
        <span className="num faint small">{formatDuration(ms)}</span>
      </summary>
      <div>
        {line.length > 80 && <Terminal text={line} label="The whole command" />}
        {cut > 0 && <p className="faint small">The first {formatBytes(cut)} are not kept.</p>}
        {output ? <Terminal text={output} label={`Output of ${line}`} /> : <p className="faint">No output.</p>}
      </div>
    </details>
  )
}

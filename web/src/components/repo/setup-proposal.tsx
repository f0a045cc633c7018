import type { SetupProposal } from '@runwright/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactElement } from 'react'
import { client, reposQuery, type RepoIds } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { Button } from '#ui/button.tsx'
import { formatAgo } from '#ui/format.ts'
import { toast } from '#ui/toasts.tsx'
import { Evidence } from './evidence.tsx'

type Props = { ids: RepoIds; proposal: SetupProposal; accepted: string; canManage: boolean | undefined }

const stateWords = { proposed: 'Proposed', accepted: 'Accepted', superseded: 'Replaced' }

/** What a run has found, what it tried, and what that printed. */
export function SetupProposalCard({ ids, proposal, accepted, canManage }: Props): ReactElement {
  const { n, state, agent_run_id: runId, commands, test_command: test, evidence, notes } = proposal
  const isOpen = state === 'proposed'
  const files = Object.keys(proposal.lockfiles)
  return (
    <article className={`panel setup-proposal ${isOpen ? 'is-open' : ''}`} aria-label={`Proposal ${n}`}>
      <header>
        <span className={`tag ${isOpen ? 'tone in_progress' : ''}`}>{stateWords[state]}</span>
        <h3 className="grow truncate">
          {commands.length} {commands.length === 1 ? 'command' : 'commands'}
          {test !== null && ' and a test'}
        </h3>
        <span className="faint small">
          <Link className="link" to="/runs/$organizationId/$runId" params={{ ...ids, runId }}>
            run #{runId}
          </Link>
          , {formatAgo(proposal.created_at, Date.now())}
        </span>
      </header>
      {isOpen && <Comparison before={accepted} after={commands} />}
      {proposal.outdated_at && (
        <p className="setup-note muted small">
          Outdated: {files.length ? files.join(', ') : 'the files it depends on'} changed after it was found.
        </p>
      )}
      {notes && <p className="setup-note muted">{notes}</p>}
      {evidence.map((one, at) => (
        <Evidence key={at} evidence={one} />
      ))}
      {isOpen && <Accept ids={ids} proposal={proposal} canManage={canManage} />}
    </article>
  )
}

/** What accepting it would change. */
function Comparison({ before, after }: { before: string; after: string[] }): ReactElement {
  const old = before.split('\n').filter((line) => line.trim())
  const rows = [
    ...old.filter((line) => !after.includes(line)).map((line) => ['del', '−', line] as const),
    ...after.map((line) => (old.includes(line) ? (['', '', line] as const) : (['add', '+', line] as const))),
  ]
  return (
    <div className="diff" tabIndex={0} role="group" aria-label="Proposed setup commands">
      <table>
        <tbody>
          {rows.map(([look, sign, line], at) => (
            <tr key={at} className={look || undefined}>
              <td className="sg">{sign}</td>
              <td className="tx">{line}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Accept({ ids, proposal, canManage }: Omit<Props, 'accepted'>): ReactElement {
  const [addsCheck, setAddsCheck] = useState(true)
  const queries = useQueryClient()
  const accept = useMutation({
    mutationFn: () =>
      client.repositories.acceptSetupProposal({
        org_id: ids.organizationId,
        repo_id: ids.repoId,
        n: proposal.n,
        ...(proposal.test_command === null ? {} : { add_check: addsCheck }),
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: reposQuery(ids.organizationId).queryKey })
      toast('Setup commands accepted')
    },
  })
  return (
    <>
      {accept.error && <Fault error={accept.error} />}
      <footer className="wrap">
        <span className="faint small grow">
          {canManage === false
            ? 'A manager can accept these. Until then, runs use the commands above.'
            : 'Until you accept, runs use the commands above.'}
        </span>
        {canManage && proposal.test_command !== null && (
          <label className="check">
            <input type="checkbox" checked={addsCheck} onChange={({ target }) => setAddsCheck(target.checked)} />
            <span>
              Also add <code className="mono">{proposal.test_command}</code> as a check
            </span>
          </label>
        )}
        {canManage && (
          <Button look="primary" isBusy={accept.isPending} onClick={() => accept.mutate()}>
            Accept
          </Button>
        )}
      </footer>
    </>
  )
}

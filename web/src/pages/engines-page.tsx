import type { Engine } from '@runwright/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { client, enginesQuery, roleQuery } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { PageFrame } from '#components/page-frame.tsx'
import { Button } from '#ui/button.tsx'
import { Skeleton } from '#ui/skeleton.tsx'

/** How often a page looks that waits for an install. */
const lookMs = 3_000

/** What may drive runs, and what of it is installed where. */
export function EnginesPage(): ReactElement {
  const { organizationId } = useParams({ from: '/shell/organizations/$organizationId/engines' })
  const { data, error, isPending, refetch } = useQuery({
    ...enginesQuery(organizationId),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.some(isInstalling) ? lookMs : false),
  })
  const { data: role } = useQuery(roleQuery(organizationId))
  return (
    <PageFrame title="Engines">
      <section className="section">
        <div className="section-head">
          <p className="grow">
            An engine drives the agent of a run. Some are programs that are installed on each machine.
          </p>
        </div>
        {error && <Fault error={error} onAgain={() => void refetch()} />}
        {isPending && <Skeleton rows={6} height={52} />}
        {data && (
          <ul className="panel list">
            {data.map((engine) => (
              <EngineRow key={engine.name} organizationId={organizationId} engine={engine} isAdmin={role === 'ADMIN'} />
            ))}
          </ul>
        )}
      </section>
    </PageFrame>
  )
}

const isInstalling = (engine: Engine) => engine.package?.machines.some(({ state }) => state === 'installing') ?? false

type RowProps = { organizationId: number; engine: Engine; isAdmin: boolean }

function EngineRow({ organizationId, engine, isAdmin }: RowProps): ReactElement {
  const queries = useQueryClient()
  const install = useMutation({
    mutationFn: () => client.engines.installEngine({ org_id: organizationId, engine: engine.name }),
    onSuccess: () => queries.invalidateQueries({ queryKey: enginesQuery(organizationId).queryKey }),
  })
  const { name, title, available, reason, package: installable } = engine
  const mayInstall = isAdmin && installable?.may_install
  // What the button beside it does need not be said.
  const isForButton = mayInstall && installable.machines.every(({ state }) => state === 'missing')
  const isBusy = install.isPending || isInstalling(engine)
  return (
    <li className="wrap">
      <div className="grow">
        <div className="strong">
          {title}
          {title !== name && <code className="faint small"> {name}</code>}
          {available && <span className="tag">available</span>}
        </div>
        {reason !== null && !isForButton && <div className="faint small">{reason}</div>}
        {installable?.machines.map((machine) => (
          <Machine key={machine.machine} machine={machine} newest={installable.newest} />
        ))}
        {install.error && <Fault error={install.error} />}
      </div>
      {mayInstall && (
        <Button look="sm" disabled={isBusy} onClick={() => install.mutate()}>
          {isBusy ? 'Installing …' : wordOf(installable)}
        </Button>
      )}
    </li>
  )
}

type Installable = NonNullable<Engine['package']>

function wordOf({ machines }: Installable): string {
  if (machines.every(({ state }) => state === 'newest')) return machines.length ? 'Install again' : 'Install'
  return machines.some(({ state }) => state === 'outdated') ? 'Update' : 'Install'
}

function Machine({ machine, newest }: { machine: Installable['machines'][number]; newest: string }): ReactElement {
  const { machine: name, version, state, problem } = machine
  const texts = {
    missing: 'not installed',
    installing: 'being installed',
    outdated: `${version}; the newest is ${newest}`,
    newest: version,
  }
  return (
    <div className="small" role="status">
      {name}: {texts[state]}
      {problem !== null && <div className="small">{problem}</div>}
    </div>
  )
}

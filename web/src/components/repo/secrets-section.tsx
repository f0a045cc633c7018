import type { Repository, Secret } from '@runwright/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import type { RepoIds } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { Button } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { formatAgo } from '#ui/format.ts'
import { Icon } from '#ui/icon.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { secretsQuery, useSaveRepo } from './queries.ts'
import { RemoveSecretDialog } from './remove-secret-dialog.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { Section } from './section.tsx'

type Props = { ids: RepoIds; repo: Repository; canManage: boolean | undefined }
type Asked = { name: string | null; isRemoval: boolean }

export function SecretsSection({ ids, repo, canManage }: Props): ReactElement {
  const { data, error, isPending, refetch } = useQuery({ ...secretsQuery(ids), enabled: canManage === true })
  const [asked, setAsked] = useState<Asked | null>(null)
  const save = useSaveRepo(ids)
  const add = canManage && (
    <Button onClick={() => setAsked({ name: null, isRemoval: false })}>
      <Icon name="plus" size={14} />
      Add a secret
    </Button>
  )
  const names = repo.environment_secrets
  const give = (name: string, isGiven: boolean) =>
    save.mutate({ environment_secrets: isGiven ? [...names, name] : names.filter((one) => one !== name) })
  const own = data?.own ?? []
  const inherited = (data?.inherited ?? []).filter(({ name }) => !own.some((one) => one.name === name))
  return (
    <Section
      id="secrets"
      title="Secrets"
      about="Commands read them as environment variables. Values can't be read back, and are removed from everything a run prints."
      action={own.length > 0 && add}
    >
      {canManage === false && (
        <Empty icon="key" title="Only managers can see secrets">
          Runs that you start can still use them.
        </Empty>
      )}
      {error && <Fault error={error} onAgain={() => void refetch()} />}
      {save.error && <Fault error={save.error} />}
      {canManage && isPending && <Skeleton rows={3} height={52} />}
      {data && own.length + inherited.length === 0 && (
        <Empty icon="key" title="No secrets yet" action={add}>
          Add a token or password that setup, checks or the agent's commands need.
        </Empty>
      )}
      {data && own.length + inherited.length > 0 && (
        <ul className="panel list">
          {[...own, ...inherited].map((secret) => (
            <SecretRow
              key={secret.name}
              secret={secret}
              isOwn={own.includes(secret)}
              isGiven={names.includes(secret.name)}
              isBusy={save.isPending}
              onGive={(isGiven) => give(secret.name, isGiven)}
              onAsk={(isRemoval) => setAsked({ name: secret.name, isRemoval })}
            />
          ))}
        </ul>
      )}
      {data && own.length === 0 && inherited.length > 0 && <div className="settings-status">{add}</div>}
      {asked &&
        (asked.isRemoval ? (
          <RemoveSecretDialog ids={ids} name={asked.name ?? ''} onClose={() => setAsked(null)} />
        ) : (
          <SecretDialog ids={ids} name={asked.name} onClose={() => setAsked(null)} />
        ))}
    </Section>
  )
}

type RowProps = {
  secret: Secret
  /** Else it is the organization's. */
  isOwn: boolean
  isGiven: boolean
  isBusy: boolean
  onGive: (isGiven: boolean) => void
  onAsk: (isRemoval: boolean) => void
}

function SecretRow({ secret, isOwn, isGiven, isBusy, onGive, onAsk }: RowProps): ReactElement {
  const { name, updated_at: at } = secret
  return (
    <li className="wrap">
      <Icon name="key" />
      <span className="grow">
        <code className="mono strong">{name}</code>
        {!isOwn && <span className="tag">Organization</span>}
        <span className="faint small secret-note">Set {formatAgo(at, Date.now())}</span>
      </span>
      <label className="check small">
        <input
          type="checkbox"
          role="switch"
          className="switch"
          checked={isGiven}
          disabled={isBusy}
          onChange={({ target }) => onGive(target.checked)}
        />
        <span>
          For every command<span className="sr-only">: {name}</span>
        </span>
      </label>
      {isOwn && (
        <>
          <Button look="ghost sm" onClick={() => onAsk(false)}>
            Replace<span className="sr-only"> {name}</span>
          </Button>
          <Button look="ghost sm" onClick={() => onAsk(true)}>
            Remove<span className="sr-only"> {name}</span>
          </Button>
        </>
      )}
    </li>
  )
}

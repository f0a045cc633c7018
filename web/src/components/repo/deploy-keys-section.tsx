import type { DeployKey, Repository } from '@runwright/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { usersQuery, type RepoIds } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { Button } from '#ui/button.tsx'
import { copyText } from '#ui/copy-text.ts'
import { Empty } from '#ui/empty.tsx'
import { formatAgo } from '#ui/format.ts'
import { Icon } from '#ui/icon.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { AddDeployKeyDialog } from './add-deploy-key-dialog.tsx'
import { deployKeysQuery } from './queries.ts'
import { RemoveDeployKeyDialog } from './remove-deploy-key-dialog.tsx'
import { Section } from './section.tsx'

type Props = { ids: RepoIds; repo: Repository; canManage: boolean | undefined }

/** The SSH keys that open this repository, and how to clone it with one. */
export function DeployKeysSection({ ids, repo, canManage }: Props): ReactElement {
  const { data, error, isPending, refetch } = useQuery(deployKeysQuery(ids))
  const [isAdding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<DeployKey | null>(null)
  const isLocal = repo.host === 'local'
  const keys = data?.items ?? []
  const add = canManage && isLocal && (
    <Button onClick={() => setAdding(true)}>
      <Icon name="plus" size={14} />
      Add a deploy key
    </Button>
  )
  return (
    <Section
      id="deploy-keys"
      title="Deploy keys"
      about="An SSH key lets a server or a CI job clone this repository, and no other. It doesn't belong to a person."
      action={keys.length > 0 && add}
    >
      {isLocal && <CloneCommand url={repo.ssh_url} />}
      {error && <Fault error={error} onAgain={() => void refetch()} />}
      {isPending && <Skeleton rows={2} height={52} />}
      {data && keys.length === 0 && (
        <Empty icon="key" title="No deploy keys" action={add}>
          {isLocal
            ? 'Make a key on the machine that needs it, and add its public half here.'
            : 'Add deploy keys of this repository on its code host.'}
        </Empty>
      )}
      {keys.length > 0 && (
        <ul className="panel list">
          {keys.map((key) => (
            <KeyRow key={key.id} ids={ids} deployKey={key} onRemove={canManage ? () => setRemoving(key) : undefined} />
          ))}
        </ul>
      )}
      {isAdding && <AddDeployKeyDialog ids={ids} onClose={() => setAdding(false)} />}
      {removing && <RemoveDeployKeyDialog ids={ids} deployKey={removing} onClose={() => setRemoving(null)} />}
    </Section>
  )
}

function CloneCommand({ url }: { url: string | null }): ReactElement {
  if (url === null)
    return <p className="faint small">SSH is turned off on this service. An operator can set RUNWRIGHT_SSH_PORT.</p>
  const command = `git clone ${url}`
  return (
    <ul className="panel list clone-command">
      <li>
        <code className="mono grow truncate">{command}</code>
        <Button look="sm" onClick={() => void copyText(command, 'Command copied')}>
          <Icon name="copy" size={12} />
          Copy
        </Button>
      </li>
    </ul>
  )
}

type RowProps = { ids: RepoIds; deployKey: DeployKey; onRemove: (() => void) | undefined }

function KeyRow({ ids, deployKey, onRemove }: RowProps): ReactElement {
  const { data: users } = useQuery(usersQuery(ids.organizationId))
  const user = users?.find(({ id }) => id === deployKey.created_by)
  const { title, fingerprint, last_used_at: usedAt, can_push: canPush } = deployKey
  const used = usedAt ? `last used ${formatAgo(usedAt, Date.now())}` : 'never used'
  return (
    <li className="wrap">
      <Icon name="key" />
      <div className="grow deploy-key">
        <div className="strong truncate">{title}</div>
        <div className="faint small">
          <code className="mono">{fingerprint}</code>
        </div>
        <div className="faint small truncate">
          {user?.full_name ?? user?.email ?? `user ${deployKey.created_by}`} · {used}
        </div>
      </div>
      <span className="tag">{canPush ? 'Read and push' : 'Read only'}</span>
      {onRemove && (
        <Button look="sm danger" onClick={onRemove}>
          Remove
        </Button>
      )}
    </li>
  )
}

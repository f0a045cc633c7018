import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { client, integrationsQuery } from '#api.ts'
import { Fault } from '#components/fault.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { TextField } from '#ui/text-field.tsx'
import { postForm } from './post-form.ts'

type Way = 'app' | 'token'
type Props = {
  organizationId: number
  /** The GitHub Enterprise that this document may post forms to. */
  github: string
  onClose: () => void
}

const pagePath = (organizationId: number) => `/organizations/${organizationId}/repos`

/** By an App that GitHub makes of a form, or by somebody's token. */
export function ConnectGitHubDialog({ organizationId, github, onClose }: Props): ReactElement {
  const [way, setWay] = useState<Way>('app')
  const [address, setAddress] = useState(github)
  const [account, setAccount] = useState('')
  const [token, setToken] = useState('')
  const baseUrl = address.trim()
  const connect = useConnectToken(organizationId, { baseUrl, token: token.trim(), onDone: onClose })
  // A document posts only to where its policy lets it: another GitHub's needs the page anew, once the form is begun.
  const isElsewhere = baseUrl !== '' && baseUrl !== github
  const make = useMakeApp(organizationId, { baseUrl, account: account.trim(), isElsewhere })
  const fault = way === 'app' ? make.error : connect.error
  return (
    <Dialog
      title="Connect GitHub"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Not now</Button>
          {way === 'app' ? (
            <Button look="primary" isBusy={make.isPending} onClick={() => make.mutate()}>
              {isElsewhere ? 'Use this address' : 'Make the App at GitHub'}
            </Button>
          ) : (
            <Button look="primary" disabled={!token.trim()} isBusy={connect.isPending} onClick={() => connect.mutate()}>
              Connect
            </Button>
          )}
        </>
      }
    >
      <div className="grid grid-cols-1 gap-3">
        <Ways way={way} onChoose={setWay} />
        {way === 'app' ? (
          <TextField
            label="Organization at GitHub"
            hint="The one that is to own the App; left empty, it is yours."
            value={account}
            onChange={setAccount}
          />
        ) : (
          <TextField
            label="Token"
            hint="It is kept encrypted, and no agent sees it."
            value={token}
            isSecret
            onChange={setToken}
          />
        )}
        <TextField
          label="GitHub Enterprise"
          hint="The address of its API, as https://github.example.com/api/v3; left empty, it is github.com."
          value={address}
          onChange={setAddress}
        />
        {fault && <Fault error={fault} />}
      </div>
    </Dialog>
  )
}

function Ways({ way, onChoose }: { way: Way; onChoose: (way: Way) => void }): ReactElement {
  return (
    <fieldset className="field choice">
      <legend className="label">How</legend>
      <label className="check">
        <input type="radio" name="way" checked={way === 'app'} onChange={() => onChoose('app')} />
        <span>As a GitHub App of your own: agents act as themselves, and GitHub tells what happens</span>
      </label>
      <label className="check">
        <input type="radio" name="way" checked={way === 'token'} onChange={() => onChoose('token')} />
        <span>By a personal access token: agents act as whoever made it</span>
      </label>
    </fieldset>
  )
}

type MakeApp = { baseUrl: string; account: string; isElsewhere: boolean }

/** GitHub leads back to the page that the form is posted from. */
function useMakeApp(organizationId: number, { baseUrl, account, isElsewhere }: MakeApp) {
  return useMutation({
    mutationFn: () =>
      client.integrations.createAppForm(organizationId, {
        return_url: location.origin + pagePath(organizationId),
        ...(baseUrl && { base_url: baseUrl }),
        ...(account && { account }),
      }),
    onSuccess: ({ url, manifest }) =>
      isElsewhere
        ? location.assign(`${pagePath(organizationId)}?${new URLSearchParams({ github: baseUrl })}`)
        : postForm(url, { manifest }),
  })
}

type ByToken = { baseUrl: string; token: string; onDone: () => void }

function useConnectToken(organizationId: number, { baseUrl, token, onDone }: ByToken) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () =>
      client.integrations.create(organizationId, { type: 'github', token, ...(baseUrl && { base_url: baseUrl }) }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: integrationsQuery(organizationId).queryKey })
      onDone()
    },
  })
}

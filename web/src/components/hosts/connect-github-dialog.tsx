import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { client, integrationsQuery } from '#base/api.ts'
import { FormDialog } from '#components/form-dialog.tsx'
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

/** Through a GitHub App that is created from a form, or with a personal access token. */
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
  const mutation = way === 'app' ? make : connect
  return (
    <FormDialog
      title="Connect GitHub"
      action={way === 'token' ? 'Connect' : isElsewhere ? 'Use this server' : 'Create GitHub App'}
      isReady={way === 'app' || token.trim() !== ''}
      mutation={mutation}
      onSubmit={mutation.mutate}
      onClose={onClose}
    >
      <Ways way={way} onChoose={setWay} />
      {way === 'app' ? (
        <TextField
          label="GitHub organization"
          hint="The owner of the App. Leave empty to own it yourself."
          value={account}
          onChange={setAccount}
        />
      ) : (
        <TextField
          label="Token"
          hint="Stored encrypted. Agents never see it."
          value={token}
          isSecret
          onChange={setToken}
        />
      )}
      <TextField
        label="GitHub Enterprise Server"
        hint="API URL, for example https://github.example.com/api/v3. Leave empty for github.com."
        value={address}
        onChange={setAddress}
      />
    </FormDialog>
  )
}

function Ways({ way, onChoose }: { way: Way; onChoose: (way: Way) => void }): ReactElement {
  return (
    <fieldset className="field choice">
      <legend className="label">Connect with</legend>
      <label className="check">
        <input type="radio" name="way" checked={way === 'app'} onChange={() => onChoose('app')} />
        <span>A GitHub App (recommended): agents act as the App, and GitHub sends webhooks</span>
      </label>
      <label className="check">
        <input type="radio" name="way" checked={way === 'token'} onChange={() => onChoose('token')} />
        <span>A personal access token: agents act as its owner</span>
      </label>
    </fieldset>
  )
}

type MakeApp = { baseUrl: string; account: string; isElsewhere: boolean }

/** GitHub redirects to the page that posted the form. */
function useMakeApp(organizationId: number, { baseUrl, account, isElsewhere }: MakeApp) {
  return useMutation({
    mutationFn: () =>
      client.organizations.createAppForm({
        org_id: organizationId,
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
      client.organizations.createIntegration({
        org_id: organizationId,
        type: 'github',
        token,
        ...(baseUrl && { base_url: baseUrl }),
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: integrationsQuery(organizationId).queryKey })
      onDone()
    },
  })
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, type FormEvent, type ReactElement } from 'react'
import { client, signInWaysQuery } from '#base/api.ts'
import { SignInArt } from '#components/sign-in/sign-in-art.tsx'
import { ProviderLink, SignInFault } from '#components/sign-in/sign-in-ways.tsx'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Logo } from '#ui/logo.tsx'
import { switchTheme } from '#ui/theme.ts'

export function SignInPage(): ReactElement {
  const { next, fault } = useSearch({ from: '/sign-in' })
  const { data: ways, isPending } = useQuery(signInWaysQuery())
  const navigate = useNavigate()
  const queries = useQueryClient()
  const signIn = useMutation({
    mutationFn: (token: string) => client.sessions.createSession({ token }),
    onSuccess: async () => {
      queries.clear()
      await navigate({ href: isOurs(next) ? next : '/', replace: true })
    },
  })
  useEffect(() => {
    document.title = 'Sign in · Runwright'
  }, [])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const token = new FormData(event.currentTarget).get('token')
    if (typeof token === 'string' && token.trim()) signIn.mutate(token.trim())
  }
  return (
    <div className="sign">
      <main id="main">
        <div className="brand">
          <Logo />
          Runwright
        </div>
        <div className="sign-in">
          {/* Nothing moves once it is there. */}
          {!isPending && (
            <>
              <div>
                <h1>Sign in</h1>
                <p className="muted">
                  {ways?.oidc ? 'Use your account, or paste an access token.' : 'Paste an access token.'} The first
                  token is printed when the server starts for the first time.
                </p>
              </div>
              {fault !== undefined && <SignInFault word={fault} />}
              {ways?.oidc && <ProviderLink provider={ways.oidc} next={next} />}
              <form className="stack" style={{ gap: 14 }} onSubmit={submit}>
                <TokenField error={signIn.error} />
                <Button type="submit" look={ways?.oidc ? 'wide' : 'primary wide'} isBusy={signIn.isPending}>
                  {ways?.oidc ? 'Sign in with a token' : 'Sign in'}
                </Button>
              </form>
            </>
          )}
        </div>
        <div className="row">
          <Button look="ghost sm square end" onClick={switchTheme} aria-label="Change theme">
            <Icon name="moon" size={14} />
          </Button>
        </div>
      </main>
      <aside aria-hidden="true">
        <SignInArt />
      </aside>
    </div>
  )
}

function TokenField({ error }: { error: Error | null }): ReactElement {
  return (
    <div className="field">
      <label className="label" htmlFor="token">
        Token
      </label>
      <input
        className="input code"
        id="token"
        name="token"
        type="password"
        placeholder="rw_…"
        autoComplete="current-password"
        spellCheck={false}
        autoFocus
        aria-invalid={error !== null}
        aria-describedby="token-hint"
      />
      {error && (
        <p className="error" role="alert">
          <Icon name="error" size={14} />
          {error.message}
        </p>
      )}
      <p className="hint" id="token-hint">
        Find it in the terminal where the server runs, or ask your administrator.
      </p>
    </div>
  )
}

/** Links to other sites are never followed. */
function isOurs(next: string | undefined): next is string {
  return next !== undefined && /^\/(?![/\\])/.test(next)
}

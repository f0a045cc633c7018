import type { ReactElement } from 'react'
import { Icon } from '#ui/icon.tsx'

/** Why a sign-in at the provider came to nothing, by the word that the service sends back. */
const faults: Record<string, string> = {
  unavailable: 'The identity provider cannot be reached. Try again in a moment, or sign in with a token.',
  denied: 'The identity provider says that you did not want to sign in.',
  refused: 'What the identity provider answered does not hold. Try again.',
  expired: 'This sign-in was begun too long ago, or in another browser. Try again.',
  email_unverified: 'The identity provider does not vouch for your e-mail address. Verify it there first.',
  domain_not_allowed: 'E-mail addresses of this domain are not let in here.',
  no_account: 'There is no account for you here yet. Ask an admin of your organization to invite your e-mail address.',
  account_bound: 'Somebody else has signed in with this e-mail address before. Ask whoever looks after the service.',
  too_many: 'There were too many sign-ins from your network. Try again in a minute.',
}

export function SignInFault({ word }: { word: string }): ReactElement {
  return (
    <div className="field">
      <p className="error" role="alert">
        <Icon name="error" size={14} />
        {Object.hasOwn(faults, word) ? faults[word] : 'Signing in has failed. Try again.'}
      </p>
    </div>
  )
}

type ProviderLinkProps = { provider: { name: string; url: string }; next: string | undefined }

/** A whole page is left for it, so it is a link. */
export function ProviderLink({ provider, next }: ProviderLinkProps): ReactElement {
  return (
    <a
      className="btn primary wide"
      href={next === undefined ? provider.url : `${provider.url}?next=${encodeURIComponent(next)}`}
    >
      Sign in with {provider.name}
    </a>
  )
}

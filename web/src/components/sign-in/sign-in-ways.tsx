import type { ReactElement } from 'react'
import { Icon } from '#ui/icon.tsx'

/** Why signing in at the provider failed, by the word that the service sends back. */
const faults: Record<string, string> = {
  unavailable: 'Can’t reach the identity provider. Try again in a moment, or sign in with a token.',
  denied: 'Sign-in was cancelled at the identity provider.',
  refused: 'The identity provider sent an invalid response. Try again.',
  expired: 'This sign-in expired or was started in another browser. Try again.',
  email_unverified: 'Your email address is not verified at the identity provider. Verify it there first.',
  domain_not_allowed: 'Email addresses from this domain can’t sign in here.',
  no_account: 'You don’t have an account here yet. Ask an admin of your organization to invite your email address.',
  account_bound: 'This email address belongs to another sign-in. Contact the operator of this server.',
  too_many: 'Too many sign-ins from your network. Try again in a minute.',
}

export function SignInFault({ word }: { word: string }): ReactElement {
  return (
    <div className="field">
      <p className="error" role="alert">
        <Icon name="error" size={14} />
        {Object.hasOwn(faults, word) ? faults[word] : 'Sign-in failed. Try again.'}
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

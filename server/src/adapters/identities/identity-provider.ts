/** Who somebody is, as a provider vouches for. */
export type Identity = {
  issuer: string
  /** Names the person at the issuer for good. */
  subject: string
  email: string | null
  isEmailVerified: boolean
  fullName: string | null
}

/** What an answer must fit. Kept by the browser that it was begun in, where nobody can read or change it. */
export type SignInAttempt = { state: string; nonce: string; verifier: string }

/** `denied`: the person, or the provider, did not want to. `refused`: what came back does not hold. */
export type IdentityFaultKind = 'unavailable' | 'denied' | 'refused'

/** Why nobody was vouched for. Its message holds nothing secret. */
export class IdentityFault extends Error {
  override readonly name = 'IdentityFault'
  readonly kind: IdentityFaultKind

  constructor(kind: IdentityFaultKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** Vouches for people: they are sent there, and come back with what shows who they are. */
export type IdentityProvider = {
  /** What people know it by. */
  name: string
  /** Where a browser is sent to. Throws an `IdentityFault`. */
  begin: (redirectUrl: string) => Promise<{ url: string; attempt: SignInAttempt }>
  /** Whom the address vouches for that the browser came back to. Throws an `IdentityFault`. */
  finish: (returnUrl: URL, attempt: SignInAttempt) => Promise<Identity>
}

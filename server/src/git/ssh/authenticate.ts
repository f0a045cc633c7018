import type { AuthContext, Connection, PublicKeyAuthContext } from 'ssh2'
import ssh2 from 'ssh2'
import { fingerprintOf } from '#base/ssh/read-public-key.ts'
import { sshLimits } from './limits.ts'

export type Authenticate = {
  isDeployKey: (fingerprint: string) => Promise<boolean>
  /** Called before the client hears that it is let in. */
  onSignedIn: (fingerprint: string) => void
  onError: (error: unknown) => void
}

/**
 * Lets in who has the private key of a deploy key and calls itself `git`. Whatever else is wrong, the answer is the same, and
 * the same was looked up for it. What the key opens is asked for each command.
 */
export function authenticate(client: Connection, { isDeployKey, onSignedIn, onError }: Authenticate): void {
  let [requests, wrong] = [0, 0]
  const refuse = (context: AuthContext) => {
    if (++wrong > sshLimits.wrongKeysMax) client.end()
    else context.reject(['publickey'])
  }
  client.on('authentication', (context) => {
    if (++requests > sshLimits.signInRequestsMax) return void client.end()
    // With this clients ask which methods there are.
    if (context.method === 'none') return context.reject(['publickey'])
    if (context.method !== 'publickey') return refuse(context)
    const fingerprint = fingerprintOf(context.key.data)
    isDeployKey(fingerprint)
      .then((isKnown) => {
        if (!isKnown || context.username !== 'git' || !isProof(context)) return refuse(context)
        if (context.signature) onSignedIn(fingerprint)
        context.accept()
      })
      .catch((error: unknown) => {
        onError(error)
        client.end()
      })
  })
}

/** Whether the client has signed with the key, or only asks whether it should. */
function isProof({ key, signature, blob, hashAlgo }: PublicKeyAuthContext): boolean {
  // Without one an RSA key signs with SHA-1.
  if (key.algo === 'ssh-rsa' && hashAlgo === undefined) return false
  const parsed = ssh2.utils.parseKey(key.data)
  if (parsed instanceof Error || parsed.type !== key.algo) return false
  if (!signature) return true
  // It answers an error, where its type says that there is none, for what is no signature at all.
  const verdict: unknown = blob && parsed.verify(blob, signature, hashAlgo)
  return verdict === true
}

import { TokenBucket } from '#base/concurrency/token-bucket.ts'
import { networkOf } from '#base/network/network-of.ts'
import { sshLimits } from './limits.ts'

/** One connection that was let in. A stranger until it has shown a key. */
export type Admission = { isStranger: boolean; signedIn(): void; leave(): void }

/** Lets connections in while there are not too many: in all, of strangers, and from one address. */
export class AdmissionDesk {
  readonly #open = new Map<string, { all: number; strangers: number }>()
  readonly #paces = new Map<string, TokenBucket>()
  #all = 0
  #strangers = 0

  /** Undefined: not now. */
  enter(address: string): Admission | undefined {
    const network = networkOf(address)
    const here = this.#open.get(network) ?? { all: 0, strangers: 0 }
    const { connectionsMax, strangersMax, addressMax, strangersOfAddressMax } = sshLimits
    if (this.#all >= connectionsMax || here.all >= addressMax) return undefined
    if (this.#strangers >= strangersMax || here.strangers >= strangersOfAddressMax) return undefined
    if (this.#paceOf(network).take(1) > 0) return undefined
    this.#open.set(network, here)
    this.#count(here, 1)
    this.#countStrangers(here, 1)
    const admission: Admission = {
      isStranger: true,
      signedIn: () => {
        if (admission.isStranger) this.#countStrangers(here, -1)
        admission.isStranger = false
      },
      leave: () => {
        admission.signedIn()
        this.#count(here, -1)
        if (here.all === 0) this.#open.delete(network)
      },
    }
    return admission
  }

  #count(here: { all: number }, change: number): void {
    here.all += change
    this.#all += change
  }

  #countStrangers(here: { strangers: number }, change: number): void {
    here.strangers += change
    this.#strangers += change
  }

  /** The oldest makes room. */
  #paceOf(network: string): TokenBucket {
    const known = this.#paces.get(network)
    if (known) return known
    const oldest = this.#paces.keys().next()
    if (this.#paces.size >= sshLimits.addressesCountedMax && !oldest.done) this.#paces.delete(oldest.value)
    const pace = new TokenBucket(sshLimits.pace)
    this.#paces.set(network, pace)
    return pace
  }
}

/** The first 32 bits of the fractions of the cube roots of the first 64 primes, as FIPS 180-4 lists them. */
const ROUNDS = new Uint32Array([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
])
const START = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19]
const BLOCK_BYTES = 64

/**
 * SHA-256 of bytes that come in pieces. The browser's own takes them only as a whole, and is not there on pages that
 * come over http from another machine.
 */
export class Sha256 {
  readonly #state = new Uint32Array(START)
  readonly #block = new Uint8Array(BLOCK_BYTES)
  readonly #words = new Uint32Array(BLOCK_BYTES)
  #held = 0
  #bytes = 0

  update(bytes: Uint8Array): this {
    this.#bytes += bytes.length
    for (let at = 0; at < bytes.length;) {
      const count = Math.min(BLOCK_BYTES - this.#held, bytes.length - at)
      this.#block.set(bytes.subarray(at, at + count), this.#held)
      this.#held += count
      at += count
      if (this.#held === BLOCK_BYTES) this.#mix()
    }
    return this
  }

  /** In hexadecimal digits. Nothing can be added any more. */
  digest(): string {
    const bits = this.#bytes * 8
    this.update(Uint8Array.of(0x80))
    while (this.#held !== BLOCK_BYTES - 8) this.update(Uint8Array.of(0))
    const length = new DataView(new ArrayBuffer(8))
    length.setUint32(0, Math.floor(bits / 2 ** 32))
    length.setUint32(4, bits >>> 0)
    this.update(new Uint8Array(length.buffer))
    return [...this.#state].map((word) => word.toString(16).padStart(8, '0')).join('')
  }

  #mix(): void {
    const words = this.#words
    const block = this.#block
    for (let n = 0; n < 16; n++) {
      const at = n * 4
      words[n] = (block[at]! << 24) | (block[at + 1]! << 16) | (block[at + 2]! << 8) | block[at + 3]!
    }
    for (let n = 16; n < BLOCK_BYTES; n++) {
      const [far, near] = [words[n - 15]!, words[n - 2]!]
      const s0 = turn(far, 7) ^ turn(far, 18) ^ (far >>> 3)
      const s1 = turn(near, 17) ^ turn(near, 19) ^ (near >>> 10)
      words[n] = words[n - 16]! + s0 + words[n - 7]! + s1
    }
    let [a, b, c, d, e, f, g, h] = this.#state as unknown as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ]
    for (let n = 0; n < BLOCK_BYTES; n++) {
      const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
      const one = (h + s1 + ((e & f) ^ (~e & g)) + ROUNDS[n]! + words[n]!) | 0
      const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)
      const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
      h = g
      g = f
      f = e
      e = (d + one) | 0
      d = c
      c = b
      b = a
      a = (one + two) | 0
    }
    for (const [n, word] of [a, b, c, d, e, f, g, h].entries()) this.#state[n] = this.#state[n]! + word
    this.#held = 0
  }
}

const turn = (word: number, by: number) => (word >>> by) | (word << (32 - by))

import { setImmediate } from 'node:timers/promises'
import { limits } from '#base/limits.ts'
import { buildAutomaton, type Pattern } from './automaton.ts'
import { encodingsOf, passwordsIn } from './encodings.ts'
import { packedPrefixes } from './packed-runs.ts'
import { buildPartIndex } from './part-index.ts'
import { MaskedStream, type Matcher } from './masked-stream.ts'
import { tokenForms } from './token-forms.ts'

/** Takes secrets out of a whole text. */
export type Mask = (text: string) => string

export type KnownSecret = {
  /** What stands in its place: `[redacted:NAME]`. */
  name: string
  value: string
  /** A planted one, that nobody uses: whoever shows it has looked where nothing is to be looked for. */
  isCanary?: boolean
}

/** `end` counts the bytes of the text, up to the end of the secret. */
export type Found = { name: string; isCanary: boolean; end: number }

/** Called once for each text that shows a planted secret, with its name. */
export type OnCanary = (name: string) => void

type Known = { secrets: KnownSecret[]; matcher: Matcher }

/** What takes the secrets that somebody may see out of all that is shown of their work. */
export class Redactor {
  #known: Known
  readonly #onCanary: OnCanary | undefined

  constructor(known: Known, onCanary?: OnCanary) {
    this.#known = known
    this.#onCanary = onCanary
  }

  /**
   * `[redacted:NAME]` for each known secret in any of its encodings, `[redacted]` for what has the form of a well-known
   * token. A text without any stays the same string.
   */
  readonly mask: Mask = (text) => {
    const stream = this.openStream()
    const masked = stream.whole(Buffer.from(text))
    return stream.isUntouched ? text : masked.toString()
  }

  /** For a text that comes in pieces: a stream of its own for each. */
  openStream(): MaskedStream {
    return this.openSearch(() => {})
  }

  /** Tells of known secrets too, and of nothing that is known by its form alone. */
  openSearch(onFound: (found: Found) => void): MaskedStream {
    const { secrets, matcher } = this.#known
    const reported = new Set<number>()
    return new MaskedStream(matcher, ({ id, end }) => {
      const { name, isCanary = false } = secrets[id]!
      if (isCanary && !reported.has(id)) this.#onCanary?.(name)
      reported.add(id)
      onFound({ name, isCanary, end })
    })
  }

  /** One that knows the same, at no cost, and learns for itself. */
  fork(onCanary?: OnCanary): Redactor {
    return new Redactor(this.#known, onCanary)
  }

  /** Texts that begin from then on are looked through for these too. Done beside other work: long ones take a while. */
  async learn(more: KnownSecret[]): Promise<void> {
    if (!more.length) return
    const secrets = [...this.#known.secrets, ...more]
    const build = buildMatcher(secrets)
    for (let begun = performance.now(); ;) {
      const { done, value } = build.next()
      if (done) return void (this.#known = { secrets, matcher: value })
      if (performance.now() - begun < sliceMs) continue
      await setImmediate()
      begun = performance.now()
    }
  }
}

const sliceMs = 5

export function openRedactor(secrets: KnownSecret[], onCanary?: OnCanary): Redactor {
  const build = buildMatcher(secrets)
  for (;;) {
    const { done, value } = build.next()
    if (done) return new Redactor({ secrets, matcher: value }, onCanary)
  }
}

function* buildMatcher(secrets: KnownSecret[]): Generator<void, Matcher> {
  const forms = tokenForms()
  const patterns: Pattern[] = []
  for (const [id, { value }] of secrets.entries()) {
    if (isRedactable(value)) patterns.push(...encodingsOf(value).map((bytes) => ({ bytes, id, isPrefix: false })))
    yield
  }
  patterns.push(...forms.map(({ prefix }, id) => ({ bytes: Buffer.from(prefix), id, isPrefix: true })))
  const packed = packedPrefixes.map((prefix, count) => ({ prefix, id: forms.length + count }))
  patterns.push(...packed.map(({ prefix, id }) => ({ bytes: Buffer.from(prefix), id, isPrefix: true })))
  const longest = patterns.reduce((most, { bytes }) => Math.max(most, bytes.length), 0)
  const automaton = yield* buildAutomaton(patterns)
  const parts = yield* buildPartIndex(
    secrets.flatMap(({ value }, id) =>
      [value, ...passwordsIn(value)].filter(isRedactable).map((one) => ({ id, value: one })),
    ),
  )
  return { automaton, parts, forms, names: secrets.map(({ name }) => name), heldBytesMax: heldBytesMin + 4 * longest }
}

const heldBytesMin = 40 * 1024

/** Others would hit ordinary text, and are not looked for. */
function isRedactable(value: string): boolean {
  const bytes = Buffer.from(value)
  return bytes.length >= limits.secretBytesMin && new Set(bytes).size >= limits.secretDistinctBytesMin
}

/** A secret that is known by its form, whoever gave it. */
export type TokenForm = {
  prefix: string
  /** What may follow the prefix. */
  alphabet: Uint8Array
  charactersMin: number
  /** Where more follows it is something else. */
  charactersMax: number
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const alphanumeric = `0123456789${letters}${letters.toLowerCase()}`

function form(prefix: string, signs: string, charactersMin: number, charactersMax = Infinity): TokenForm {
  const alphabet = new Uint8Array(256)
  for (const byte of Buffer.from(alphanumeric + signs)) alphabet[byte] = 1
  return { prefix, alphabet, charactersMin, charactersMax }
}

/** Ours, and those of well-known services. */
export function tokenForms(): TokenForm[] {
  return [
    ...['rw_', 'rwt_', 'rww_', 'npm_'].map((prefix) => form(prefix, '', 36, 36)),
    ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((prefix) => form(prefix, '._-', 36)),
    form('github_pat_', '_', 60),
    form('glpat-', '_-', 20),
    form('sk-', '_-', 32),
    form('sk-ant-', '_-', 20),
    form('AIza', '_-', 35, 35),
    ...['AKIA', 'ASIA'].map((prefix) => form(prefix, '', 16, 16)),
    ...['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-'].map((prefix) => form(prefix, '-', 24)),
    ...['sk_live_', 'rk_live_'].map((prefix) => form(prefix, '', 24)),
    form('hf_', '', 34, 34),
    form('pypi-', '_-', 80),
  ]
}

const distinctMin = 8

/**
 * Whether it looks random, as a token is, and not like words, or the signs that stand for a token in a document:
 * of 20 random characters so few differ once in a million times, and so many small letters come hardly more often.
 */
export function looksRandom(characters: Uint8Array): boolean {
  if (countDistinct(characters) < distinctMin) return false
  const text = Buffer.from(characters).toString('latin1')
  if (/example|x{6}/i.test(text)) return false
  return /[A-Z]/.test(text) || /\d.*\d/s.test(text)
}

function countDistinct(bytes: Uint8Array): number {
  const seen = new Uint8Array(256)
  let count = 0
  for (const byte of bytes) {
    if (seen[byte] === 0) count++
    seen[byte] = 1
  }
  return count
}

/** A token does not begin within a word. */
export function isWordByte(byte: number | undefined): boolean {
  if (byte === undefined) return false
  return (byte >= 48 && byte <= 57) || (byte >= 65 && byte <= 90) || byte === 95 || (byte >= 97 && byte <= 122)
}

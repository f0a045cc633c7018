/** Takes known secrets out of a text. */
export type Mask = (text: string) => string

const valueCharactersMin = 8
/** Forms of tokens that are secrets whoever gave them: ours, and those of well-known services. */
const tokenForms =
  /\brwt?_[0-9A-Za-z]{36}\b|\bgh[pousr]_[A-Za-z0-9._-]{36,}|\bgithub_pat_[A-Za-z0-9_]{60,}|\bglpat-[A-Za-z0-9_-]{20,}|\bsk-ant-[A-Za-z0-9_-]{20,}|\bsk-(?:proj-)?[A-Za-z0-9_-]{32,}|\bAIza[A-Za-z0-9_-]{35}\b/g

/**
 * Replaces each of the named values, as it is and as base64, by `[redacted:NAME]`, and whatever has the form of a
 * well-known token by `[redacted]`. Values under 8 characters are left alone: they would hit ordinary text.
 */
export function createMask(secrets: { name: string; value: string }[]): Mask {
  const names = new Map<string, string>()
  for (const { name, value } of secrets) {
    if (value.length < valueCharactersMin) continue
    names.set(value, name)
    names.set(Buffer.from(value).toString('base64').replace(/=+$/, ''), name)
    names.set(encodeURIComponent(value), name)
  }
  // The longest first, so that a secret which begins with another is taken out whole.
  const values = [...names.keys()].sort((a, b) => b.length - a.length)
  const known = values.length ? new RegExp(values.map((value) => RegExp.escape(value)).join('|'), 'g') : undefined
  return (text) => {
    const masked = known ? text.replace(known, (value) => `[redacted:${names.get(value)}]`) : text
    return masked.replace(tokenForms, '[redacted]')
  }
}

/** More no page shows, and no provider has. */
const MODELS_MAX = 2_000
/** Of a name that can be asked for by runs. */
const nameForm = /^[\x21-\x7e]{1,150}$/

/** The names in a list of models as providers answer it; null: that is no list of models. */
export function readModelList(text: string): string[] | null {
  const answer = parse(text)
  const { data, models } = (typeof answer === 'object' && answer !== null ? answer : {}) as Record<string, unknown>
  const isGoogles = !Array.isArray(data)
  const list = isGoogles ? models : data
  if (!Array.isArray(list)) return null
  const names = list.slice(0, MODELS_MAX).flatMap((each: unknown) => {
    const { id, name } = (typeof each === 'object' && each !== null ? each : {}) as Record<string, unknown>
    const written = isGoogles ? name : id
    const read = typeof written === 'string' ? written.replace(/^models\//, '') : ''
    return nameForm.test(read) ? [read] : []
  })
  return names.length === 0 && list.length > 0 ? null : [...new Set(names)]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

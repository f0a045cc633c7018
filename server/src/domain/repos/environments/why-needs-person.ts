import { environmentPath, type PushPolicy } from '#domain/repos/environment.ts'
import { matchPath } from '#base/text/match-path.ts'

/** A file that a push changes; of one that it removes there are no bytes. */
export type PushedFile = { path: string; bytes: number }

/** How many paths a refusal names. */
const namedMax = 10

/** What is against it that an agent makes these changes by itself, in words for it and for people; null: nothing. */
export function whyNeedsPerson(policy: PushPolicy, files: readonly PushedFile[]): string | null {
  const { needsPerson, bytesMax, filesMax } = policy
  const held = files.flatMap(({ path }) => {
    const pattern = needsPerson.find((one) => matchPath(one, path))
    return pattern === undefined ? [] : [`${path} (by "${pattern}")`]
  })
  if (held.length) {
    const more = held.length > namedMax ? ` and ${held.length - namedMax} more` : ''
    const named = `${held.slice(0, namedMax).join(', ')}${more}`
    return `Only a person may change ${named}. Leave them as the base branch has them. ${aPersonMay}`
  }
  if (filesMax !== undefined && files.length > filesMax)
    return `It changes ${files.length} files, and an agent may change ${filesMax} at once. ${aPersonMay}`
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  if (bytesMax !== undefined && bytes > bytesMax)
    return `The changed files have ${bytes} bytes, and an agent may change files of ${bytesMax} at once. ${aPersonMay}`
  return null
}

const aPersonMay = `A person may push this, or change "push" in ${environmentPath} on the base branch.`

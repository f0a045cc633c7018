import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { shortenWithin } from '#base/text/shorten.ts'
import { readFrontMatter } from './read-front-matter.ts'
import { cleanOutput } from './tools/clean-output.ts'
import { runInside } from './tools/run-inside.ts'

const LOOK_MS = 20_000
const SKILLS_MAX = 40
const DESCRIPTION_CHARACTERS_MAX = 300
const FILE_BYTES_MAX = 256 * 1024

const SCRIPT = String.raw`
for file in .claude/skills/*/SKILL.md .agents/skills/*/SKILL.md .runwright/skills/*/SKILL.md; do
  [ -f "$file" ] && printf '%s\0' "$file"
done
exit 0
`

/** A line for each skill that the repository brings: its file, name and description. */
export async function listSkills(look: { sandbox: Sandbox; signal: AbortSignal }): Promise<string[]> {
  const { sandbox } = look
  const argv = ['bash', '-c', SCRIPT]
  const { stdout } = await runInside(look, { argv, timeoutMs: LOOK_MS, outputBytesMax: 64 * 1024 })
  const paths = stdout.toString('utf8').split('\0').slice(0, -1).slice(0, SKILLS_MAX)
  const lines = await Promise.all(
    paths.map(async (path) => {
      const file = await sandbox
        .readFile(`${sandbox.paths.workspace}/${path}`, { bytesMax: FILE_BYTES_MAX })
        .catch(() => null)
      if (file === null) return null
      const { fields } = readFrontMatter(cleanOutput(file.toString('utf8')))
      const words = (name: string) => fields.get(name)?.join(' ').replaceAll(/\s+/g, ' ').trim() ?? ''
      const name = words('name') || path.split('/').at(-2)
      return `${cleanOutput(path)}: ${shortenWithin(`${name}: ${words('description')}`, DESCRIPTION_CHARACTERS_MAX)}`
    }),
  )
  return lines.filter((line) => line !== null)
}

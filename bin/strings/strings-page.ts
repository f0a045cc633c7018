import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { findStrings } from './find-strings.ts'

/** Every text of the web UI in one listing, by file: so that one person can read them all as a whole. */
export function stringsPage(root: string): string {
  const folder = path.join(root, 'web/src')
  const files = globSync('**/*.{ts,tsx}', { cwd: folder }).filter((file) => !/\.(?:test|slow)\.tsx?$/.test(file))
  const parts = files.sort().flatMap((file) => {
    const found = findStrings(file, readFileSync(path.join(folder, file), 'utf8'))
    return found.length ? [`## ${file}\n\n${found.map((text) => `- ${escape(text)}`).join('\n')}\n`] : []
  })
  return `# The texts of the web UI\n\nMade by \`npm run generate\` from web/src; change them there. \`{…}\` stands for what is put in.\n\n${parts.join('\n')}`
}

/** Marks of Markdown that would change how a line is shown. */
const escape = (text: string) => text.replaceAll(/[\\`*_<>[\]]/g, String.raw`\$&`)

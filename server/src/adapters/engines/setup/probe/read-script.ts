import { quoteWord } from '#base/quote-word.ts'
import { classifyCommand, whyUnfit } from './classify-command.ts'
import { probeLimits, type FoundCommand } from './findings.ts'
import { splitScript } from './split-script.ts'
import { trimTrailing } from '#base/text/trim-trailing.ts'

export type ReadScript = {
  script: string
  path: string
  /** The line in which the script's first line stands. */
  line: number
  says: string
  /** Where it is run, from the top of the repository. */
  folder?: string | null
  /** Whether what is not known by its looks sets up too: it stands where nothing else belongs. */
  isSetup?: boolean
  notes: string[]
}

/** The commands of a script that are worth trying, each with its line. */
export function readScript({ script, path, line, says, folder, isSetup = false, notes }: ReadScript): FoundCommand[] {
  const lines = splitScript(script) ?? (isSetup ? [{ command: script.trim(), below: 0 }] : [])
  return lines.flatMap(({ command, below }): FoundCommand[] => {
    if (command === '' || command.length > probeLimits.commandCharactersMax) return []
    const kind = classifyCommand(command) ?? (isSetup ? 'install' : null)
    const why = { path, line: line + below, says }
    const reason = whyUnfit(command)
    if (!kind && !reason) return []
    if (reason || !kind) {
      note(notes, `${path}:${why.line}: \`${command.slice(0, 120)}\` is left out: ${reason}.`)
      return []
    }
    return [{ kind, command: inFolder(command, folder), why }]
  })
}

export function inFolder(command: string, folder: string | null | undefined): string {
  const plain = trimTrailing(folder?.replace(/^\.\//, '') ?? '', '/')
  if (!plain || plain === '.') return command
  return `(cd ${quote(plain)} && ${command})`
}

/** As one word for a shell. */
export function quote(text: string): string {
  return /^[\w./@:=,+-]+$/.test(text) ? text : quoteWord(text)
}

export function note(notes: string[], text: string): void {
  if (notes.length < probeLimits.notesMax) notes.push(text)
}

import { quoteWord } from '#base/quote-word.ts'
import type { PullSettings } from '#domain/repos/pull-settings.ts'
import type { StartFix } from '#domain/hosts/fixers/advance-fixer.ts'
import type { MessageEntry } from '#domain/runs/messages/message.ts'

export type WriteUpdate = {
  number: number
  head: string
  /** The branch that it asks to be taken into. */
  base: string
  method: PullSettings['updateBranch']
  fix: StartFix
}

/** What the run is told that is to resolve conflicts with its base, and how its log shows that. */
export function writeUpdate({ number, head, base, method, fix }: WriteUpdate): { prompt: string; entry: MessageEntry } {
  const branch = inShell(`origin/${base}`)
  const isRebase = method === 'rebase'
  const commands = [`git fetch origin ${inShell(base)}`, `git ${isRebase ? 'rebase' : 'merge'} ${branch}`]
  const prompt = [
    `Your pull request #${number} at ${head.slice(0, 12)} conflicts with its base branch, which has moved on. Bring your branch up to date: \`${commands.join(' && ')}\`.`,
    `Resolve each conflict so that the change you were asked for and what the base does now both hold. \`git log -p HEAD...${branch} -- <file>\` shows why the base has changed a file.`,
    `Leave no conflict markers, run the tests, and ${isRebase ? 'finish the rebase with `git rebase --continue`' : 'commit the merge'}.`,
    'If both cannot hold and only a person can decide which one does, undo what you have begun, change nothing, and say what has to be decided.',
    ...fix.prompts,
  ].join('\n\n')
  const observation = { head_sha: head, checks: [], conflicts_with: base }
  return { prompt, entry: { messageType: 'DETECT_PR_ERRORS', observation } }
}

/** The names of branches may hold anything that shells act on. */
const inShell = (word: string) => (/^[\w./-]+$/.test(word) ? word : quoteWord(word))

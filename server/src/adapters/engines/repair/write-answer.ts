import type { Answer } from '#adapters/engines/engine.ts'
import { shorten } from '#base/text/shorten.ts'
import { kinds } from './candidates/kinds.ts'
import { type Broken, failingTests } from './run-tests.ts'
import type { Fix } from './fix.ts'
import type { Search } from './search-fix.ts'
import { testId } from './suite.ts'
import type { Verification } from './verify-fix.ts'
import type { Confidence, Weighed } from './weigh-fixes.ts'

const SHOWN_TESTS = 10
const SHOWN_ALTERNATIVES = 3
/** Of a line that was changed; one that is longer was not written by people. */
const SHOWN_CHARACTERS = 2_000

/** What a person needs to review the change. */
export function writeAnswer(
  broken: Broken,
  search: Search,
  weighed: Weighed,
  { fix, verification, attempt }: { fix: Fix; verification: Verification; attempt: number },
): Answer {
  const [, words] = kinds[fix.kind]
  const alternatives = weighed.fixes.filter((other) => other !== fix).slice(0, SHOWN_ALTERNATIVES)
  // One that had to stand in for a better-ranked one is no sure thing.
  const unfixed = verification.leaves ?? []
  const confidence = attempt > 0 || unfixed.length ? 'unsure' : weighed.confidence
  const leaves = [...fix.leaves, ...unfixed]
  const isUnsure = confidence === 'unsure'
  const body = [
    '**What failed**',
    listTests(broken, leaves),
    `**What was changed**\n\n\`${fix.file}\`, line ${fix.line} (${words}):`,
    diffBlock(fix),
    `**How it was checked**\n\n\`${broken.suite.command}\` in fresh processes: ${verification.passed} tests pass, ` +
      `${timesInARow(verification.runs)}. ${search.tried} small changes were tried, the likely ones first.`,
    ...(broken.flaky.length ? [`Left out, for they do not always say the same: ${broken.flaky.join(', ')}.`] : []),
    ...(leaves.length ? [`**Still failing, and not fixed by this**\n\n${listIds(leaves)}`] : []),
    ...broken.outside
      .slice(0, 1)
      .map(({ cause }) => `Left out, for they miss something (${broken.outside.length}). ${cause}`),
    ...(broken.otherFailing.length ? [`Still failing, and not looked at: ${broken.otherFailing.join(', ')}.`] : []),
    `**Confidence: ${confidence}.** ${reasonOf(confidence, weighed)}`,
    '**Please review.** No model was used and nobody understood the code: that all tests pass does not prove the change ' +
      'right. A person must read it.',
    ...(alternatives.length
      ? [`**Other changes that make all tests pass**\n\n${alternatives.map(alternativeLine).join('\n')}`]
      : []),
  ].join('\n\n')
  return {
    answer: body,
    thought: `Of ${search.tried} changes tried this is the best-ranked one that makes every test pass, and it holds in fresh processes.`,
    summary: `Changed ${fix.file}, line ${fix.line}: ${words}. Confidence: ${confidence}.`,
    ...(isUnsure && { isDraft: true }),
    title: `${isUnsure ? 'Proposal: fix' : 'Fix'} ${fix.where}: ${words.replace(/^an? /, '')}`,
    body,
  }
}

function reasonOf(confidence: Confidence, { rivals, isCompared, fixes }: Weighed): string {
  const others = fixes.length - 1
  const compared = !others
    ? 'No other change was found that makes every test pass.'
    : !rivals
      ? 'The other changes that make every test pass do the same with all values that were tried.'
      : isCompared
        ? `Other changes make every test pass, too, and do ${rivals} other ${rivals === 1 ? 'thing' : 'things'} with values that no test has.`
        : 'Other changes make every test pass, too, and could not be compared.'
  const meaning = {
    high: 'The kind of mistake is a common one and the tests look at it closely.',
    medium: 'The change is likely right; nothing proves it.',
    unsure:
      'This is a proposal, not a claim: the tests cannot tell which change is right, or it only takes something out of the way. Choose, or add a test that tells.',
  }[confidence]
  return `${meaning} ${compared}`
}

function listTests(broken: Broken, leaves: string[]): string {
  const failing = failingTests(broken).map(testId)
  return listIds(failing.filter((id) => !leaves.includes(id)))
}

function listIds(ids: string[]): string {
  const shown = ids.slice(0, SHOWN_TESTS).map((id) => `- ${id}`)
  if (ids.length > shown.length) shown.push(`- … and ${ids.length - shown.length} more`)
  return shown.join('\n')
}

function diffBlock(fix: Fix): string {
  const mark = (text: string, sign: string) =>
    shorten(text, SHOWN_CHARACTERS)
      .split('\n')
      .map((line) => `${sign} ${line}`)
      .join('\n')
  return `\`\`\`diff\n${mark(fix.before, '-')}\n${mark(fix.after, '+')}\n\`\`\``
}

function alternativeLine(fix: Fix): string {
  const flat = (text: string) =>
    shorten(text.trim(), SHOWN_CHARACTERS).replace(/\s+/g, (blank) => (blank.includes('\n') ? ' ⏎ ' : blank))
  return `- \`${fix.file}\`, line ${fix.line}: \`${flat(fix.before)}\` → \`${flat(fix.after)}\``
}

function timesInARow(runs: number): string {
  return runs === 1 ? 'once (the suite is slow)' : `${runs} times in a row`
}

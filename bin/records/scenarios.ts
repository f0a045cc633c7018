import type { JsonObject } from '../../server/src/base/json.ts'
import type { ScriptedReply } from '../../server/test/model-server.ts'
import type { ScriptedAnswer } from '../../server/test/model-wires.ts'

/** A run to be recorded: what it is started with, and what the model answers, request after request. */
export type Scenario = {
  prompt: string
  more?: JsonObject
  replies: ScriptedReply[]
  /** What a person says to what the run asks, in order. */
  answers?: string[]
  /** Of runs that it starts, by a word of their prompt. */
  children?: Record<string, ScriptedReply[]>
}

const call = (name: string, input: JsonObject, words: ScriptedAnswer = {}): ScriptedReply => ({
  ...words,
  calls: [{ name, input }],
})
const finish = (summary: string, more: JsonObject = {}) => call('finish', { summary, ...more })

const claude = { model: 'anthropic/claude-sonnet-5' }
const test = 'node --test'

/** Of different shape; what differs from run to run is kept out of what their commands print. */
export const scenarios: Record<string, Scenario> = {
  fix: {
    prompt: 'Make the failing test pass',
    replies: [
      call(
        'plan',
        {
          steps: [
            { text: 'Find out what fails', status: 'in_progress' },
            { text: 'Fix it', status: 'pending' },
            { text: 'Run all tests again', status: 'pending' },
          ],
        },
        { text: 'First a plan.' },
      ),
      call('shell', { command: `${test} 2>&1 | tail -40` }, { text: 'Which test fails, and with which values?' }),
      call('read', { path: 'src/discounts.js' }, { text: 'A receipt of exactly the limit gets no discount.' }),
      call(
        'edit',
        { path: 'src/discounts.js', old_text: 'cents > from', new_text: 'cents >= from' },
        { text: 'The comparison leaves out the limit itself; it must count.' },
      ),
      call('shell', { command: test }, { text: 'Now all tests again.' }),
      finish('The discount now begins at the limit itself [t1-4.1].', { checks: [{ command: test }] }),
    ],
  },
  plan: {
    prompt: 'Write down how discounts work',
    more: { plan_approval: true },
    replies: [
      call('read', { path: 'src/discounts.js' }),
      call('plan', { steps: [{ text: 'Write DISCOUNTS.md', status: 'pending' }] }, { text: 'One file is enough.' }),
      call('plan', {
        steps: [
          { text: 'Write docs/discounts.md', status: 'pending' },
          { text: 'Link it in the README', status: 'pending' },
        ],
      }),
      {
        calls: [
          {
            name: 'write',
            input: { path: 'docs/discounts.md', content: '# Discounts\n\nEach begins at its limit.\n' },
          },
          {
            name: 'ask_user',
            input: { question: 'Which title shall the link have?', options: ['Discounts', 'Rules'] },
          },
        ],
      },
      call('shell', { command: "printf '\\n[Discounts](docs/discounts.md)\\n' >> README.md; tail -n 1 README.md" }),
      finish('Discounts are described in docs/discounts.md.'),
    ],
    answers: ['Put it into docs/, and link it.', 'approve', 'Discounts'],
  },
  parallel: {
    prompt: 'Tell what this repository is about',
    more: claude,
    replies: [
      {
        reasoning: 'Three looks that do not depend on each other can go at once.',
        text: 'I look at three places at once.',
        calls: [
          { name: 'list', input: { path: '.' } },
          { name: 'read', input: { path: 'src/discounts.js' } },
          { name: 'search', input: { pattern: 'discount' } },
        ],
        usage: { input: 4_000, output: 180, cacheRead: 0, cacheWrite: 3_000 },
      },
      {
        reasoning: 'The test says what is expected.',
        calls: [
          { name: 'read', input: { path: 'nowhere.js' } },
          { name: 'shell', input: { command: 'git log --format=%s; exit 3' } },
          { name: 'serach', input: {} },
        ],
        usage: { input: 1_500, output: 120, cacheRead: 4_000, cacheWrite: 0 },
      },
      finish('It computes receipts and their discounts. Nothing had to be changed.'),
    ],
  },
  compaction: {
    prompt: 'Count the lines of all files',
    replies: [
      call('shell', { command: "yes 'A line, again and again.' | head -n 2000" }),
      call('shell', { command: "yes 'Another line.' | head -n 2000" }),
      { fault: 'overflow' },
      { text: 'The task: count the lines of all files. Nothing is done yet but two counts of no use.' },
      call('shell', { command: 'git ls-files | xargs wc -l | tail -n 1' }, { text: 'Now the count itself.' }),
      finish('All lines are counted.'),
    ],
  },
  sessions: {
    prompt: 'Try the program that answers',
    replies: [
      call('session', { command: 'echo ready; while read -r line; do echo "got $line"; done; echo bye' }),
      call('session', { session: 't1-1.1', input: 'one\n' }),
      {
        calls: [
          { name: 'shell', input: { command: 'echo meanwhile' } },
          { name: 'session', input: { session: 't1-1.1', stop: true } },
        ],
      },
      call('session', { session: 't1-9.9' }),
      { text: 'It answers what it is told.' },
      finish('The program answers.'),
    ],
  },
  children: {
    prompt: 'Have two others look',
    replies: [
      {
        calls: [
          { name: 'start_run', input: { prompt: 'FIRST: look at the tests', title: 'Tests' } },
          { name: 'start_run', input: { prompt: 'SECOND: look at the sources', title: 'Sources' } },
        ],
      },
      call('read_runs', {}),
      finish('Both have looked.'),
    ],
    children: { FIRST: [finish('The tests are fine.')], SECOND: [finish('The sources are fine.')] },
  },
}

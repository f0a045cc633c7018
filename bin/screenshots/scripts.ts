import type { AgentRun } from '@runwright/sdk'
import type { checks } from './checks.ts'

export type Script = {
  prompt: string
  title: string
  script: object[]
  until: (run: AgentRun, entries: number) => boolean
  more?: { max_cost_usd?: number }
}

const check = (name: keyof typeof checks) => ({ shell: `sh check/${name}` })
const isIn = (status: AgentRun['status']) => (run: AgentRun) => run.status === status

const round = `/** Rounds to whole cents, half away from zero. */
export function roundCents(units: bigint, scale: bigint): bigint {
  const half = scale / 2n
  return (units < 0n ? units - half : units + half) / scale
}
`

const answered = (answer: string, title: string) => ({ answer, title, body: answer })

/** What the runs of the pictures are told to play, in the order in which they are started. */
export const scripts = {
  stuck: {
    prompt: 'Retire the tax table of 2019',
    title: 'Retire the tax table of 2019',
    script: [
      { write: { path: 'src/tax/table.ts', content: 'export const firstYear = 2020\n' } },
      answered('The table of 2019 is gone; the first year is 2020.', 'Retire the tax table of 2019'),
    ],
    until: isIn('completed'),
  },
  barred: {
    prompt: 'Name the columns of the month as the bank does',
    title: 'Name the columns of the month as the bank does',
    script: [
      { write: { path: 'src/export/columns.ts', content: "export const columns = ['booked', 'amount']\n" } },
      answered('The columns have the names of the bank.', 'Columns as the bank names them'),
    ],
    until: isIn('completed'),
  },
  done: {
    prompt: 'Write the docs for the export API',
    title: 'Write the docs for the export API',
    script: [
      { plan: ['Read the routes', 'One page, three examples', 'Try each example'] },
      { think: 'The routes have comments already, so the page can follow their order.' },
      check('routes.sh'),
      {
        write: {
          path: 'docs/export.md',
          content:
            '# Export\n\nOne file for each month, as CSV.\n\n    GET /export/2026-10\n\nWith a token; the first line names the columns.\n',
        },
      },
      {
        answer:
          'The docs stand in `docs/export.md`: one page, three examples that were tried.\n\n- how to ask for a month\n- what the columns mean\n- what comes when there is nothing to export',
        title: 'Docs for the export API',
        body: 'One page with three examples; each was tried.',
      },
    ],
    until: isIn('completed'),
  },
  failed: {
    prompt: 'Generate the client for the tax service',
    title: 'Generate the client for the tax service',
    script: [
      { think: 'The generator needs the schema of the tax service, so that comes first.' },
      check('generate.sh'),
      { shell: 'curl -sS -m 5 https://fonts.example/tax.css' },
      {
        fail: {
          code: 'engine_error',
          message: 'The client cannot be generated: the sandbox may not reach fonts.example.',
        },
      },
    ],
    until: isIn('failed'),
  },
  plan: {
    prompt: 'Move the scheduled jobs to Node 24',
    title: 'Move the scheduled jobs to Node 24',
    script: [
      { think: 'Six jobs, two of them with native modules.' },
      {
        ask: {
          question: '1. Change the engines field of all six\n2. Rebuild the two native modules\n3. Run each job once',
          kind: 'plan',
        },
      },
      { answer: 'Moved.' },
    ],
    until: isIn('waiting_for_user'),
  },
  question: {
    prompt: 'Add Swiss francs to the price list',
    title: 'Add Swiss francs to the price list',
    script: [
      { plan: ['Find where currencies are named', 'Add francs', 'Show them in the list'] },
      { think: 'Currencies are named in two places: the list that customers see, and the one of the bank.' },
      { read: 'package.json' },
      {
        ask: {
          question:
            'Which currency list is right, ISO or ours?\n\nISO has 180 entries, ours the 12 that customers use.',
          options: ['ISO 4217, all of them', 'Ours, with francs added'],
        },
      },
      { answer: 'Francs are in.' },
    ],
    until: isIn('waiting_for_user'),
  },
  live: {
    prompt:
      'Invoices with percentage discounts are sometimes one cent off (issue #204). Find out why, fix it, and add a test that fails without the fix. Leave foreign exchange as it is.',
    title: 'Invoices with percentage discounts are one cent off',
    more: { max_cost_usd: 3 },
    script: [
      {
        plan: [
          'Reproduce the wrong cent',
          'A test that fails',
          'Count in whole cents',
          'Run everything',
          'Open a pull request',
        ],
      },
      {
        think:
          'I will reproduce the wrong cent first, so that the cause is measured and not guessed. Then a failing test, the smallest change that makes it pass, and the whole suite.',
      },
      check('search.sh'),
      {
        think:
          '`lineTotal` rounds each line, and `invoiceTotal` adds the rounded lines. Both go through `roundCents`, so I read that next.',
      },
      { read: 'package.json' },
      { think: 'It should fail now, and it does.' },
      check('discount.sh'),
      { error: 'The text to replace stands in this file twice, at lines 14 and 41. Nothing was changed.' },
      { think: 'Line 41 is the tax line and must stay. I name more of the context.' },
      { write: { path: 'src/money/round.ts', content: round } },
      check('invoice.sh'),
      { think: 'The two new cases first, then everything.' },
      check('all.sh'),
      { answer: 'Done.' },
    ],
    until: (_, entries) => entries >= 13,
  },
} satisfies Record<string, Script>

import type { Client } from '@runwright/sdk'

const issues = [
  { title: 'The export of a month takes a minute', labels: ['speed'] },
  { title: 'Receipts in Swiss francs have no sign of their currency', labels: ['currencies', 'good first issue'] },
  { title: 'Say in the docs what an empty month looks like', labels: ['docs'] },
  {
    title: 'Invoices with percentage discounts are one cent off',
    labels: ['bug', 'money'],
    body: 'The invoice of `39.95` less 15 % says **33.95**. It should say 33.96.\n\n- with 5 % of 20.30 too\n- never without a discount\n\n```\nexpected 33.96\n     got 33.95\n```',
  },
]

/** Issues of the first repository; the last has been talked about, one is closed. */
export async function openIssues({ admin, femi }: { admin: Client; femi: Client }): Promise<number> {
  const numbers: number[] = []
  for (const issue of issues) numbers.push((await femi.issues.createIssue({ org_id: 1, repo_id: 1, ...issue })).number)
  await admin.issues.updateIssue({ org_id: 1, repo_id: 1, n: numbers[2]!, state: 'closed' })
  const last = numbers.at(-1)!
  await admin.issues.createIssueComment({
    org_id: 1,
    repo_id: 1,
    n: last,
    body: 'Since when? The rounding was last touched in March.',
  })
  await femi.issues.createIssueComment({
    org_id: 1,
    repo_id: 1,
    n: last,
    body: 'Since the discounts came, I think. I have never seen it without one.',
  })
  return last
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writePullBody } from './write-pull-body.ts'

const url = 'http://127.0.0.1/runs/7'
const foot = `---\nMade by an agent: ${url}. A person must review it.\n`
const write = (body: string, issues: number[], template: string | null = null) =>
  writePullBody({ answer: { answer: 'Done.', body }, issues, template, url })

test('the issues that a run was started from are fixed by its pull request, unless the agent says so itself, or otherwise', () => {
  assert.equal(write('Sums begin at nothing.\n', [12]), `Sums begin at nothing.\n\nFixes #12\n\n${foot}`)
  assert.equal(write('This closes #12.', [12]), `This closes #12.\n\n${foot}`)
  assert.equal(write('Part of #12.', [12, 13]), `Part of #12.\n\nFixes #13\n\n${foot}`)
  assert.equal(write('It fixes #123.', [12]), `It fixes #123.\n\nFixes #12\n\n${foot}`)
  assert.equal(write('', []), foot)
})

test('of a template that nothing was written after, headings and what is to be ticked stand below', () => {
  const template =
    '<!-- # Hidden -->\r\n## What & why\r\nSay what.\r\n\r\n```\r\n# no heading\r\n```\r\n### Checks\r\n- [ ] Tests\r\n- other\r\n'
  assert.equal(write('Done.', [], template), `Done.\n\n## What & why\n\n### Checks\n- [ ] Tests\n\n${foot}`)
  const filled = '# what & why:\n\nIt is quicker.'
  assert.equal(write(filled, [], template), `${filled}\n\n${foot}`)
  assert.equal(write('Done.', [], 'Thank you!'), `Done.\n\n${foot}`)
})

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { startModelServer, type ScriptedReply } from '@runwright/server/test/model-server.ts'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { openUi } from './open-ui.ts'

const call = (name: string, input: object, text = ''): ScriptedReply => ({
  text,
  calls: [{ name, input: input as never }],
})
const model = await startModelServer([
  call('write', { path: 'a.txt', content: 'two\n' }, 'One line is enough.'),
  call('shell', { command: "printf '\\033[31mred\\033[0m\\n'; exit 3" }),
  call('shell', { command: 'cat a.txt' }),
  call('finish', { summary: 'Now it says two.' }),
])
after(() => model.close())
const { service, open, openNew, makeRepo, faults } = await openUi({
  OPENAI_BASE_URL: `${model.url}/v1`,
  OPENAI_API_KEY: 'key-of-the-model-server',
  RUNWRIGHT_MODEL: 'openai/scripted-1',
})
after(() => assert.deepEqual(faults, []))
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const organization = `/v1/organizations/${service.organizationId}`
const repoId = await makeRepo('ledger', { 'a.txt': 'one\n' })
const run = await service.call<{ id: number }>('POST', `${organization}/agent/run`, {
  prompt: 'Make it say two',
  repo_id: repoId,
  agent_type: 'builtin',
})
await service.untilEnded(run.id)
const record = Buffer.from(await (await service.ask('GET', `${organization}/agent/run/${run.id}/record`)).bytes())

const head = { type: 'head', format: 'runwright-record', version: 1, agentType: 'builtin' }
function seal(items: readonly unknown[]): Buffer {
  const lines = items.map((item) => `${JSON.stringify(item)}\n`).join('')
  const sha256 = createHash('sha256').update(lines).digest('hex')
  return gzipSync(`${lines}${JSON.stringify({ type: 'end', lines: items.length, sha256 })}\n`)
}

const openFile = (page: Page, buffer: Buffer, name = 'run-7.jsonl.gz') =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/gzip', buffer })
const stands = (page: Page, text: string | RegExp) =>
  page.locator('.replay-controls [role=status]', { hasText: text }).waitFor()
const step = (page: Page) => page.locator('.replay-step')

test('a run is gone through step by step on its page, by buttons, keys and slider, and each step has a link', async () => {
  const page = await open(`/runs/${service.organizationId}/${run.id}`)
  await page.getByRole('tab', { name: 'Replay' }).click()
  await stands(page, /^Step 1 of \d+$/)
  await step(page).getByText('Make it say two').first().waitFor()
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await stands(page, /^Step 2 of/)
  await step(page).getByText('Instructions that the model was given').click()
  await step(page).getByText('You are a coding agent').waitFor()
  await step(page).locator('p', { hasText: 'One line is enough.' }).waitFor()
  await step(page).getByText('1,000 tokens in, 50 out').waitFor()
  await page.locator('.replay-step h2').click()
  await page.keyboard.press('j')
  await stands(page, /^Step 3 of/)
  await step(page).locator('.diff').getByText('two').waitFor()
  await page.waitForURL(/[?&]step=3/)
  await page.keyboard.press(']')
  await step(page).getByText('exit 3').first().waitFor()
  await page.getByRole('slider', { name: 'Step' }).press('End')
  await step(page).getByText('Now it says two.').first().waitFor()
  assert.equal(await page.getByRole('button', { name: 'Last' }).isDisabled(), true)
  await page.getByRole('button', { name: 'First', exact: true }).click()
  await page.getByLabel('Speed').selectOption('5')
  await page.getByRole('button', { name: 'Play' }).click()
  await stands(page, /^Step (?:[4-9]|1\d) of/)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download record' }).click()
  assert.equal((await saved).suggestedFilename(), `run-${run.id}.jsonl.gz`)
  const again = await open(`/runs/${service.organizationId}/${run.id}?tab=replay&step=3`)
  await stands(again, /^Step 3 of/)
  await step(again).locator('.diff').getByText('two').waitFor()
})

test('a record that was downloaded is opened in the browser, by whoever has it, and goes nowhere', async () => {
  const page = await openNew('/record?step=3')
  await page.getByText('Open the record of a run').waitFor()
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.url()))
  await openFile(page, record)
  await stands(page, /^Step 3 of/)
  await step(page).locator('.diff').getByText('two').waitFor()
  await page.getByText(/run-7\.jsonl\.gz: Run \d+ of the agent builtin in ledger/).waitFor()
  assert.equal(await page.getByRole('slider').evaluate((node) => node === document.activeElement), true)
  await page.keyboard.press('ArrowLeft')
  await stands(page, /^Step 2 of/)
  await page.locator('.replay-list button').first().click()
  await stands(page, /^Step 1 of/)
  assert.deepEqual(
    sent.filter((url) => !url.startsWith(`${service.url}/assets/`)),
    [],
  )
  await page.getByRole('button', { name: 'Close the record' }).click()
  await page.getByText('Open the record of a run').waitFor()
})

test('somebody without a run of their own steps through the example, which says what it is', async () => {
  const page = await openNew('/record')
  await page.getByRole('link', { name: 'Open an example' }).click()
  await page.getByText(/This is a recording.*scripted model server/).waitFor()
  await step(page).getByText('Make the failing test pass').first().waitFor()
  await page.getByRole('button', { name: 'Last' }).click()
  await step(page).getByText('The discount now begins at the limit itself').first().waitFor()
})

test('what is no whole record is refused with the reason', async () => {
  const page = await openNew('/record')
  const refuses = async (bytes: Buffer, words: RegExp) => {
    await openFile(page, bytes)
    await page.getByRole('alert').getByText(words).waitFor()
  }
  await refuses(Buffer.from('garbage'), /not gzip/)
  await refuses(record.subarray(0, record.length >> 1), /cut off/)
  await refuses(gzipSync('{"a":1}\n'), /no record of a run/)
  await refuses(seal([{ ...head, version: 9 }]), /has version 9; version 1 can be read/)
  await refuses(gzipSync(`${JSON.stringify(head)}\n{"type":"end","lines":1,"sha256":"0"}\n`), /was changed/)
  await refuses(gzipSync(Buffer.alloc(17 * 2 ** 20, 'x')), /A line of the record has more than 16 MiB/)
  await openFile(page, record)
  await stands(page, /^Step 1 of/)
  assert.equal(await page.getByRole('alert').count(), 0)
})

const evil = [
  '<script>globalThis.ran=1</script><img src=x onerror="globalThis.ran=1">',
  '[press](javascript:globalThis.ran=1) ![see](https://evil.example/x.png)',
  '\u001b]8;;javascript:ran=1\u0007press\u001b]8;;\u0007 \u001b[31mred',
  '\u202egnp.exe\u200b\u{e0041}',
].join('\n\n')
const odd = [evil, null, 1e308, [], { toString: 1, valueOf: 1 }, 'x'.repeat(200_000)]

test('whatever stands in a record is shown as text, hides nothing and does nothing', async () => {
  const names = [
    'thought',
    'tool_name',
    'tool_input',
    'tool_output',
    'observation',
    'created_at',
    'duration_ms',
    'turn',
  ]
  const types = [
    'ACTION',
    'ERROR',
    'FINAL_ANSWER',
    'PR_EVALUATION',
    'INITIAL_PR_GENERATION',
    'AGENT_RUN_LINK',
    'USER_COMMENT',
    'PLAN_EVALUATION',
    evil,
  ]
  let seq = 0
  const entries = types.flatMap((message_type) =>
    odd.map((value) => {
      const deep = {
        body: value,
        author: value,
        url: value,
        number: value,
        title: value,
        checks: [value, { name: value, conclusion: value, excerpt: value }],
        steps: [value, { text: value, status: value }],
        agent_run_id: value,
        relation: value,
        verdict: value,
        message: value,
        code: value,
      }
      const fields = {
        ...Object.fromEntries(names.map((name) => [name, value])),
        tool_input: { command: value, path: value },
        tool_output: {
          diff: `--- a/${value === evil ? evil : 'x'}\n+++ b/x\n@@ -1 +1 @@\n+${evil}`,
          output: value,
          exit_code: value,
          total: value,
        },
      }
      return {
        type: 'entry',
        entry: { ...fields, message_type, seq: ++seq, observation: typeof value === 'string' ? value : deep },
      }
    }),
  )
  const steps = odd.flatMap((value) => [
    {
      type: 'step',
      key: evil,
      kind: 'model',
      turn: value,
      request: { model: value, said: [{ text: value }], basis: { system: value } },
      response: {
        model: value,
        text: value,
        thought: value,
        end: value,
        calls: [{ name: evil, input: { [evil]: value } }],
        inputTokens: value,
        outputTokens: 1,
      },
    },
    {
      type: 'step',
      key: evil,
      kind: 'tool',
      request: { name: value, input: { a: value } },
      response: { text: value, isError: true },
    },
    { type: 'step', key: evil, kind: 'ask', request: { text: value }, response: { answer: value } },
    { type: 'step', key: evil, kind: 'model', request: value, response: { summary: value } },
  ])
  const page = await openNew('/record')
  await openFile(page, seal([{ ...head, repository: evil, branch: evil }, ...steps, ...entries]), '<img src=x>.gz')
  await stands(page, /^Step 1 of/)
  const count = steps.length + entries.length
  let colored = 0
  for (let n = 1; n <= count; n++) {
    await stands(page, `Step ${n} of ${count}`)
    for (const summary of await step(page).locator('details:not([open]) > summary').all()) await summary.click()
    assert.equal(await page.locator(strangers).count(), 0)
    colored += await step(page).locator('.a-red').count()
    assert.doesNotMatch(await page.locator('main').innerText(), /[\u202e\u200b]/)
    await page
      .getByRole('button', { name: 'Next', exact: true })
      .click({ noWaitAfter: true, timeout: n < count ? 60_000 : 1 })
      .catch(() => {})
  }
  assert.ok(colored > 0, 'colors of terminals are shown as colors')
  assert.equal(await page.evaluate(() => 'ran' in globalThis), false)
})

const strangers =
  'script:not([src^="/assets/"]), iframe, object, embed, main img, base, [href^="javascript" i], [onerror], [onload]'

test('a record of 100,000 steps is opened, and the page holds only what is on the screen', async () => {
  const steps = Array.from({ length: 100_000 }, (_, n) => ({
    type: 'step',
    step: n + 1,
    turn: 1,
    key: `t1/tool/${n}`,
    kind: 'tool',
    seq: null,
    request: { name: 'shell', input: { command: `echo ${n}` } },
    response: { text: String(n) },
  }))
  const page = await openNew('/record')
  await openFile(page, seal([head, ...steps]))
  await stands(page, 'Step 1 of 100,000')
  await page.getByRole('button', { name: 'Last' }).click()
  await page.locator('.replay-list button[aria-current]', { hasText: 'echo 99999' }).waitFor()
  assert.ok((await page.locator('.replay-list li').count()) < 100)
})

const looks: Record<string, BrowserContextOptions> = {
  'in the light': { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  'in the dark': { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  'on a phone': { viewport: { width: 360, height: 740 }, colorScheme: 'light', hasTouch: true, isMobile: true },
}
for (const [look, options] of Object.entries(looks)) {
  test(`the pages of records can be used by everybody, ${look}`, async () => {
    const page = await open('/record', { ...options, bypassCSP: true })
    await page.getByText('Open the record of a run').waitFor()
    assert.deepEqual(await findFaults(page), [])
    await page.goto(`${service.url}/record?example=true&step=6`)
    await stands(page, /^Step 6 of/)
    assert.deepEqual(await findFaults(page), [])
    await page.goto(`${service.url}/runs/${service.organizationId}/${run.id}?tab=replay&step=2`)
    await stands(page, /^Step 2 of/)
    assert.deepEqual(await findFaults(page), [])
  })
}

async function findFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const faults = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run: () => Promise<{ violations: Violation[] }> } }
    type Violation = { id: string; nodes: { html: string; failureSummary?: string }[] }
    const { violations } = await axe.run()
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html.slice(0, 200)} ${nodes[0]!.failureSummary ?? ''}`)
  })
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  return beyond > 0 ? [...faults, `${beyond} pixels too wide`] : faults
}

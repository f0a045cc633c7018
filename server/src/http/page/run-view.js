// What a run looks like. Everything that an agent, a tool or a person wrote is put in as text, never as markup.

import { diffLines, element, prose } from './run-text.js'

const statusWords = {
  queued: 'Queued',
  in_progress: 'Working',
  waiting_for_user: 'Needs you',
  paused: 'Paused',
  completed: 'Done',
  failed: 'Failed',
  cancelled: 'Stopped',
}
const shown = new Set()

const part = (id) => document.getElementById(id)

/** Appends the entries that are not on the page yet. */
export function showEntries(entries) {
  for (const entry of entries) {
    if (shown.has(entry.seq)) continue
    shown.add(entry.seq)
    part('entries').append(entryItem(entry))
  }
}

/** Shows all of a run but its log. */
export function showRun(run, diff) {
  const word = statusWords[run.status] ?? run.status
  document.title = `${word} · ${run.title ?? `Run ${run.id}`} · Runwright`
  part('title').textContent = run.title ?? `Run ${run.id}`
  part('status').hidden = false
  part('status').className = `status ${run.status}`
  part('status').textContent =
    run.status === 'in_progress' && run.status_detail ? `${word}: ${run.status_detail.replaceAll('_', ' ')}` : word
  showPulls(run.github_pull_requests)
  showOutcome(run)
  showFacts(run)
  part('changes').hidden = !diff
  part('diff').replaceChildren(...diffLines(diff))
}

function showPulls(pulls) {
  part('pulls').hidden = !pulls.length
  part('pull-list').replaceChildren(
    ...pulls.map((pull) => {
      const state = pull.merged ? 'merged' : pull.state
      return element('li', {}, [
        link(pull.url, `#${pull.number} ${pull.title}`),
        element('span', { class: 'quiet' }, [` ${state}, from ${pull.head_branch_name}`]),
      ])
    }),
  )
}

function showOutcome({ status, error, summary, result }) {
  const failed = status === 'failed' && error
  const text = failed ? `${error.message} (${error.code})` : (summary ?? result)
  part('outcome').hidden = !text
  part('outcome').className = failed ? 'failed' : ''
  part('outcome-title').textContent = failed ? 'Why it failed' : 'Result'
  part('outcome-text').replaceChildren(...prose(text ?? ''))
}

function showFacts(run) {
  const { input_tokens: input, output_tokens: output, cost_usd: cost } = run.usage
  const facts = {
    Engine: run.model ? `${run.agent_type}, ${run.model}` : run.agent_type,
    Turn: run.turn,
    Branch: run.branch,
    Base: run.base_branch,
    Repository: run.repo_id,
    Tokens: input || output ? `${input.toLocaleString('en')} in, ${output.toLocaleString('en')} out` : null,
    Cost: cost === null ? null : `$${cost.toFixed(4)}`,
    Created: time(run.created_at),
    Finished: run.finished_at && time(run.finished_at),
  }
  const rows = Object.entries(facts).filter(([, value]) => value !== null && value !== undefined)
  part('facts').replaceChildren(
    ...rows.flatMap(([name, value]) => [element('dt', {}, [name]), element('dd', {}, [String(value)])]),
  )
}

function entryItem(entry) {
  const item = element('li', { class: `entry ${familyOf(entry.message_type)}`, id: `s${entry.seq}` }, [
    element('a', { class: 'time', href: `#s${entry.seq}`, title: entry.created_at }, [clock(entry.created_at)]),
  ])
  item.append(element('div', { class: 'said' }, contentOf(entry)))
  return item
}

function familyOf(type) {
  if (type.startsWith('USER_')) return 'user'
  if (type === 'PR_CREATION_FAILED') return 'error'
  if (type.includes('PR')) return 'pull'
  return { ACTION: 'tool', PLAN_EVALUATION: 'plan', FINAL_ANSWER: 'answer', ERROR: 'error' }[type] ?? 'other'
}

function contentOf(entry) {
  const parts = []
  if (entry.thought) parts.push(...prose(entry.thought))
  if (entry.tool_name) parts.push(toolLine(entry))
  if (entry.observation !== null && !entry.tool_output) parts.push(...observationOf(entry))
  return parts.length ? parts : [element('p', { class: 'quiet' }, [entry.message_type])]
}

/** A tool call as one line; what went in and what came out is folded into it. */
function toolLine(entry) {
  const { tool_name: name, tool_input: input, tool_output: output, duration_ms: duration } = entry
  const summary = element('summary', {}, [element('b', {}, [name]), element('code', {}, [gistOf(input)])])
  const exit = output?.exit_code
  if (typeof exit === 'number' && exit !== 0) summary.append(element('span', { class: 'exit' }, [`exit ${exit}`]))
  if (output?.repeated) summary.append(element('span', { class: 'quiet' }, ['repeated']))
  if (duration !== null) summary.append(element('span', { class: 'quiet' }, [durationWords(duration)]))
  const details = element('details', {}, [summary, element('pre', {}, [textOf(input)])])
  if (output) details.append(element('pre', {}, [textOf(output)]))
  return details
}

function gistOf(input) {
  const first = Object.values(input ?? {}).find((value) => typeof value === 'string')
  return first === undefined ? '' : first.split('\n', 1)[0].slice(0, 200)
}

function observationOf({ message_type: type, observation }) {
  if (typeof observation === 'string') return prose(observation)
  if (type === 'INITIAL_PR_GENERATION') {
    return [element('p', {}, ['Opened ', link(observation.url, `#${observation.number} ${observation.title}`)])]
  }
  const message = observation.message ?? observation.body
  const code = observation.code ? [element('span', { class: 'quiet' }, [` ${observation.code}`])] : []
  if (message) return [element('p', { class: 'prose' }, [message, ...code])]
  return [element('pre', {}, [textOf(observation)])]
}

/** The texts of an object as they are, the rest as JSON. */
function textOf(value) {
  const entries = Object.entries(value ?? {})
  return entries
    .map(([name, item]) => `${name}: ${typeof item === 'string' ? item : JSON.stringify(item, null, 2)}`)
    .join('\n')
}

/** A link only where it leads to a page; anything else is shown as text. */
function link(url, text) {
  const isPage = URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol)
  return isPage ? element('a', { href: url, rel: 'noopener noreferrer nofollow' }, [text]) : element('span', {}, [text])
}

const clock = (text) => new Date(text).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const time = (text) => new Date(text).toLocaleString()
const durationWords = (ms) => (ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`)

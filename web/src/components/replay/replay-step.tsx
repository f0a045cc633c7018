import { useState, type ReactElement } from 'react'
import type { AgentRunLog } from '@runwright/sdk'
import type { RecordStep, ShownCall, StepContent } from '#records/run-record.ts'
import { EntryBody } from '#components/trace/entry-body.tsx'
import { countOf, formatClock, formatCount, formatDuration, formatExactly } from '#ui/format.ts'
import { JsonText } from '#ui/json-text.tsx'
import { Markdown } from '#ui/markdown.tsx'
import { Terminal } from '#ui/terminal.tsx'
import { kindWords } from './kind-words.ts'

type Props = { step: RecordStep; content: StepContent; startedAt: number | null }

/** Everything that the record has of one step. */
export function ReplayStep({ step, content, startedAt }: Props): ReactElement {
  const { entry, call, result, question, reply, rest } = content
  return (
    <article className="replay-step" aria-labelledby="replay-title">
      <h2 id="replay-title">
        <span className={step.isFailure ? 'tag failed tone' : 'tag'}>{kindWords[step.kind]}</span>
        <span className="truncate">{step.title}</span>
      </h2>
      <Facts step={step} content={content} startedAt={startedAt} />
      {step.kind === 'model' && <Model content={content} />}
      {question !== null && <Text title="Asked" text={question} />}
      {reply !== null && <Text title="Answered" text={reply} />}
      {call && !entry && <Call call={call} title="Called" />}
      {entry && <LogEntry key={step.n} entry={entry} />}
      {result !== null && (
        <details open={!entry}>
          <summary>What the model read of the result</summary>
          <Terminal text={result} label="What the model read of the result" />
        </details>
      )}
      {call && entry && (
        <details>
          <summary>All arguments of the call</summary>
          <JsonText value={call.input ?? {}} label={`Arguments of ${call.name}`} />
        </details>
      )}
      {rest !== null && rest !== undefined && (
        <details>
          <summary>As it is stored</summary>
          <JsonText value={rest} label="As it is stored" />
        </details>
      )}
    </article>
  )
}

function Facts({ step, content, startedAt }: Props): ReactElement {
  const { model, inputTokens, outputTokens, entry } = content
  return (
    <div className="replay-facts">
      <span>Turn {step.turn}</span>
      {step.at !== null && startedAt !== null && (
        <span className="num">
          <time dateTime={new Date(step.at).toISOString()} title={formatExactly(new Date(step.at).toISOString())}>
            {formatClock(Math.max(0, step.at - startedAt))}
          </time>{' '}
          since the start
        </span>
      )}
      {entry && entry.duration_ms !== null && <span className="num">took {formatDuration(entry.duration_ms)}</span>}
      {entry && <span>log entry #{entry.seq}</span>}
      {inputTokens !== null && outputTokens !== null && inputTokens + outputTokens > 0 && (
        <span className="num">
          {formatCount(inputTokens)} tokens in, {formatCount(outputTokens)} out
        </span>
      )}
      {model !== null && <code>{model}</code>}
    </div>
  )
}

function Model({ content }: { content: StepContent }): ReactElement {
  const { system, messages, thought, text, calls, end } = content
  return (
    <>
      {system !== null && (
        <details>
          <summary>Instructions that the model was given</summary>
          <Terminal text={system} label="Instructions that the model was given" />
        </details>
      )}
      {messages.map((words, index) => (
        <Text key={index} title="The model was told" text={words} />
      ))}
      {thought !== null && <Prose title="It thought" text={thought} />}
      {text !== null && <Prose title="It said" text={text} />}
      {calls.length > 0 && <h3>It called {countOf(calls.length, 'tool')}</h3>}
      {calls.map((call, index) => (
        <Call key={index} call={call} />
      ))}
      {end !== null && end !== 'answered' && <p className="muted">It ended as “{end.replaceAll('_', ' ')}”.</p>}
    </>
  )
}

function Call({ call: { name, input }, title }: { call: ShownCall; title?: string }): ReactElement {
  return (
    <section>
      {title && <h3>{title}</h3>}
      <p className="mono">{name}</p>
      {input && Object.keys(input).length > 0 && <JsonText value={input} label={`Arguments of ${name}`} />}
    </section>
  )
}

function Text({ title, text }: { title: string; text: string }): ReactElement {
  return (
    <section>
      <h3>{title}</h3>
      <Terminal text={text} label={title} />
    </section>
  )
}

function Prose({ title, text }: { title: string; text: string }): ReactElement {
  return (
    <section>
      <h3>{title}</h3>
      <div className="prose">
        <Markdown text={text} />
      </div>
    </section>
  )
}

/** As the trace of the run shows it, opened. */
function LogEntry({ entry }: { entry: AgentRunLog }): ReactElement {
  const [isOpen, setOpen] = useState(true)
  return (
    <section aria-label="Log entry">
      <EntryBody entry={entry} isOpen={isOpen} isReader={false} onFold={(_, isOpen) => setOpen(isOpen)} />
    </section>
  )
}

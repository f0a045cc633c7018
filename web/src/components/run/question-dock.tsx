import type { AgentRun, Question } from '@runwright/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState, type FormEvent, type ReactElement } from 'react'
import { client } from '#base/api.ts'
import { Button } from '#ui/button.tsx'
import { Elapsed } from '#ui/elapsed.tsx'
import { Icon } from '#ui/icon.tsx'
import { Kbd } from '#ui/kbd.tsx'
import { Markdown } from '#ui/markdown.tsx'
import { useKeys } from '#ui/use-keys.ts'
import { Fault } from '#components/fault.tsx'

/** What the agent asks: its options by number, and one's own words always. */
export function QuestionDock({ run, question }: { run: AgentRun; question: Question }): ReactElement {
  const id = useId()
  const [words, setWords] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  const queries = useQueryClient()
  const isPlan = question.kind === 'plan'
  // A plan is approved by the button alone.
  const options = isPlan ? [] : question.options
  const answer = useMutation({
    mutationFn: (text: string) =>
      client.questions.answerQuestion({
        org_id: run.organization_id,
        agent_run_id: run.id,
        n: question.n,
        answer: text,
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['run', run.organization_id, run.id] }),
  })
  useKeys(Object.fromEntries(options.slice(0, 9).map((option, n) => [String(n + 1), () => setChosen(option)])))
  const text = words.trim() || (isPlan ? 'approve' : chosen)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text && !answer.isPending) answer.mutate(text)
  }
  return (
    <form className="ask" aria-labelledby={id} onSubmit={submit}>
      <header>
        <Icon name="question" className="tone waiting_for_user" />
        <b>{isPlan ? 'A plan to approve' : 'The agent asks'}</b>
        <span>
          waiting <Elapsed from={Date.parse(question.created_at)} to={null} form="clock" />
        </span>
      </header>
      <div className="in">
        <div className="q prose" id={id}>
          <Markdown text={question.text} />
        </div>
        <Options id={id} options={options} chosen={words.trim() ? null : chosen} onChoose={setChosen} />
        {answer.error && <Fault error={answer.error} />}
        <div className="row">
          <label className="sr-only" htmlFor={`${id}-own`}>
            Answer in your own words
          </label>
          <input
            className="input grow"
            id={`${id}-own`}
            placeholder={
              isPlan
                ? 'Or say what should change'
                : options.length
                  ? 'Or answer in your own words'
                  : 'Answer in your own words'
            }
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
          <Button type="submit" look="primary" isBusy={answer.isPending} disabled={!text}>
            {isPlan ? (words.trim() ? 'Ask for changes' : 'Approve the plan') : 'Answer'}
          </Button>
        </div>
      </div>
    </form>
  )
}

type OptionsProps = {
  id: string
  options: string[]
  chosen: string | null
  onChoose: (option: string) => void
}

function Options({ id, options, chosen, onChoose }: OptionsProps): ReactElement | null {
  if (!options.length) return null
  return (
    <div className="stack" style={{ gap: 6 }} role="radiogroup" aria-labelledby={id}>
      {options.map((option, n) => (
        <button
          key={option}
          className="option"
          type="button"
          role="radio"
          aria-checked={chosen === option}
          onClick={() => onChoose(option)}
        >
          {n < 9 && <Kbd>{String(n + 1)}</Kbd>}
          <b>{option}</b>
        </button>
      ))}
    </div>
  )
}

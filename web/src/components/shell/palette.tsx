import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState, type KeyboardEvent, type ReactElement } from 'react'
import { organizationsQuery, reposQuery, runsQuery } from '#base/api.ts'
import { Icon, type IconName } from '#ui/icon.tsx'
import { Kbd } from '#ui/kbd.tsx'
import { switchTheme } from '#ui/theme.ts'
import { nameOfRepo } from '#base/name-of-repo.ts'
import { findActions, findPlaces, type PageAction } from '#components/page-actions.ts'
import { titleOf } from '#components/run-title.tsx'
import { signOut } from './sign-out.ts'
import { StatusGlyph } from '#components/status-glyph.tsx'

const shownOfEach = 8

type Choice = { id: string; group: string; text: string; hint?: string; mark: ReactElement; act: () => unknown }

/** Every place and every action, found by typing. */
export function Palette({ organizationId, onClose }: { organizationId: number; onClose: () => void }): ReactElement {
  const node = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const choices = useChoices(organizationId, text)
  useEffect(() => {
    const dialog = node.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  const choose = (choice: Choice | undefined) => {
    if (!choice) return
    onClose()
    choice.act()
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setAt((at + step + choices.length) % Math.max(1, choices.length))
    else if (event.key === 'Enter') choose(choices[at])
    else return
    event.preventDefault()
  }
  return (
    <dialog
      ref={node}
      className="palette"
      aria-label="Command palette"
      onCancel={onClose}
      onClick={(event) => event.target === node.current && onClose()}
    >
      <div className="palette-input">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={choices[at] ? `choice-${choices[at].id}` : undefined}
          aria-label="Search runs and commands"
          placeholder="Search or type a command"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setAt(0)
          }}
          onKeyDown={press}
        />
        <Kbd>Esc</Kbd>
      </div>
      <ul id="palette-list" role="listbox" aria-label="Results">
        {choices.map((choice, n) => (
          <Option
            key={choice.id}
            {...choice}
            isFirst={choice.group !== choices[n - 1]?.group}
            isAt={n === at}
            onChoose={() => choose(choice)}
          />
        ))}
      </ul>
      {!choices.length && <p className="empty faint">No matching runs or commands.</p>}
    </dialog>
  )
}

function Option({
  id,
  group,
  text,
  hint,
  mark,
  isFirst,
  isAt,
  onChoose,
}: Choice & { isFirst: boolean; isAt: boolean; onChoose: () => void }): ReactElement {
  const node = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isAt) node.current?.scrollIntoView({ block: 'nearest' })
  }, [isAt])
  return (
    <>
      {isFirst && (
        <li className="group" role="presentation">
          {group}
        </li>
      )}
      <li ref={node} role="option" id={`choice-${id}`} aria-selected={isAt} onClick={onChoose}>
        {mark}
        <span className="grow truncate">{text}</span>
        {hint && <span className="small faint">{hint}</span>}
      </li>
    </>
  )
}

function useChoices(organizationId: number, text: string): Choice[] {
  const navigate = useNavigate()
  const words = text.trim()
  const { data } = useQuery(runsQuery(organizationId, words ? { q: words } : {}, 8))
  const { data: repos } = useQuery(reposQuery(organizationId))
  const { data: organizations } = useQuery(organizationsQuery())
  // As the page was when the palette was opened.
  const [found] = useState(() => ({ actions: findActions(), places: findPlaces() }))
  const to = { params: { organizationId } }
  const command = (group: string, text: string, icon: IconName, act: () => unknown): Choice => ({
    id: `${group}-${text}`.replaceAll(' ', '-'),
    group,
    text,
    mark: <Icon name={icon} />,
    act,
  })
  const ofPage = ({ text, icon, press }: PageAction, group: string) => command(group, text, icon, press)
  const choices = [
    ...found.actions.map((action) => ofPage(action, 'On this page')),
    command('Go to', 'Start a run', 'plus', () => navigate({ to: '/runs/$organizationId', ...to, hash: 'start' })),
    command('Go to', 'Runs that need you', 'question', () =>
      navigate({ to: '/runs/$organizationId', ...to, search: { show: 'needs' } }),
    ),
    ...found.places.map((place) => ofPage(place, 'Go to')),
    ...(repos ?? []).map((repo) =>
      command('Go to', `Runs in ${nameOfRepo(repo)}`, 'repo', () =>
        navigate({ to: '/runs/$organizationId', ...to, search: { repo: repo.id } }),
      ),
    ),
    ...(organizations ?? [])
      .filter(({ id }) => id !== organizationId)
      .map(({ id, name }) =>
        command('Go to', `Switch to ${name}`, 'users', () =>
          navigate({ to: '/runs/$organizationId', params: { organizationId: id } }),
        ),
      ),
    command('Go to', 'All organizations', 'users', () => navigate({ to: '/', search: { all: true } })),
    command('Do', 'Change theme', 'moon', switchTheme),
    command('Do', 'Sign out', 'back', () => void signOut()),
  ].filter((choice) => choice.text.toLowerCase().includes(words.toLowerCase()))
  const runs = (data?.items ?? []).map((run) => ({
    id: `run-${run.id}`,
    group: 'Runs',
    text: titleOf(run),
    hint: `#${run.id}`,
    mark: <StatusGlyph status={run.status} />,
    act: () => navigate({ to: '/runs/$organizationId/$runId', params: { organizationId, runId: run.id } }),
  }))
  // Without a word, the first few of each kind; the rest is found by typing.
  return words ? [...choices, ...runs] : [...firstOfEach(choices), ...runs]
}

function firstOfEach(choices: Choice[]): Choice[] {
  const counts = new Map<string, number>()
  return choices.filter(({ group }) => {
    const count = (counts.get(group) ?? 0) + 1
    counts.set(group, count)
    return count <= shownOfEach
  })
}

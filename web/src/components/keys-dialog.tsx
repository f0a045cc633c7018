import type { ReactElement } from 'react'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Kbd } from '#ui/kbd.tsx'

const keys: [string[], string][] = [
  [['Ctrl', 'K'], 'Search or run a command'],
  [['N'], 'Start a run'],
  [['J', 'K'], 'Next or previous row, entry or step'],
  [['P'], 'Play or stop a replay'],
  [['Enter'], 'Open or close the selected entry'],
  [['[', ']'], 'Previous or next failure'],
  [['F'], 'Follow the log'],
  [['G'], 'Jump to latest'],
  [['/'], 'Search on this page'],
  [['V'], 'Full, reader, timeline; conversation, files'],
  [['Y'], 'Copy link to the entry'],
  [['.'], 'Stop the run (asks first)'],
  [['C'], 'Comment on the pull request'],
  [['1', '9'], 'Choose an answer'],
  [['Ctrl', 'Enter'], 'Send'],
  [['?'], 'Keyboard shortcuts'],
]

export function KeysDialog({ onClose }: { onClose: () => void }): ReactElement {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      <dl className="kv keys">
        {keys.map(([names, does]) => (
          <div key={does}>
            <dt>
              {names.map((name) => (
                <Kbd key={name}>{name}</Kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

import type { ReactElement } from 'react'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import type { RunOptions } from './options.ts'

type Images = RunOptions['images']

/** The images that go with the prompt, each of which can be taken out again. */
export function ImageChips({ images, onChange }: { images: Images; onChange: (images: Images) => void }): ReactElement {
  return (
    <>
      {images.map(({ name }, n) => (
        <span key={`${name}${String(n)}`} className="chip on-sunken">
          <Icon name="image" size={12} />
          <span className="truncate">{name}</span>
          <Button look="ghost sm square" aria-label={`Remove ${name}`} onClick={() => onChange(images.toSpliced(n, 1))}>
            <Icon name="x" size={12} />
          </Button>
        </span>
      ))}
    </>
  )
}

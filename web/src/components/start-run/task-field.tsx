import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef, type ReactElement } from 'react'
import { ImageChips } from './image-chips.tsx'
import type { RunOptions } from './options.ts'

type Props = {
  prompt: string
  images: RunOptions['images']
  /** What is wrong with an image that was pasted or dropped. */
  fault: string | null
  onPrompt: (prompt: string) => void
  onFiles: (files: File[]) => void
  onImages: (images: RunOptions['images']) => void
}

/** What the agent is to do: words, and images that are pasted among them. */
export function TaskField({ prompt, images, fault, onPrompt, onFiles, onImages }: Props): ReactElement {
  const field = useRef<HTMLTextAreaElement>(null)
  const { hash } = useLocation()
  useEffect(() => {
    if (hash === 'start') field.current?.focus()
  }, [hash])
  return (
    <>
      <label className="sr-only" htmlFor="prompt">
        What should the agent do?
      </label>
      <textarea
        id="prompt"
        ref={field}
        data-start
        placeholder="What should the agent do, and how will you know it's done?"
        value={prompt}
        onChange={(event) => onPrompt(event.target.value)}
        onPaste={(event) => {
          if (!event.clipboardData.files.length) return
          event.preventDefault()
          onFiles([...event.clipboardData.files])
        }}
        onKeyDown={(event) => {
          if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') event.currentTarget.form?.requestSubmit()
        }}
      />
      {(images.length > 0 || fault) && (
        <div className="composer-images">
          <ImageChips images={images} onChange={onImages} />
          {fault && <span className="tone failed small">{fault}</span>}
        </div>
      )}
    </>
  )
}

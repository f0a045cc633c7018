import { createContext, use, type ReactElement, type ReactNode } from 'react'

/** The words that somebody searches for, in lower case; empty when nobody searches. */
export const SearchedWords = createContext('')

/** A text with the words marked that somebody searches for. */
export function Found({ text }: { text: string }): ReactElement {
  const words = use(SearchedWords)
  if (!words || !text) return <>{text}</>
  const lower = text.toLowerCase()
  // Some letters change their length in lower case, and then positions no longer match.
  if (lower.length !== text.length) return <>{text}</>
  const parts: ReactNode[] = []
  let from = 0
  for (let at = lower.indexOf(words); at >= 0; at = lower.indexOf(words, from)) {
    parts.push(
      text.slice(from, at),
      <mark key={at} className="hit">
        {text.slice(at, at + words.length)}
      </mark>,
    )
    from = at + words.length
  }
  parts.push(text.slice(from))
  return <>{parts}</>
}

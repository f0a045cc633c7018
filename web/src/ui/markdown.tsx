import { lexer, type Token, type Tokens } from 'marked'
import { Fragment, memo, type ReactElement, type ReactNode } from 'react'
import { DiffTable } from './diff-table.tsx'
import { Found } from './found.tsx'
import { PageLink } from './page-link.tsx'
import { readDiff } from './read-diff.ts'
import { unescape } from './unescape.ts'

/** Longer texts are shown as they are: nothing that an agent writes may keep the page busy. */
const charactersMax = 40_000

/** The Markdown that people and agents write, as elements. HTML in it is text like any other. */
export const Markdown = memo(function Markdown({ text }: { text: string }): ReactElement {
  if (text.length > charactersMax)
    return (
      <pre className="term">
        <Found text={text} />
      </pre>
    )
  return <>{blocks(lexer(text))}</>
})

const blocks = (tokens: Token[]): ReactNode[] => tokens.map((token, n) => <Fragment key={n}>{block(token)}</Fragment>)
const inlines = (tokens: Token[] | undefined, text: string): ReactNode =>
  tokens?.map((token, n) => <Fragment key={n}>{inline(token)}</Fragment>) ?? <Found text={unescape(text)} />

function block(token: Token): ReactNode {
  switch (token.type) {
    case 'paragraph':
      return <p>{inlines(token.tokens, token.text as string)}</p>
    case 'heading':
      return <p className="strong">{inlines(token.tokens, token.text as string)}</p>
    case 'code':
      return <Code {...(token as Tokens.Code)} />
    case 'blockquote':
      return <blockquote>{blocks(token.tokens ?? [])}</blockquote>
    case 'list':
      return list(token as Tokens.List)
    case 'table':
      return table(token as Tokens.Table)
    case 'hr':
      return <hr />
    case 'space':
    case 'def':
      return null
    case 'text':
      return inlines(token.tokens, token.text as string)
    default:
      return (
        <p>
          <Found text={token.raw} />
        </p>
      )
  }
}

function Code({ lang, text }: Tokens.Code): ReactElement {
  const [file] = lang === 'diff' ? readDiff(text) : []
  if (file) return <DiffTable hunks={file.hunks} label={file.path} />
  if (lang === 'suggestion') {
    return (
      <div className="suggestion">
        <p>Suggested change</p>
        <pre className="term" tabIndex={0} role="group" aria-label="Suggested change">
          {text}
        </pre>
      </div>
    )
  }
  return (
    <pre className="term" tabIndex={0} role="group" aria-label="Code">
      <Found text={text} />
    </pre>
  )
}

function list({ ordered, start, items }: Tokens.List): ReactElement {
  const children = items.map((item, n) => (
    <li key={n}>
      {item.task && (
        <input type="checkbox" checked={item.checked ?? false} disabled aria-label={item.checked ? 'Done' : 'To do'} />
      )}
      {blocks(item.tokens)}
    </li>
  ))
  return ordered ? <ol start={typeof start === 'number' ? start : 1}>{children}</ol> : <ul>{children}</ul>
}

function table({ header, rows }: Tokens.Table): ReactElement {
  return (
    <div className="scroll-x" tabIndex={0} role="group" aria-label="Table">
      <table className="table">
        <thead>
          <tr>
            {header.map((cell, n) => (
              <th key={n}>{inlines(cell.tokens, cell.text)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, n) => (
            <tr key={n}>
              {row.map((cell, m) => (
                <td key={m}>{inlines(cell.tokens, cell.text)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function inline(token: Token): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inlines(token.tokens, token.text as string)}</strong>
    case 'em':
      return <em>{inlines(token.tokens, token.text as string)}</em>
    case 'del':
      return <del>{inlines(token.tokens, token.text as string)}</del>
    case 'codespan':
      return (
        <code>
          <Found text={token.text as string} />
        </code>
      )
    case 'br':
      return <br />
    case 'link':
      return <PageLink href={token.href as string}>{inlines(token.tokens, token.text as string)}</PageLink>
    // A picture would be fetched from wherever the agent says.
    case 'image':
      return `[${token.text as string}]`
    case 'escape':
      return <Found text={token.text as string} />
    case 'text':
      return inlines(token.tokens, token.text as string)
    default:
      return <Found text={token.raw} />
  }
}

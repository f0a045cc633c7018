// What is tested here is what compiles: `npm run check` fails where a line marked `@ts-expect-error` does compile.
import { test } from 'node:test'
import { jsonOf } from './json-of.ts'
import { defineRoute } from './route.ts'

const read = {
  method: 'GET',
  path: '/v1/example',
  operationId: 'getExample',
  tag: 'Examples',
  summary: 'Get an example',
  policy: null,
  access: 'public',
} as const
const comment = { ...read, success: { status: 200, description: 'The comment.', component: 'IssueComment' } } as const
const comments = { ...read, success: { status: 200, description: 'All.', component: 'IssueCommentPage' } } as const
const text = { ...read, success: { status: 200, description: 'The text.', mediaType: 'text/plain' } } as const

const whole = { id: 1, user_id: 2, body: 'Looks good.', created_at: '2026-01-31T00:00:00.000Z' }
const lacking = { id: 1, user_id: 2, body: 'Looks good.' }
const misnamed = { ...lacking, createdAt: whole.created_at }
const mistyped = { ...whole, created_at: new Date() }
const emptied = { ...whole, body: null }
const page = { total: 1, page: 1, size: 50, pages: 1 }

test('an answer that lacks or misnames a field of its component, or mistakes its type, does not compile', () => {
  defineRoute({ ...comment, handle: async () => whole })
  // @ts-expect-error: no `created_at`
  defineRoute({ ...comment, handle: async () => lacking })
  // @ts-expect-error: `createdAt` in place of `created_at`
  defineRoute({ ...comment, handle: async () => misnamed })
  // @ts-expect-error: a date in place of its text
  defineRoute({ ...comment, handle: async () => mistyped })
  // @ts-expect-error: null where that is not allowed
  defineRoute({ ...comment, handle: async () => emptied })
  // @ts-expect-error: nothing
  defineRoute({ ...comment, handle: async () => {} })
})

test('so does one that has it in an item of a page', () => {
  defineRoute({ ...comments, handle: async () => ({ items: [whole], ...page }) })
  // @ts-expect-error: no `created_at` in the item
  defineRoute({ ...comments, handle: async () => ({ items: [lacking], ...page }) })
  // @ts-expect-error: no numbers of the page
  defineRoute({ ...comments, handle: async () => ({ items: [whole] }) })
})

test('so does what is kept to be given again, and what is answered as JSON already', () => {
  defineRoute({ ...comment, handle: async ({ db, keep }) => keep(db, whole).then(() => whole) })
  // @ts-expect-error: no `created_at` in what is kept
  defineRoute({ ...comment, handle: async ({ db, keep }) => keep(db, lacking).then(() => whole) })
  defineRoute({ ...comment, isTagged: true, handle: async () => jsonOf(whole) })
  // @ts-expect-error: no `created_at` in the JSON
  defineRoute({ ...comment, isTagged: true, handle: async () => jsonOf(lacking) })
  // @ts-expect-error: a text of whatever content
  defineRoute({ ...comment, isTagged: true, handle: async () => JSON.stringify(whole) })
})

test('a text is a text, an empty answer may be anything, and a component has to exist', () => {
  defineRoute({ ...text, handle: async () => 'a text' })
  // @ts-expect-error: an object in place of a text
  defineRoute({ ...text, handle: async () => whole })
  defineRoute({ ...read, success: { status: 204, description: 'Done.' }, handle: async () => whole })
  // @ts-expect-error: neither a component nor another type
  defineRoute({ ...read, success: { status: 200, description: 'What?' }, handle: async () => whole })
  // @ts-expect-error: no component has this name
  defineRoute({ ...read, success: { status: 200, description: 'What?', component: 'Comment' }, handle: async () => 1 })
})

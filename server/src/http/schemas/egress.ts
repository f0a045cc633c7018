import { Type, type Static } from 'typebox'
import { limits } from '#base/limits.ts'
import { egressReasons, presetNames, type EgressReason } from '#domain/egress/egress.ts'
import { Component, Nullable, Ordinal, pageNumbers, Time, Word } from './fields.ts'

const Names = Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
  maxItems: limits.egressNamesMax,
  description:
    'Hosts by name: `example.com`, `*.example.com` for all below it, with `:port` for another port than 443 and 80.',
})
const Presets = Type.Array(Word(presetNames), {
  maxItems: presetNames.length,
  description: 'What programs of one kind fetch from.',
})

const FromFile = Type.Boolean({
  description: 'Whether `.runwright.yml` of a base branch may let the runs of its repository reach more.',
})

/** What is left out is none. */
export const NewEgress = Type.Object({
  allow: Type.Optional(Names),
  presets: Type.Optional(Presets),
  from_file: Type.Optional(FromFile),
})

const EgressBody = Type.Object(
  {
    allow: Names,
    presets: Presets,
    names: Type.Array(Type.String(), {
      description:
        'All that runs there may reach: what the presets stand for, and of a repository its organization’s too.',
    }),
    from_file: FromFile,
  },
  { $id: 'Egress', title: 'Egress' },
)

const reasons = Object.keys(egressReasons) as EgressReason[]
const counted = Type.Integer({ minimum: 0 })

const EgressRequestBody = Type.Object(
  {
    n: Ordinal,
    at: Time,
    name: Type.String({ description: 'As it was asked for, where that was no name.' }),
    port: Type.Integer({ minimum: 0, maximum: 65_535, description: '0 where none was to be read.' }),
    allowed: Type.Boolean(),
    reason: Nullable(Word(reasons, { description: 'Why it was refused, or, being allowed, failed.' })),
    sent_bytes: Nullable(
      Type.Integer({ minimum: 0, description: 'Null until it has ended, and where it was refused.' }),
    ),
    received_bytes: Nullable(counted),
  },
  { $id: 'EgressRequest', title: 'EgressRequest' },
)

const EgressRequestPage = Type.Object(
  {
    items: Type.Array(Component<Static<typeof EgressRequestBody>>('EgressRequest')),
    ...pageNumbers,
    asked: Type.Integer({
      minimum: 0,
      description: 'How often the run has asked in all, also beyond what is recorded.',
    }),
    refused: Type.Integer({ minimum: 0, description: 'How often it was refused.' }),
  },
  { $id: 'EgressRequestPage', title: 'EgressRequestPage' },
)

export const egressComponents = [EgressBody, EgressRequestBody, EgressRequestPage]

import { Type, type Static } from 'typebox'
import { limits } from '#base/limits.ts'
import { egressReasons, presetNames, type EgressReason } from '#domain/repos/egress/egress.ts'
import { Component, Nullable, Ordinal, pageNumbers, Time, Word } from './fields.ts'

const Names = Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
  maxItems: limits.egressNamesMax,
  description:
    'Allowed host names: `example.com`, or `*.example.com` for all of its subdomains. Add `:port` for ports other than 443 and 80.',
})
const Presets = Type.Array(Word(presetNames), {
  maxItems: presetNames.length,
  description: 'Predefined sets of hosts, each for one kind of program.',
})

const FromFile = Type.Boolean({
  description: 'Whether `.runwright.yml` on a base branch may allow more hosts for runs of its repository.',
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
        'All host names that runs may reach, including those of the presets. For a repository, also those of its organization.',
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
    name: Type.String({ description: 'The requested host name, or the text as requested if it was not a valid name.' }),
    port: Type.Integer({ minimum: 0, maximum: 65_535, description: '0 if the port could not be read.' }),
    allowed: Type.Boolean(),
    reason: Nullable(
      Word(reasons, { description: 'Why the request was refused, or why it failed although it was allowed.' }),
    ),
    sent_bytes: Nullable(
      Type.Integer({ minimum: 0, description: 'Null if the request was refused, or has not ended yet.' }),
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
      description: 'Total number of requests, including those that were not recorded.',
    }),
    refused: Type.Integer({ minimum: 0, description: 'Number of requests that were refused.' }),
  },
  { $id: 'EgressRequestPage', title: 'EgressRequestPage' },
)

export const egressComponents = [EgressBody, EgressRequestBody, EgressRequestPage]

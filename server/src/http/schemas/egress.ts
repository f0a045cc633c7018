import { Type } from 'typebox'
import { limits } from '#base/limits.ts'
import { egressReasons, presetNames, type EgressReason } from '#domain/repos/egress/egress.ts'
import { Component, Nullable, Ordinal, pageNumbers, RefTo, Time, Word } from './fields.ts'

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

const EgressBody = Component('Egress', {
  allow: Names,
  presets: Presets,
  names: Type.Array(Type.String(), {
    description:
      'All host names that runs may reach, including those of the presets. For a repository, also those of its organization.',
  }),
  from_file: FromFile,
})

const reasons = Object.keys(egressReasons) as EgressReason[]
const counted = Type.Integer({ minimum: 0 })

const EgressRequestBody = Component('EgressRequest', {
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
})

const EgressRequestPage = Component('EgressRequestPage', {
  items: Type.Array(RefTo(EgressRequestBody)),
  ...pageNumbers,
  asked: Type.Integer({
    minimum: 0,
    description: 'Total number of requests, including those that were not recorded.',
  }),
  refused: Type.Integer({ minimum: 0, description: 'Number of requests that were refused.' }),
})

export const egressComponents = [EgressBody, EgressRequestBody, EgressRequestPage]

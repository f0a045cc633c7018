import { Type } from 'typebox'
import { Id, Labels, Nullable, PageOf } from './fields.ts'

const RepoBody = Type.Object(
  {
    id: Id,
    name: Type.String(),
    full_name: Type.String(),
    description: Nullable(Type.String()),
    github_id: Type.String(),
    organization_id: Id,
    visibility: Type.String(),
    archived: Type.Boolean(),
    setup_status: Type.String(),
    language: Nullable(Type.String()),
    host: Type.String({ description: 'The code host, such as "local" for the built-in one.' }),
    default_branch: Type.String(),
    setup_commands: Nullable(Type.String()),
    git_url: Type.String({ description: 'Where git works, with a token as password.' }),
    default_models: Type.Array(Type.String()),
    labels: Labels,
  },
  { $id: 'Repository', title: 'Repository' },
)

export const repoComponents = [RepoBody, PageOf('Repository')]

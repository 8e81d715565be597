import { resource } from 'restitch'
import { GQLEndpoint } from 'restitch/graphql'
import { ApiEndpoint, Versioned } from './api.ts'
import { Person } from './people.ts'

export class Project extends Versioned {
  /** The beginning of its issues' keys, such as WEB. */
  key = ''
  name = ''
  description = ''
  lead = Person.fromJS()
  color = 'gray'
  issueCount = 0
  openCount = 0
  // What GraphQL knows of it; empty until it was asked.
  open = 0
  done = 0
  byStatus: { status: string; count: number }[] = []
  byPerson: { person: Person; open: number; done: number }[] = []
  weekly: { week: string; opened: number; closed: number }[] = []
  static override key = 'Project'
  static override schema = { lead: Person, byPerson: [{ person: Person }] }
}

const gql = new GQLEndpoint('/api/graphql', {
  getHeaders: (headers) => ApiEndpoint.prototype.getHeaders(headers),
})

/** REST and GraphQL in one resource: both write the same rows, so that a name changed by one is new for the other. */
export const ProjectResource = resource({
  path: '/projects/:id',
  schema: Project,
  body: {} as Partial<Pick<Project, 'name' | 'description'>>,
  Endpoint: ApiEndpoint,
  optimistic: true,
}).extend(() => ({
  // Not called `id`: a project that REST has brought would answer for it, without its numbers.
  stats: gql.query(
    (_: { project: string }) => `query ($project: ID!) {
      projectStats(id: $project) {
        id name open done
        byStatus { status count }
        byPerson { person { id name avatar color } open done }
        weekly { week opened closed }
      }
    }`,
    { projectStats: Project },
  ),
  rename: gql
    .mutation(
      (_: { id: string; name: string }) => `mutation ($id: ID!, $name: String!) {
        renameProject(id: $id, name: $name) { id name }
      }`,
      { renameProject: Project },
    )
    .extend({ getOptimisticResponse: (_snapshot, project) => ({ renameProject: project }) }),
}))

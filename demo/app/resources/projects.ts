import { resource } from 'restitch'
import { GQLEndpoint } from 'restitch/graphql'
import { ApiEndpoint, explain, Versioned } from './api.ts'
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
  static override key = 'Project'
  static override schema = { lead: Person }
}

/** A project with numbers that only GraphQL returns. It shares the rows of Project, and is fetched if its numbers are missing. */
export class MeasuredProject extends Project {
  open = 0
  done = 0
  byStatus: { status: string; count: number }[] = []
  byPerson: { person: Person; open: number; done: number }[] = []
  weekly: { week: string; opened: number; closed: number }[] = []
  static override schema = { ...Project.schema, byPerson: [{ person: Person }] }
}

const gql = new GQLEndpoint('/api/graphql', {
  getHeaders: (headers) => ApiEndpoint.prototype.getHeaders(headers),
  async fetchResponse(input, init) {
    try {
      return await fetch(input, init)
    } catch (error) {
      throw explain(error)
    }
  },
})

/** REST and GraphQL in one resource: both write the same rows, so a name changed by one is updated in the other. */
export const ProjectResource = resource({
  path: '/projects/:id',
  schema: Project,
  body: {} as Partial<Pick<Project, 'name' | 'description'>>,
  Endpoint: ApiEndpoint,
  optimistic: true,
}).extend(() => ({
  stats: gql.query(
    (_: { id: string }) => `query ($id: ID!) {
      projectStats(id: $id) {
        id name open done
        byStatus { status count }
        byPerson { person { id name avatar color } open done }
        weekly { week opened closed }
      }
    }`,
    { projectStats: MeasuredProject },
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

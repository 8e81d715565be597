import { expectTypeOf, test } from 'vitest'
import { Controller } from '../controller/Controller.ts'
import { resource } from '../rest/resource.ts'
import { Collection } from './Collection.ts'
import { Entity } from './Entity.ts'

/** Relates to its own class. */
class Person extends Entity {
  id = ''
  friend: Person | undefined = undefined
  friends: Person[] = []
  static override key = 'Person'
  static override schema = { friend: Person, friends: [Person] }
}

/** Relates to a class that is declared later. */
class Team extends Entity {
  id = ''
  lead: Member | undefined = undefined
  static override key = 'Team'
  static override schema = {
    get lead() {
      return Member
    },
  }
}
class Member extends Entity {
  id = ''
  team: Team | undefined = undefined
  teams: Team[] = []
  static override key = 'Member'
  static override schema = { team: Team, teams: [Team] }
}

/** With a schema that is assigned when both classes exist. */
class Project extends Entity {
  id = ''
  tasks: Task[] = []
  static override key = 'Project'
}
class Task extends Entity {
  id = ''
  project: Project | undefined = undefined
  static override key = 'Task'
  static override schema = { project: Project }
}
Project.schema = { tasks: new Collection([Task], { nestKey: ({ id }: Project) => ({ project: id }) }) }

/** With the annotations that isolated declarations need. */
class Post extends Entity {
  id = ''
  author: Author | undefined = undefined
  static override key = 'Post'
  static override schema: { author: typeof Author } = {
    get author() {
      return Author
    },
  }
}
class Author extends Entity {
  id = ''
  posts: Post[] = []
  static override key = 'Author'
  static override schema: { posts: (typeof Post)[] } = { posts: [Post] }
}

const { fetch } = new Controller()
const People = resource({ path: '/people/:id', schema: Person })
const Teams = resource({ path: '/teams/:id', schema: Team })
const Members = resource({ path: '/members/:id', schema: Member })
const Projects = resource({ path: '/projects/:id', schema: Project })
const Posts = resource({ path: '/posts/:id', schema: Post })

test('ENT-23 entities that relate to one another need no any', () => {
  const reads = async (): Promise<void> => {
    expectTypeOf(await fetch(People.get, { id: 1 })).toEqualTypeOf<Person>()
    expectTypeOf(await fetch(Teams.get, { id: 1 })).toEqualTypeOf<Team>()
    expectTypeOf(await fetch(Members.getList)).toEqualTypeOf<Member[]>()
    expectTypeOf(await fetch(Projects.get, { id: 1 })).toEqualTypeOf<Project>()
    expectTypeOf(await fetch(Posts.get, { id: 1 })).toEqualTypeOf<Post>()
    expectTypeOf((await People.get({ id: 1 })).friend!.friends[0]!.id).toEqualTypeOf<string>()
    expectTypeOf((await Members.get({ id: 1 })).teams[0]!.lead!.team!.id).toEqualTypeOf<string>()
    await People.create({ friend: { id: 5 }, friends: [{ friend: '6' }] })
    // @ts-expect-error: misspelt, two relations deep
    await Members.create({ team: { lead: { ix: 5 } } })
  }
  expectTypeOf(reads).toBeFunction()
})

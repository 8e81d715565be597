import type { Api, Services } from '../api.ts'
import { Problem } from '../problem.ts'
import { readComment, readComments } from '../records.ts'
import { refuseStale, revise } from '../revise.ts'
import { found, integer, readFields, readId, readJson, text } from '../validate.ts'

const READ_ONLY = ['id', 'issue', 'author', 'createdAt']

export function addCommentRoutes(app: Api, { db, clock, events }: Services): void {
  const shape = { body: text(1, 5000), revision: integer(1, 1e9) }

  app.get('/api/issues/:issue/comments', (c) => {
    const issue = readId(c, 'issue')
    found(db.get('SELECT 1 FROM issues WHERE id = ?', issue), 'issue')
    return c.json(readComments(db, issue))
  })

  app.post('/api/issues/:issue/comments', async (c) => {
    const issue = readId(c, 'issue')
    const { body = '' } = readFields(await readJson(c), shape, { required: ['body'], ignored: READ_ONLY })
    found(db.get('SELECT 1 FROM issues WHERE id = ?', issue), 'issue')
    const id = events.write((note) => {
      const now = new Date(clock.now()).toISOString()
      const id = db.insert('comments', { issue, author: c.get('person'), body, createdAt: now })
      db.run(
        `INSERT INTO activity (at, project, person, issue, key, title, kind, text)
          SELECT ?, project, ?, id, key, title, 'commented', 'commented' FROM issues WHERE id = ?`,
        now,
        c.get('person'),
        issue,
      )
      note('comment', id, 'create')
      // It counts its comments.
      note('issue', issue)
      return id
    })
    return c.json(readComment(db, id), 201)
  })

  app.patch('/api/comments/:id', async (c) => {
    const id = readId(c)
    const { revision, ...fields } = readFields(await readJson(c), shape, { ignored: READ_ONLY })
    refuseStale(revision, findOwn(id, c.get('person')).revision)
    events.write((note) => {
      revise(db, 'comments', id, fields)
      note('comment', id)
    })
    return c.json(readComment(db, id))
  })

  app.delete('/api/comments/:id', (c) => {
    const id = readId(c)
    const { issue } = findOwn(id, c.get('person'))
    events.write((note) => {
      db.run('DELETE FROM comments WHERE id = ?', id)
      note('comment', id, 'delete')
      note('issue', issue)
    })
    return c.body(null, 204)
  })

  function findOwn(id: number, person: number): { issue: number; revision: number } {
    const comment = found(
      db.get<{ issue: number; author: number; revision: number }>('SELECT * FROM comments WHERE id = ?', id),
      'comment',
    )
    if (comment.author !== person) {
      throw new Problem(403, 'Only its author can change a comment.')
    }
    return comment
  }
}

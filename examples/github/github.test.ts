import { expect, test } from 'vitest'
import { describeApp } from '../shared/testing.ts'
import { createApi } from './server.ts'

const LOGIN = ['Sign in', 'Code []', '(Sign in)']
const HEAD = '(Repositories) Mona Lisa (Sign out)'
const HOME = [HEAD, '[]', 'Your 2 repositories', '(acme/anvil)', '(acme/rocket)']
const REPO = [
  HEAD,
  'acme/anvil',
  'A small anvil',
  '30 stars, 4 watching, about physics and comedy',
  '(Issues) (Activity)',
]
const ISSUE = [HEAD, '(← acme/anvil)', 'Problem number 12', '#12 by hubert, open', 'What to do about number 12?']
const API = '/api/repos/acme/anvil'

describeApp('github', createApi, (app) => {
  const click = (name: string) => app.page.getByRole('button', { name, exact: true }).click()

  async function signIn(code = 'secret'): Promise<void> {
    await app.page.getByLabel('Code').fill(code)
    await click('Sign in')
  }

  async function openRepo(): Promise<void> {
    await app.open()
    await signIn()
    await click('acme/anvil')
    await app.sees(...REPO, ...issues(12, 8), '(More issues)')
    await app.sent('POST /api/login', 'POST /api/graphql', `GET ${API}`, `GET ${API}/issues`)
  }

  test('sends nothing without a code, says that one is wrong, and signs in with the right one', async () => {
    await app.open()
    await app.sees(...LOGIN)
    await app.sent()
    await signIn('wrong')
    await app.sees('Sign in', 'Code []', 'Bad credentials', '(Sign in)')
    await app.sent('POST /api/login 401')
    await signIn()
    await app.sees(...HOME)
    await app.sent('POST /api/login', 'POST /api/graphql')
    await click('Sign out')
    await app.sees(...LOGIN)
    await app.sent()
  })

  test('searches in a nested envelope, once for what was typed', async () => {
    await app.open()
    await signIn()
    await app.sees(...HOME)
    await app.page.getByLabel('Search').pressSequentially('cat')
    await app.sees(HEAD, '[cat]', '1 found', '(acme/catapult)')
    await app.sent('POST /api/login', 'POST /api/graphql', 'GET /api/search/repositories?q=cat')
    await app.page.getByLabel('Search').fill('')
    await app.sees(...HOME)
    await app.page.getByLabel('Search').fill('cat')
    await app.sees(HEAD, '[cat]', '1 found', '(acme/catapult)')
    await app.sent()
  })

  test('loads issues by the link header until the last page', async () => {
    await openRepo()
    await click('More issues')
    await app.sees(...REPO, ...issues(12, 3), '(More issues)')
    await click('More issues')
    await app.sees(...REPO, ...issues(12, 1))
    await app.sent(`GET ${API}/issues?page=2`, `GET ${API}/issues?page=3`)

    // All of it is still there after a look elsewhere.
    await click('Repositories')
    await app.sees(...HOME)
    await click('acme/anvil')
    await app.sees(...REPO, ...issues(12, 1))
    await app.sent()
  })

  test('shows events of several kinds', async () => {
    await openRepo()
    await click('Activity')
    await app.sees(
      ...REPO,
      'hubert pushed 2 commits to main',
      'cleo opened “Problem number 12”',
      'mona starred the repository',
    )
    await app.sent(`GET ${API}/events`)
  })

  test('reacts at once, and takes the reaction back', async () => {
    await openRepo()
    await click('Problem number 12')
    await app.sees(...ISSUE, '(👍 0) (❤️ 1) (🚀 0)')
    await app.sent(`GET ${API}/issues/12`, `GET ${API}/issues/12/reactions`)

    const release = await app.hold(/reactions/)
    await click('heart')
    await app.sees(...ISSUE, '(👍 0) (❤️ 2) (🚀 0)')
    expect(await app.page.getByLabel('heart').getAttribute('aria-pressed')).toBe('true')
    release()
    await app.sent(`POST ${API}/issues/12/reactions`)
    await app.sees(...ISSUE, '(👍 0) (❤️ 2) (🚀 0)')
    await click('heart')
    await app.sees(...ISSUE, '(👍 0) (❤️ 1) (🚀 0)')
    expect(await app.page.getByLabel('heart').getAttribute('aria-pressed')).toBe('false')
    await app.sent(`DELETE ${API}/issues/12/reactions/2`)
  })

  test('takes a reaction back that the server refuses', async () => {
    await openRepo()
    await click('Problem number 12')
    await app.sees(...ISSUE, '(👍 0) (❤️ 1) (🚀 0)')
    await app.fail(/reactions/, 403, { message: 'The conversation is locked' })
    await click('rocket')
    await app.sees(...ISSUE, '(👍 0) (❤️ 1) (🚀 0) The conversation is locked')
    await app.sent(`GET ${API}/issues/12`, `GET ${API}/issues/12/reactions`, `POST ${API}/issues/12/reactions 403`)
  })

  test('refreshes an expired token, and repeats the request; each refresh token is used once', async () => {
    await openRepo()
    app.api.expire()
    await click('Activity')
    await app.page.getByText('mona starred the repository').waitFor()
    await app.sent(`GET ${API}/events 401`, 'POST /api/refresh', `GET ${API}/events`)
    app.api.expire()
    await click('Issues')
    await click('Problem number 12')
    await app.sees(...ISSUE, '(👍 0) (❤️ 1) (🚀 0)')
    await app.sent(
      `GET ${API}/issues/12 401`,
      'POST /api/refresh',
      `GET ${API}/issues/12`,
      `GET ${API}/issues/12/reactions`,
    )
  })

  test('goes back to the login form when the token is revoked, and keeps nothing', async () => {
    await openRepo()
    app.api.revoke()
    await click('Activity')
    await app.sees(...LOGIN)
    await app.sent(`GET ${API}/events 401`, 'POST /api/refresh 401')
  })
})

function issues(first: number, last: number): string[] {
  return Array.from({ length: first - last + 1 }, (_, index) => {
    const number = first - index
    return `(Problem number ${number}) #${number} by ${number % 2 ? 'cleo' : 'hubert'}`
  })
}

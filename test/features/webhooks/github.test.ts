import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { standard } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { place } from '../../support/places.ts'
import { newest, post, webhook } from '../../support/webhooks.ts'

const parley = await standard()
const [alice] = await passersBy(parley, 'alice')
const { channel_id } = await place(alice)
const { url } = await webhook(alice, channel_id, 'Hook')

/** Sends an event. @returns the newest message of the channel afterwards */
async function embedOf(event: string, body: string, headers: Record<string, string> = {}) {
  const sent = await post(alice, `${url}/github`, body, { headers: { 'x-github-event': event, ...headers } })
  expect(sent.status).toBe(204)
  return newest(alice, channel_id)
}
const payload = (name: string) => Bun.file(join(import.meta.dir, 'github', `${name}.json`)).text()

// Each file is a documented payload of https://github.com/octokit/webhooks, payload-examples/api.github.com.
const DOCUMENTED: Record<string, string> = {
  ping: '[Octocoders/Hello-World] Webhook connected',
  pull_request: '[Codertocat/Hello-World] Pull request opened: #2 Update the README with new information.',
  pull_request_review_comment:
    '[Codertocat/Hello-World] New comment on pull request #2 Update the README with new information.',
  issues: '[Codertocat/Hello-World] Issue opened: #1 Spelling error in the README file',
  issue_comment: '[Codertocat/Hello-World] New comment on issue #1 Spelling error in the README file',
  commit_comment: '[Codertocat/Hello-World] New comment on commit 6113728',
  discussion: '[Codertocat/Hello-World] Discussion created: #4 TEST edit',
  discussion_comment: '[Codertocat/Hello-World] New comment on discussion #4 TEST edit',
  release: '[Codertocat/Hello-World] New release published: 0.0.1',
  check_run: '[Codertocat/Hello-World] Check Octocoders-linter: success',
  workflow_run: '[octo-org/octo-repo] Workflow test: success',
  create: '[Codertocat/Hello-World] tag simple-tag created',
  delete: '[Codertocat/Hello-World] tag simple-tag deleted',
  fork: '[Codertocat/Hello-World] Fork created: Octocoders/Hello-World',
  star: '[Codertocat/Hello-World] New star',
  repository: '[Octocoders/Hello-World] Repository created',
}

test('events in GitHub’s documented form become embeds, as JSON and as a form', async () => {
  for (const [event, title] of Object.entries(DOCUMENTED)) {
    const { embeds } = await embedOf(event, await payload(event))
    const author = event === 'fork' ? 'Octocoders' : 'Codertocat'
    expect([event, embeds[0].title, embeds[0].author.name]).toEqual([event, title, author])
  }
  const form = `payload=${encodeURIComponent(await payload('push'))}`
  const { embeds } = await embedOf('push', form, { 'content-type': 'application/x-www-form-urlencoded' })
  expect(embeds[0].title).toBe('[Codertocat/Hello-World:master] 1 new commit')
  expect(embeds[0].description).toMatch(/^\[`[0-9a-f]{7}`\]\(<https:\/\/github\.com\//)
})

test('an embed names how a pull request, a review and a push ended', async () => {
  const pull = JSON.parse(await payload('pull_request'))
  const review = JSON.parse(await payload('pull_request_review'))
  const push = JSON.parse(await payload('push'))
  const merged = { ...pull.pull_request, merged: true }
  const judged = (state: string) => ({ ...review, review: { ...review.review, state } })
  const cases: [event: string, given: object, title: string][] = [
    ['pull_request', { ...pull, action: 'closed' }, 'Pull request closed: #2'],
    ['pull_request', { ...pull, action: 'closed', pull_request: merged }, 'Pull request merged: #2'],
    ['pull_request_review', judged('approved'), 'Pull request review approved: #2'],
    ['pull_request_review', judged('changes_requested'), 'Pull request review changes requested: #2'],
    ['push', { ...push, forced: true }, '1 new commit (forced)'],
    ['push', { ...push, forced: true, commits: [] }, 'master] force-pushed'],
    ['push', { ...push, created: true, commits: [] }, 'master] created'],
    ['push', { ...push, deleted: true, commits: [] }, 'master deleted'],
  ]
  for (const [event, payload, title] of cases)
    expect((await embedOf(event, JSON.stringify(payload))).embeds[0].title).toContain(title)
})

// Fields from https://docs.github.com/en/webhooks/webhook-events-and-payloads; values of our own.
const REPOSITORY = {
  repository: { full_name: 'birds/marsh', html_url: 'https://github.com/birds/marsh' },
  sender: { login: 'heron', html_url: 'https://github.com/heron' },
}
const SHA = '0123456789abcdef0123456789abcdef01234567'
const deployed = { deployment: { sha: SHA, ref: 'main', environment: 'production', description: null } }
const state = (name: string) => ({
  ...deployed,
  action: 'created',
  deployment_status: {
    state: name,
    description: '',
    environment: 'production',
    target_url: '',
    log_url: 'https://ci/1',
  },
})
const checked = (name: string) => ({
  sha: SHA,
  context: 'ci/build',
  state: name,
  target_url: null,
  description: 'Built in *2* s',
  commit: { html_url: 'https://github.com/birds/marsh/commit/0123' },
  branches: [{ name: 'main' }],
})
const alerted = (action: string) => ({
  action,
  alert: {
    number: 20,
    dependency: { package: { ecosystem: 'npm', name: 'semver' } },
    security_advisory: { summary: 'Slow on long input', severity: 'high' },
    html_url: 'https://github.com/birds/marsh/security/dependabot/20',
  },
})
const leaked = {
  action: 'created',
  alert: { number: 3, secret_type: 'key', secret_type_display_name: 'A key', html_url: 'https://github.com/x' },
}
const planned = (action: string) => ({
  action,
  milestone: { title: 'v1.0', description: 'First flight', html_url: 'https://github.com/birds/marsh/milestone/1' },
})
const page = (name: string) => ({
  page_name: name,
  title: name,
  summary: null,
  action: 'edited',
  html_url: 'https://w/x',
})

test('deployments, statuses, alerts, milestones and pages of a wiki become embeds', async () => {
  const cases: [event: string, given: object, title: string, description: string | null][] = [
    ['deployment', { ...deployed, action: 'created' }, 'Deployment to production created', 'main 0123456'],
    ['deployment_status', state('success'), 'Deployment to production: success', 'main 0123456'],
    ['deployment_status', state('failure'), 'Deployment to production: failure', 'main 0123456'],
    ['status', checked('success'), 'Status ci/build: success', 'main 0123456\nBuilt in *2* s'],
    [
      'dependabot_alert',
      alerted('created'),
      'Dependabot alert created: #20 semver',
      'Slow on long input\nSeverity: high',
    ],
    ['dependabot_alert', alerted('fixed'), 'Dependabot alert fixed: #20 semver', 'Slow on long input\nSeverity: high'],
    ['secret_scanning_alert', leaked, 'Secret scanning alert created: #3 A key', null],
    ['milestone', planned('created'), 'Milestone created: v1.0', 'First flight'],
    ['milestone', planned('closed'), 'Milestone closed: v1.0', null],
    ['gollum', { pages: [page('Home')] }, '1 wiki page changed', 'edited [Home](<https://w/x>)'],
  ]
  for (const [event, payload, title, description] of cases) {
    const { embeds } = await embedOf(event, JSON.stringify({ ...REPOSITORY, ...payload }))
    expect([embeds[0].title, embeds[0].description]).toEqual([`[birds/marsh] ${title}`, description])
    expect(embeds[0].author.name).toBe('heron')
  }
  const many = { ...REPOSITORY, pages: Array.from({ length: 12 }, (_, n) => page(`Page ${n}`)) }
  expect((await embedOf('gollum', JSON.stringify(many))).embeds[0].description).toEndWith('… and 2 more')
})

test('uninteresting events stay silent', async () => {
  const { id } = await embedOf('star', await payload('star'))
  const pull = JSON.parse(await payload('pull_request'))
  const silent: [event: string, body: string][] = [
    ['workflow_job', '{"action":"queued"}'],
    ['__proto__', '{"action":"queued"}'],
    ['constructor', '{"action":"queued"}'],
    ['', '{"action":"queued"}'],
    ['pull_request', JSON.stringify({ ...pull, action: 'labeled' })],
    ['deployment_status', JSON.stringify(state('in_progress'))],
    ['deployment_status', JSON.stringify(state('__proto__'))],
    ['status', JSON.stringify(checked('pending'))],
    ['dependabot_alert', JSON.stringify(alerted('assignees_changed'))],
    ['milestone', JSON.stringify(planned('edited'))],
    ['gollum', '{"pages":[]}'],
    // A comment event announces the same review: the documented payload has no text.
    ['pull_request_review', await payload('pull_request_review')],
  ]
  for (const [event, body] of silent) expect([event, (await embedOf(event, body)).id]).toEqual([event, id])
})

// https://docs.gitea.com/usage/webhooks: its example, without the `secret` that versions since 1.14 do not send.
test('a push in Gitea’s documented form works by the URL for GitHub', async () => {
  const delivery = 'f6266f16-1bf3-46a5-9ea4-602e06ead473'
  const headers = {
    'x-github-delivery': delivery,
    'x-gogs-delivery': delivery,
    'x-gogs-event': 'push',
    'x-gitea-delivery': delivery,
    'x-gitea-event': 'push',
  }
  const { embeds } = await embedOf('push', await payload('gitea'), headers)
  const commit = 'http://localhost:3000/gitea/webhooks/commit/bffeb74224043ba2feb48d137756c8a9331c449a'
  expect(embeds).toMatchObject([
    {
      title: '[gitea/webhooks:develop] 1 new commit',
      url: commit,
      description: `[\`bffeb74\`](<${commit}>) Webhooks Yay! – gitea`,
      author: { name: 'gitea' },
    },
  ])
})

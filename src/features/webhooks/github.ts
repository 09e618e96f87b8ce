import { fitted } from './fitted.ts'
import { alert, deployment, deploymentStatus, milestone, status, wiki } from './github-operations.ts'
import {
  action,
  body,
  branchOf,
  COLORS,
  counted,
  firstLine,
  literal,
  OID_SHOWN,
  repository,
  safe,
  type Teller,
} from './github-payload.ts'
import { listAt, textAt, valueAt } from './given.ts'
import type { Post } from './post.ts'

const COMMITS_SHOWN = 10
const MESSAGE_MAX = 100

const push: Teller = (given) => {
  const commits = listAt(given, 'commits')
  const branch = branchOf(textAt(given, 'ref'))
  const at = `${repository(given)}:${branch}`
  const url = textAt(given, 'compare') || textAt(given, 'compare_url') || textAt(given, 'repository', 'html_url')
  if (valueAt(given, 'deleted') === true)
    return {
      title: `[${repository(given)}] ${branch} deleted`,
      url: textAt(given, 'repository', 'html_url'),
      color: COLORS.bad,
    }
  const isForced = valueAt(given, 'forced') === true
  if (commits.length === 0) {
    if (isForced) return { title: `[${at}] force-pushed`, url, color: COLORS.bad }
    return valueAt(given, 'created') === true ? { title: `[${at}] created`, url, color: COLORS.good } : undefined
  }
  const lines = commits.slice(0, COMMITS_SHOWN).map((commit) => {
    const oid = textAt(commit, 'id').slice(0, OID_SHOWN)
    const author = textAt(commit, 'author', 'username') || textAt(commit, 'author', 'name')
    const said = literal(firstLine(textAt(commit, 'message'), MESSAGE_MAX))
    return `[\`${oid.replaceAll(/[^\w]/g, '')}\`](<${safe(textAt(commit, 'url'))}>) ${said} – ${literal(author)}`
  })
  const more = commits.length > COMMITS_SHOWN ? [`… and ${commits.length - COMMITS_SHOWN} more`] : []
  return {
    title: `[${at}] ${counted(commits.length, 'new commit')}${isForced ? ' (forced)' : ''}`,
    url: commits.length === 1 ? textAt(commits[0], 'url') : url,
    description: [...lines, ...more].join('\n'),
    color: isForced ? COLORS.bad : COLORS.news,
  }
}

const numbered = (given: unknown, thing: string): string =>
  `#${textAt(given, thing, 'number')} ${textAt(given, thing, 'title')}`

const named = (kind: string, given: unknown, thing: string): string =>
  `[${repository(given)}] ${kind} ${action(given)}: ${numbered(given, thing)}`

const SILENT = new Set([
  'synchronize',
  'edited',
  'labeled',
  'unlabeled',
  'assigned',
  'unassigned',
  'milestoned',
  'demilestoned',
  'review_requested',
  'review_request_removed',
  'auto_merge_enabled',
  'auto_merge_disabled',
  'typed',
  'untyped',
  'enqueued',
  'dequeued',
])

const pullRequest: Teller = (given) => {
  const done = textAt(given, 'action')
  if (SILENT.has(done)) return undefined
  const isMerged = done === 'closed' && valueAt(given, 'pull_request', 'merged') === true
  const title = named('Pull request', given, 'pull_request')
  return {
    title: isMerged ? title.replace('Pull request closed', 'Pull request merged') : title,
    url: textAt(given, 'pull_request', 'html_url'),
    ...(done === 'opened' ? { description: body(textAt(given, 'pull_request', 'body')) } : {}),
    color: isMerged
      ? COLORS.merged
      : done === 'closed'
        ? COLORS.bad
        : done.includes('open')
          ? COLORS.good
          : COLORS.quiet,
  }
}

const issues: Teller = (given) => {
  const done = textAt(given, 'action')
  if (SILENT.has(done)) return undefined
  return {
    title: named('Issue', given, 'issue'),
    url: textAt(given, 'issue', 'html_url'),
    ...(done === 'opened' ? { description: body(textAt(given, 'issue', 'body')) } : {}),
    color: done === 'closed' ? COLORS.merged : done.includes('open') ? COLORS.good : COLORS.quiet,
  }
}

/** A comment on an issue or pull request. */
const commentOn =
  (thing: string, kind: string): Teller =>
  (given) =>
    textAt(given, 'action') === 'created'
      ? {
          title: `[${repository(given)}] New comment on ${kind} ${numbered(given, thing)}`,
          url: textAt(given, 'comment', 'html_url'),
          description: body(textAt(given, 'comment', 'body')),
          color: COLORS.quiet,
        }
      : undefined

const issueComment: Teller = (given) =>
  commentOn('issue', valueAt(given, 'issue', 'pull_request') === undefined ? 'issue' : 'pull request')(given)

const review: Teller = (given) => {
  const state = textAt(given, 'review', 'state').toLowerCase()
  const said = body(textAt(given, 'review', 'body'))
  if (textAt(given, 'action') !== 'submitted' || (state === 'commented' && said === '')) return undefined
  const verdict = state.replaceAll('_', ' ')
  return {
    title: `[${repository(given)}] Pull request review ${verdict}: ${numbered(given, 'pull_request')}`,
    url: textAt(given, 'review', 'html_url'),
    description: said,
    color: state === 'approved' ? COLORS.good : state === 'changes_requested' ? COLORS.bad : COLORS.quiet,
  }
}

const release: Teller = (given) => {
  if (!['published', 'released', 'prereleased'].includes(textAt(given, 'action'))) return undefined
  // GitHub sends both `published` and `released`; post only the first.
  if (textAt(given, 'action') !== 'published') return undefined
  const name = textAt(given, 'release', 'name') || textAt(given, 'release', 'tag_name')
  return {
    title: `[${repository(given)}] New release published: ${name}`,
    url: textAt(given, 'release', 'html_url'),
    description: body(textAt(given, 'release', 'body')),
    color: COLORS.good,
  }
}

/** The outcome of a check or a workflow; running ones are not posted. */
const ended =
  (thing: string, kind: string): Teller =>
  (given) => {
    const conclusion = textAt(given, thing, 'conclusion')
    if (conclusion === '' || textAt(given, 'action') !== 'completed') return undefined
    const branch = textAt(given, thing, 'head_branch') || textAt(given, thing, 'check_suite', 'head_branch')
    const oid = textAt(given, thing, 'head_sha').slice(0, OID_SHOWN)
    // A workflow run without a name uses the workflow's name.
    const name = textAt(given, thing, 'name') || textAt(given, 'workflow', 'name')
    return {
      title: `[${repository(given)}] ${kind} ${name}: ${conclusion.replaceAll('_', ' ')}`,
      url: textAt(given, thing, 'html_url'),
      description: `${literal(branch)} ${oid}`.trim(),
      color:
        conclusion === 'success'
          ? COLORS.good
          : /^(?:skipped|neutral|cancelled)$/.test(conclusion)
            ? COLORS.quiet
            : COLORS.bad,
    }
  }

/** A branch or tag that was created or deleted. Commits in it are posted by the push event. */
const refChange =
  (done: string, color: string): Teller =>
  (given) => ({
    title: `[${repository(given)}] ${textAt(given, 'ref_type')} ${textAt(given, 'ref')} ${done}`,
    url: textAt(given, 'repository', 'html_url'),
    color,
  })

const TELLERS: Record<string, Teller> = {
  ping: (given) => ({
    title: `[${repository(given) || textAt(given, 'organization', 'login')}] Webhook connected`,
    url: textAt(given, 'repository', 'html_url'),
    description: literal(textAt(given, 'zen')),
    color: COLORS.quiet,
  }),
  push,
  pull_request: pullRequest,
  issues,
  issue_comment: issueComment,
  pull_request_review: review,
  pull_request_review_comment: commentOn('pull_request', 'pull request'),
  discussion_comment: commentOn('discussion', 'discussion'),
  commit_comment: (given) => ({
    title: `[${repository(given)}] New comment on commit ${textAt(given, 'comment', 'commit_id').slice(0, OID_SHOWN)}`,
    url: textAt(given, 'comment', 'html_url'),
    description: body(textAt(given, 'comment', 'body')),
    color: COLORS.quiet,
  }),
  discussion: (given) =>
    textAt(given, 'action') === 'created'
      ? {
          title: named('Discussion', given, 'discussion'),
          url: textAt(given, 'discussion', 'html_url'),
          description: body(textAt(given, 'discussion', 'body')),
          color: COLORS.news,
        }
      : undefined,
  release,
  deployment,
  deployment_status: deploymentStatus,
  status,
  dependabot_alert: alert('Dependabot alert'),
  code_scanning_alert: alert('Code scanning alert'),
  secret_scanning_alert: alert('Secret scanning alert'),
  milestone,
  gollum: wiki,
  check_run: ended('check_run', 'Check'),
  workflow_run: ended('workflow_run', 'Workflow'),
  create: refChange('created', COLORS.good),
  delete: refChange('deleted', COLORS.bad),
  fork: (given) => ({
    title: `[${repository(given)}] Fork created: ${textAt(given, 'forkee', 'full_name')}`,
    url: textAt(given, 'forkee', 'html_url'),
    color: COLORS.quiet,
  }),
  star: (given) =>
    textAt(given, 'action') === 'created'
      ? { title: `[${repository(given)}] New star`, url: textAt(given, 'repository', 'html_url'), color: COLORS.quiet }
      : undefined,
  repository: (given) => ({
    title: `[${repository(given)}] Repository ${action(given)}`,
    url: textAt(given, 'repository', 'html_url'),
    color: COLORS.quiet,
  }),
}

/**
 * Converts an event of GitHub, or of a compatible service.
 * @param event the name in `X-GitHub-Event`
 * @returns undefined for an event that is not posted
 */
export function githubPost(event: string, given: unknown): Post | undefined {
  const tell = Object.hasOwn(TELLERS, event) ? TELLERS[event] : undefined
  const draft = tell?.(given)
  if (!draft) return undefined
  const author = { name: textAt(given, 'sender', 'login'), url: textAt(given, 'sender', 'html_url') }
  return {
    content: '',
    embeds: fitted([{ ...draft, author }]),
    mentions: { people: [], roles: [], everyone: false },
    pictures: [],
    author_name: null,
  }
}

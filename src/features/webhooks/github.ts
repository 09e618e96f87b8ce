import { fitEmbeds } from './fit-embeds.ts'
import { alert, deployment, deploymentStatus, milestone, status, wiki } from './github-operations.ts'
import {
  action,
  body,
  branchOf,
  COLORS,
  countOf,
  firstLine,
  literal,
  OID_SHOWN,
  repository,
  safe,
  type Teller,
} from './github-payload.ts'
import { listAt, textAt, valueAt } from './payload.ts'
import type { Post } from './post.ts'

const COMMITS_SHOWN = 10
const MESSAGE_MAX = 100

/** The first digits of a commit's id. */
const oidOf = (oid: string): string => oid.slice(0, OID_SHOWN)

const push: Teller = (payload) => {
  const commits = listAt(payload, 'commits')
  const branch = branchOf(textAt(payload, 'ref'))
  const place = `${repository(payload)}:${branch}`
  const url = textAt(payload, 'compare') || textAt(payload, 'compare_url') || textAt(payload, 'repository', 'html_url')
  if (valueAt(payload, 'deleted') === true)
    return {
      title: `[${repository(payload)}] ${branch} deleted`,
      url: textAt(payload, 'repository', 'html_url'),
      color: COLORS.bad,
    }
  const isForced = valueAt(payload, 'forced') === true
  if (commits.length === 0) {
    if (isForced) return { title: `[${place}] force-pushed`, url, color: COLORS.bad }
    return valueAt(payload, 'created') === true ? { title: `[${place}] created`, url, color: COLORS.good } : undefined
  }
  const lines = commits.slice(0, COMMITS_SHOWN).map((commit) => {
    const oid = oidOf(textAt(commit, 'id'))
    const author = textAt(commit, 'author', 'username') || textAt(commit, 'author', 'name')
    const message = literal(firstLine(textAt(commit, 'message'), MESSAGE_MAX))
    return `[\`${oid.replaceAll(/[^\w]/g, '')}\`](<${safe(textAt(commit, 'url'))}>) ${message} – ${literal(author)}`
  })
  const more = commits.length > COMMITS_SHOWN ? [`… and ${commits.length - COMMITS_SHOWN} more`] : []
  return {
    title: `[${place}] ${countOf(commits.length, 'new commit')}${isForced ? ' (forced)' : ''}`,
    url: commits.length === 1 ? textAt(commits[0], 'url') : url,
    description: [...lines, ...more].join('\n'),
    color: isForced ? COLORS.bad : COLORS.news,
  }
}

const numberAndTitle = (payload: unknown, key: string): string =>
  `#${textAt(payload, key, 'number')} ${textAt(payload, key, 'title')}`

const titleOf = (kind: string, payload: unknown, key: string): string =>
  `[${repository(payload)}] ${kind} ${action(payload)}: ${numberAndTitle(payload, key)}`

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

const pullRequest: Teller = (payload) => {
  const actionName = textAt(payload, 'action')
  if (SILENT.has(actionName)) return undefined
  const isMerged = actionName === 'closed' && valueAt(payload, 'pull_request', 'merged') === true
  const title = titleOf('Pull request', payload, 'pull_request')
  return {
    title: isMerged ? title.replace('Pull request closed', 'Pull request merged') : title,
    url: textAt(payload, 'pull_request', 'html_url'),
    ...(actionName === 'opened' ? { description: body(textAt(payload, 'pull_request', 'body')) } : {}),
    color: isMerged
      ? COLORS.merged
      : actionName === 'closed'
        ? COLORS.bad
        : actionName.includes('open')
          ? COLORS.good
          : COLORS.quiet,
  }
}

const issues: Teller = (payload) => {
  const actionName = textAt(payload, 'action')
  if (SILENT.has(actionName)) return undefined
  return {
    title: titleOf('Issue', payload, 'issue'),
    url: textAt(payload, 'issue', 'html_url'),
    ...(actionName === 'opened' ? { description: body(textAt(payload, 'issue', 'body')) } : {}),
    color: actionName === 'closed' ? COLORS.merged : actionName.includes('open') ? COLORS.good : COLORS.quiet,
  }
}

/** A comment on an issue or pull request. */
const commentOn =
  (key: string, kind: string): Teller =>
  (payload) =>
    textAt(payload, 'action') === 'created'
      ? {
          title: `[${repository(payload)}] New comment on ${kind} ${numberAndTitle(payload, key)}`,
          url: textAt(payload, 'comment', 'html_url'),
          description: body(textAt(payload, 'comment', 'body')),
          color: COLORS.quiet,
        }
      : undefined

const issueComment: Teller = (payload) =>
  commentOn('issue', valueAt(payload, 'issue', 'pull_request') === undefined ? 'issue' : 'pull request')(payload)

const review: Teller = (payload) => {
  const state = textAt(payload, 'review', 'state').toLowerCase()
  const comment = body(textAt(payload, 'review', 'body'))
  if (textAt(payload, 'action') !== 'submitted' || (state === 'commented' && comment === '')) return undefined
  const verdict = state.replaceAll('_', ' ')
  return {
    title: `[${repository(payload)}] Pull request review ${verdict}: ${numberAndTitle(payload, 'pull_request')}`,
    url: textAt(payload, 'review', 'html_url'),
    description: comment,
    color: state === 'approved' ? COLORS.good : state === 'changes_requested' ? COLORS.bad : COLORS.quiet,
  }
}

const release: Teller = (payload) => {
  if (!['published', 'released', 'prereleased'].includes(textAt(payload, 'action'))) return undefined
  // GitHub sends both `published` and `released`; post only the first.
  if (textAt(payload, 'action') !== 'published') return undefined
  const name = textAt(payload, 'release', 'name') || textAt(payload, 'release', 'tag_name')
  return {
    title: `[${repository(payload)}] New release published: ${name}`,
    url: textAt(payload, 'release', 'html_url'),
    description: body(textAt(payload, 'release', 'body')),
    color: COLORS.good,
  }
}

/** The outcome of a check or a workflow; running ones are not posted. */
const outcomeOf =
  (key: string, kind: string): Teller =>
  (payload) => {
    const conclusion = textAt(payload, key, 'conclusion')
    if (conclusion === '' || textAt(payload, 'action') !== 'completed') return undefined
    const branch = textAt(payload, key, 'head_branch') || textAt(payload, key, 'check_suite', 'head_branch')
    const oid = oidOf(textAt(payload, key, 'head_sha'))
    // A workflow run without a name uses the workflow's name.
    const name = textAt(payload, key, 'name') || textAt(payload, 'workflow', 'name')
    return {
      title: `[${repository(payload)}] ${kind} ${name}: ${conclusion.replaceAll('_', ' ')}`,
      url: textAt(payload, key, 'html_url'),
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
  (verb: string, color: string): Teller =>
  (payload) => ({
    title: `[${repository(payload)}] ${textAt(payload, 'ref_type')} ${textAt(payload, 'ref')} ${verb}`,
    url: textAt(payload, 'repository', 'html_url'),
    color,
  })

const TELLERS: Record<string, Teller> = {
  ping: (payload) => ({
    title: `[${repository(payload) || textAt(payload, 'organization', 'login')}] Webhook connected`,
    url: textAt(payload, 'repository', 'html_url'),
    description: literal(textAt(payload, 'zen')),
    color: COLORS.quiet,
  }),
  push,
  pull_request: pullRequest,
  issues,
  issue_comment: issueComment,
  pull_request_review: review,
  pull_request_review_comment: commentOn('pull_request', 'pull request'),
  discussion_comment: commentOn('discussion', 'discussion'),
  commit_comment: (payload) => ({
    title: `[${repository(payload)}] New comment on commit ${oidOf(textAt(payload, 'comment', 'commit_id'))}`,
    url: textAt(payload, 'comment', 'html_url'),
    description: body(textAt(payload, 'comment', 'body')),
    color: COLORS.quiet,
  }),
  discussion: (payload) =>
    textAt(payload, 'action') === 'created'
      ? {
          title: titleOf('Discussion', payload, 'discussion'),
          url: textAt(payload, 'discussion', 'html_url'),
          description: body(textAt(payload, 'discussion', 'body')),
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
  check_run: outcomeOf('check_run', 'Check'),
  workflow_run: outcomeOf('workflow_run', 'Workflow'),
  create: refChange('created', COLORS.good),
  delete: refChange('deleted', COLORS.bad),
  fork: (payload) => ({
    title: `[${repository(payload)}] Fork created: ${textAt(payload, 'forkee', 'full_name')}`,
    url: textAt(payload, 'forkee', 'html_url'),
    color: COLORS.quiet,
  }),
  star: (payload) =>
    textAt(payload, 'action') === 'created'
      ? {
          title: `[${repository(payload)}] New star`,
          url: textAt(payload, 'repository', 'html_url'),
          color: COLORS.quiet,
        }
      : undefined,
  repository: (payload) => ({
    title: `[${repository(payload)}] Repository ${action(payload)}`,
    url: textAt(payload, 'repository', 'html_url'),
    color: COLORS.quiet,
  }),
}

/**
 * Converts an event of GitHub, or of a compatible service.
 * @param event the name in `X-GitHub-Event`
 * @returns undefined for an event that is not posted
 */
export function githubPost(event: string, payload: unknown): Post | undefined {
  const teller = Object.hasOwn(TELLERS, event) ? TELLERS[event] : undefined
  const draft = teller?.(payload)
  if (!draft) return undefined
  const author = { name: textAt(payload, 'sender', 'login'), url: textAt(payload, 'sender', 'html_url') }
  return {
    content: '',
    embeds: fitEmbeds([{ ...draft, author }]),
    mentions: { people: [], roles: [], everyone: false },
    pictures: [],
    author_name: null,
  }
}

import {
  action,
  body,
  COLORS,
  countOf,
  firstLine,
  literal,
  OID_SHOWN,
  repository,
  safe,
  type Teller,
} from './github-payload.ts'
import { listAt, textAt } from './payload.ts'

// Events of GitHub about what runs, what is at risk, and what is planned and documented.

const PAGES_SHOWN = 10
const TITLE_MAX = 100

/** Colours by outcome; undefined while running. */
const ENDS: Record<string, string | undefined> = { success: COLORS.good, failure: COLORS.bad, error: COLORS.bad }
const endOf = (state: string): string | undefined => (Object.hasOwn(ENDS, state) ? ENDS[state] : undefined)

/** A ref and the first digits of a commit's id. */
const revision = (ref: string, sha: string): string => `${literal(ref)} ${sha.slice(0, OID_SHOWN)}`.trim()

export const deployment: Teller = (payload) => ({
  title: `[${repository(payload)}] Deployment to ${textAt(payload, 'deployment', 'environment')} created`,
  url: textAt(payload, 'repository', 'html_url'),
  description: revision(textAt(payload, 'deployment', 'ref'), textAt(payload, 'deployment', 'sha')),
  color: COLORS.quiet,
})

/** The outcome of a deployment. */
export const deploymentStatus: Teller = (payload) => {
  const field = (name: string) => textAt(payload, 'deployment_status', name)
  const color = endOf(field('state'))
  if (color === undefined) return undefined
  const environment = field('environment') || textAt(payload, 'deployment', 'environment')
  const target = revision(textAt(payload, 'deployment', 'ref'), textAt(payload, 'deployment', 'sha'))
  return {
    title: `[${repository(payload)}] Deployment to ${environment}: ${field('state')}`,
    url:
      field('log_url') || field('target_url') || field('environment_url') || textAt(payload, 'repository', 'html_url'),
    description: [target, body(field('description'))].filter((line) => line !== '').join('\n'),
    color,
  }
}

/** The outcome of a commit status, as reported by programs other than GitHub Apps. */
export const status: Teller = (payload) => {
  const color = endOf(textAt(payload, 'state'))
  if (color === undefined) return undefined
  const [branch] = listAt(payload, 'branches')
  const target = revision(textAt(branch, 'name'), textAt(payload, 'sha'))
  return {
    title: `[${repository(payload)}] Status ${textAt(payload, 'context')}: ${textAt(payload, 'state')}`,
    url: textAt(payload, 'target_url') || textAt(payload, 'commit', 'html_url'),
    description: [target, body(textAt(payload, 'description'))].filter((line) => line !== '').join('\n'),
    color,
  }
}

/** Alert actions that need attention, and those that close an alert. */
const URGENT = new Set([
  'created',
  'reopened',
  'reintroduced',
  'auto_reopened',
  'appeared_in_branch',
  'reopened_by_user',
])
const CLOSING = new Set(['fixed', 'resolved', 'closed_by_user', 'dismissed', 'auto_dismissed'])

/** An alert about the security of a repository. */
export const alert =
  (kind: string): Teller =>
  (payload) => {
    const actionName = textAt(payload, 'action')
    if (!URGENT.has(actionName) && !CLOSING.has(actionName)) return undefined
    const alertAt = (...path: string[]) => textAt(payload, 'alert', ...path)
    const subject =
      alertAt('dependency', 'package', 'name') ||
      alertAt('secret_type_display_name') ||
      alertAt('secret_type') ||
      alertAt('rule', 'name') ||
      alertAt('rule', 'id')
    const severity =
      alertAt('security_advisory', 'severity') ||
      alertAt('rule', 'security_severity_level') ||
      alertAt('rule', 'severity')
    const title = `#${alertAt('number')} ${firstLine(subject, TITLE_MAX)}`
    return {
      title: `[${repository(payload)}] ${kind} ${action(payload)}: ${title}`,
      url: alertAt('html_url'),
      description: [
        literal(firstLine(alertAt('security_advisory', 'summary') || alertAt('rule', 'description'), 4 * TITLE_MAX)),
        ...(severity === '' ? [] : [`Severity: ${literal(severity)}`]),
      ]
        .filter((line) => line !== '')
        .join('\n'),
      color: CLOSING.has(actionName) ? COLORS.good : /^(?:low|note)$/.test(severity) ? COLORS.news : COLORS.bad,
    }
  }

export const milestone: Teller = (payload) => {
  const actionName = textAt(payload, 'action')
  if (!['created', 'opened', 'closed', 'deleted'].includes(actionName)) return undefined
  return {
    title: `[${repository(payload)}] Milestone ${actionName}: ${textAt(payload, 'milestone', 'title')}`,
    url:
      actionName === 'deleted' ? textAt(payload, 'repository', 'html_url') : textAt(payload, 'milestone', 'html_url'),
    ...(actionName === 'created' ? { description: body(textAt(payload, 'milestone', 'description')) } : {}),
    color: actionName === 'closed' ? COLORS.merged : actionName === 'deleted' ? COLORS.bad : COLORS.good,
  }
}

/** Pages of a wiki that were created or changed. */
export const wiki: Teller = (payload) => {
  const pages = listAt(payload, 'pages')
  if (pages.length === 0) return undefined
  const lines = pages.slice(0, PAGES_SHOWN).map((page) => {
    const title = literal(firstLine(textAt(page, 'title') || textAt(page, 'page_name'), TITLE_MAX))
    const summary = literal(firstLine(textAt(page, 'summary'), TITLE_MAX))
    const link = `[${title}](<${safe(textAt(page, 'html_url'))}>)`
    return `${literal(textAt(page, 'action'))} ${link}${summary === '' ? '' : ` – ${summary}`}`
  })
  const more = pages.length > PAGES_SHOWN ? [`… and ${pages.length - PAGES_SHOWN} more`] : []
  return {
    title: `[${repository(payload)}] ${countOf(pages.length, 'wiki page')} changed`,
    url: pages.length === 1 ? textAt(pages[0], 'html_url') : textAt(payload, 'repository', 'html_url'),
    description: [...lines, ...more].join('\n'),
    color: COLORS.news,
  }
}

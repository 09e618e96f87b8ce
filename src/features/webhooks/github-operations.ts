import {
  action,
  body,
  COLORS,
  counted,
  firstLine,
  literal,
  OID_SHOWN,
  repository,
  safe,
  type Teller,
} from './github-payload.ts'
import { listAt, textAt } from './given.ts'

// Events of GitHub about what runs, what is at risk, and what is planned and documented.

const PAGES_SHOWN = 10
const TITLE_MAX = 100

/** Colours by outcome; undefined while running. */
const ENDS: Record<string, string | undefined> = { success: COLORS.good, failure: COLORS.bad, error: COLORS.bad }
const endOf = (state: string): string | undefined => (Object.hasOwn(ENDS, state) ? ENDS[state] : undefined)

/** A ref and the first digits of a commit's id. */
const revision = (ref: string, sha: string): string => `${literal(ref)} ${sha.slice(0, OID_SHOWN)}`.trim()

export const deployment: Teller = (given) => ({
  title: `[${repository(given)}] Deployment to ${textAt(given, 'deployment', 'environment')} created`,
  url: textAt(given, 'repository', 'html_url'),
  description: revision(textAt(given, 'deployment', 'ref'), textAt(given, 'deployment', 'sha')),
  color: COLORS.quiet,
})

/** The outcome of a deployment. */
export const deploymentStatus: Teller = (given) => {
  const at = (name: string) => textAt(given, 'deployment_status', name)
  const color = endOf(at('state'))
  if (color === undefined) return undefined
  const environment = at('environment') || textAt(given, 'deployment', 'environment')
  const where = revision(textAt(given, 'deployment', 'ref'), textAt(given, 'deployment', 'sha'))
  return {
    title: `[${repository(given)}] Deployment to ${environment}: ${at('state')}`,
    url: at('log_url') || at('target_url') || at('environment_url') || textAt(given, 'repository', 'html_url'),
    description: [where, body(at('description'))].filter((line) => line !== '').join('\n'),
    color,
  }
}

/** The outcome of a commit status, as reported by programs other than GitHub Apps. */
export const status: Teller = (given) => {
  const color = endOf(textAt(given, 'state'))
  if (color === undefined) return undefined
  const [branch] = listAt(given, 'branches')
  const where = revision(textAt(branch, 'name'), textAt(given, 'sha'))
  return {
    title: `[${repository(given)}] Status ${textAt(given, 'context')}: ${textAt(given, 'state')}`,
    url: textAt(given, 'target_url') || textAt(given, 'commit', 'html_url'),
    description: [where, body(textAt(given, 'description'))].filter((line) => line !== '').join('\n'),
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
const SETTLED = new Set(['fixed', 'resolved', 'closed_by_user', 'dismissed', 'auto_dismissed'])

/** An alert about the security of a repository. */
export const alert =
  (kind: string): Teller =>
  (given) => {
    const done = textAt(given, 'action')
    if (!URGENT.has(done) && !SETTLED.has(done)) return undefined
    const of = (...path: string[]) => textAt(given, 'alert', ...path)
    const subject =
      of('dependency', 'package', 'name') ||
      of('secret_type_display_name') ||
      of('secret_type') ||
      of('rule', 'name') ||
      of('rule', 'id')
    const severity =
      of('security_advisory', 'severity') || of('rule', 'security_severity_level') || of('rule', 'severity')
    return {
      title: `[${repository(given)}] ${kind} ${action(given)}: #${of('number')} ${firstLine(subject, TITLE_MAX)}`,
      url: of('html_url'),
      description: [
        literal(firstLine(of('security_advisory', 'summary') || of('rule', 'description'), 4 * TITLE_MAX)),
        ...(severity === '' ? [] : [`Severity: ${literal(severity)}`]),
      ]
        .filter((line) => line !== '')
        .join('\n'),
      color: SETTLED.has(done) ? COLORS.good : /^(?:low|note)$/.test(severity) ? COLORS.news : COLORS.bad,
    }
  }

export const milestone: Teller = (given) => {
  const done = textAt(given, 'action')
  if (!['created', 'opened', 'closed', 'deleted'].includes(done)) return undefined
  return {
    title: `[${repository(given)}] Milestone ${done}: ${textAt(given, 'milestone', 'title')}`,
    url: done === 'deleted' ? textAt(given, 'repository', 'html_url') : textAt(given, 'milestone', 'html_url'),
    ...(done === 'created' ? { description: body(textAt(given, 'milestone', 'description')) } : {}),
    color: done === 'closed' ? COLORS.merged : done === 'deleted' ? COLORS.bad : COLORS.good,
  }
}

/** Pages of a wiki that were created or changed. */
export const wiki: Teller = (given) => {
  const pages = listAt(given, 'pages')
  if (pages.length === 0) return undefined
  const lines = pages.slice(0, PAGES_SHOWN).map((page) => {
    const title = literal(firstLine(textAt(page, 'title') || textAt(page, 'page_name'), TITLE_MAX))
    const summary = literal(firstLine(textAt(page, 'summary'), TITLE_MAX))
    const link = `[${title}](<${safe(textAt(page, 'html_url'))}>)`
    return `${literal(textAt(page, 'action'))} ${link}${summary === '' ? '' : ` – ${summary}`}`
  })
  const more = pages.length > PAGES_SHOWN ? [`… and ${pages.length - PAGES_SHOWN} more`] : []
  return {
    title: `[${repository(given)}] ${counted(pages.length, 'wiki page')} changed`,
    url: pages.length === 1 ? textAt(pages[0], 'html_url') : textAt(given, 'repository', 'html_url'),
    description: [...lines, ...more].join('\n'),
    color: COLORS.news,
  }
}

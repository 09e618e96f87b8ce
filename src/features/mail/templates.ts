import { RESET_MINUTES, VERIFICATION_HOURS } from './model.ts'

/** Values in the templates. Names and devices are checked or the server's own; HTML escapes them as well. */
interface Values {
  username: string
  /** The origin of the installation: PUBLIC_URL. */
  base: string
  /** The link with its token; empty if the template has none. */
  link: string
  /** Parameters that were stored in the outbox. */
  parameters: Record<string, string>
}

interface Words {
  subject: string
  /** Paragraphs; the link follows the first. */
  paragraphs: (values: Values) => string[]
  /** The label of the link's button. */
  action?: string
}

const IGNORE = 'If it was not you, ignore this message: nothing changes.'
const NOT_YOU = 'If it was not you, reset your password at once and end every session in the settings.'

const CHANGES: Record<string, string> = {
  totp_on: 'An authenticator app was set up for your account.',
  totp_off: 'The authenticator app of your account was turned off.',
  recovery_codes: 'New recovery codes were made for your account.',
  passkey_added: 'A passkey was added to your account.',
  passkey_removed: 'A passkey was removed from your account.',
  identity_linked: 'Your account was linked with single sign-on.',
  identity_unlinked: 'Your account was unlinked from single sign-on.',
  earlier_ways_ended:
    'The first login by single sign-on has ended the other sessions of your account and the tokens of its bots, and ' +
    'removed its password and passkeys. You can set them anew in the settings.',
}

const templates = {
  reset: {
    subject: 'Reset your password',
    action: 'Choose a new password',
    paragraphs: () => [
      'Somebody, probably you, has asked to reset your password.',
      `The link works once, for ${RESET_MINUTES} minutes. Using it ends every session of the account. ${IGNORE}`,
    ],
  },
  verify: {
    subject: 'Confirm your e-mail address',
    action: 'Confirm this address',
    paragraphs: () => [
      'An account was created with this address.',
      `The link works for ${VERIFICATION_HOURS} hours. If you did not create an account, do not use the link.`,
    ],
  },
  change_email: {
    subject: 'Confirm your new e-mail address',
    action: 'Confirm this address',
    paragraphs: () => [
      'This address was entered as the new address of your account.',
      `The link works for ${VERIFICATION_HOURS} hours; the account keeps its address until then. ${IGNORE}`,
    ],
  },
  email_changing: {
    subject: 'Your e-mail address is about to change',
    paragraphs: () => [
      'Another e-mail address was entered for your account. It replaces this one when its link is used.',
      NOT_YOU,
    ],
  },
  password_changed: {
    subject: 'Your password has changed',
    paragraphs: () => ['The password of your account has changed, and its other sessions have ended.', NOT_YOU],
  },
  security_changed: {
    subject: 'The ways to log in to your account have changed',
    paragraphs: ({ parameters }) => [
      CHANGES[parameters.change ?? ''] ?? 'The ways to log in to your account have changed.',
      NOT_YOU,
    ],
  },
  new_login: {
    subject: 'A new login to your account',
    paragraphs: ({ parameters }) => [
      `Somebody has logged in: ${parameters.device ?? ''}, from ${parameters.ip ?? ''}.`,
      NOT_YOU,
    ],
  },
} satisfies Record<string, Words>

export type Template = keyof typeof templates

export const isTemplate = (name: string): name is Template => Object.hasOwn(templates, name)

export interface MailContent {
  subject: string
  text: string
  html: string
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Renders a mail as plain text and HTML. */
export function writeMail(template: Template, values: Values): MailContent {
  const { subject, action, paragraphs }: Words = templates[template]
  const [first = '', ...rest] = paragraphs(values)
  const greeting = `Hello ${values.username},`
  const sender = `Parley at ${values.base}`
  const link = values.link === '' ? [] : [`${action}:\n${values.link}`]
  const button =
    values.link === '' ? [] : [`<p><a href="${escapeHtml(values.link)}">${escapeHtml(action ?? '')}</a></p>`]
  const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`
  return {
    subject,
    text: `${[greeting, first, ...link, ...rest, sender].join('\n\n')}\n`,
    html: [paragraph(greeting), paragraph(first), ...button, ...[...rest, sender].map(paragraph)].join('\n'),
  }
}

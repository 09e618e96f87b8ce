// Printed from locales/en/sign-on.json. After a change there: bun run words
import { inLanguage } from './plural.ts'

/** Words about single sign-on, which are loaded with the pages that need them. */
export const signOnWords = inLanguage('sign-on', {
  login: (name: string) => `Log in with ${name}`,
  problems: {
    login_expired: 'This took too long, or was started in another window. Try again.',
    oidc_failed: 'The login failed at the other service. Try again, or ask the operator of this server.',
    email_taken:
      'An account here already uses your e-mail address. Log in to it, and link it in the security settings.',
    forbidden: 'You have no account here, and new accounts cannot be created this way.',
    identity_taken: 'Another account is already linked to this login.',
    identity_linked: 'Your account is already linked.',
    token_revoked: 'Your session has ended. Log in again.',
    unavailable: 'The login server is not responding. Try again in a moment.',
    last_way_in: 'This is your only way to log in. Set a password or add a passkey first.',
  },
  linked: 'Your account is linked',
  proven: 'Thank you. Continue with what you were doing. You will not be asked again for ten minutes.',
  title: 'Single sign-on',
  text: (name: string) => `Log in here with ${name}, without a password.`,
  link: (name: string) => `Link to ${name}`,
  since: (time: string) => `linked ${time}`,
  used: (time: string) => `last used ${time}`,
  unlink: 'Unlink',
  unlinkOf: (name: string) => `Unlink ${name}`,
  unlinkText: (name: string) => `${name} will no longer log you in here.`,
})

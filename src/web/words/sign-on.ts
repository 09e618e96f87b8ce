import { inLanguage } from './plural.ts'

/** Words about single sign-on, which are loaded with the pages that need them. */
export const signOnWords = inLanguage('sign-on', {
  login: (name: string) => `Log in with ${name}`,
  problems: {
    login_expired: 'This took too long, or began in another window. Try again.',
    oidc_failed: 'The login did not work out there. Try again, or ask whoever runs this server.',
    email_taken: 'An account here has your e-mail address already. Log in to it, and link it in the security settings.',
    forbidden: 'No account here belongs to you, and new ones are not made this way.',
    identity_taken: 'Another account is linked with this login already.',
    identity_linked: 'Your account is linked already.',
    token_revoked: 'Your session has ended meanwhile. Log in again.',
    unavailable: 'The login server does not answer. Try again in a moment.',
    last_way_in: 'Nothing else would log you in. Set a password or add a passkey first.',
  },
  linked: 'Your account is linked',
  proven: 'Thank you. Go on with what you wanted to do: you are not asked again for ten minutes.',
  title: 'Single sign-on',
  text: (name: string) => `With ${name} you log in here without a password.`,
  link: (name: string) => `Link with ${name}`,
  since: (time: string) => `linked ${time}`,
  used: (time: string) => `last used ${time}`,
  unlink: 'Unlink',
  unlinkOf: (name: string) => `Unlink ${name}`,
  unlinkText: (name: string) => `${name} will no longer log you in here.`,
})

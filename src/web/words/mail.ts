// Printed from locales/en/mail.json. After a change there: bun run words
import { inLanguage } from './plural.ts'

/** Words of the pages for forgotten passwords and e-mail addresses, which are loaded when they are opened. */
export const mailWords = inLanguage('mail', {
  forgot: {
    title: 'Reset your password',
    text: 'Enter the e-mail address of your account. You will get a link to choose a new password.',
    send: 'Send link',
    sent: 'If an account has this address, a link is on its way. It is valid for an hour.',
  },
  reset: {
    title: 'Choose a new password',
    text: 'You will be logged out everywhere. Then log in with the new password.',
    save: 'Set password',
    done: 'Your password was changed, and you were logged out everywhere.',
  },
  verify: {
    title: 'Confirm your e-mail address',
    text: 'If you did not create an account here, close this page. The first confirmation removes all second factors, passkeys, linked identities and bots that were added before it.',
    confirm: 'Confirm this address',
    done: 'The address is confirmed.',
    taken: 'Another account already uses this address.',
    go: 'Continue',
  },
  confirmFirst: {
    title: 'Confirm your e-mail address',
    text: (email: string) => `A link is on its way to ${email}. Open it to continue.`,
    done: 'I have confirmed it',
    notYet: 'The address is not confirmed yet.',
  },
  own: {
    title: 'E-mail',
    current: 'Your address',
    confirmed: 'confirmed',
    unconfirmed: 'not confirmed',
    resend: 'Resend confirmation',
    resent: 'A link is on its way to your address.',
    next: 'New e-mail address',
    hint: 'You will get a link at the new address. It replaces the old address when you open the link.',
    change: 'Change address',
    changing: 'A link is on its way to the new address.',
  },
  linkGone: 'This link has expired or was already used. Request a new one.',
  backToLogin: 'Back to login',
})

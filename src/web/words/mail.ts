import { inLanguage } from './plural.ts'

/** Words of the pages for forgotten passwords and e-mail addresses, which are loaded when they are first opened. */
export const mailWords = inLanguage('mail', {
  forgot: {
    title: 'Forgotten password',
    text: 'Give the e-mail address of your account. It gets a link by which you choose a new password.',
    send: 'Send the link',
    sent: 'If an account has this address, a link is on its way. It works for an hour.',
  },
  reset: {
    title: 'Choose a new password',
    text: 'Every session of the account will end. Then log in with the new password.',
    save: 'Set password',
    done: 'Your password is changed, and every session has ended.',
  },
  verify: {
    title: 'Confirm your e-mail address',
    text:
      'If you have made no account here, close this page. With the first confirmation, second factors, passkeys, ' +
      'linked identities and bots that were added before it are removed.',
    confirm: 'Confirm this address',
    done: 'The address is confirmed.',
    taken: 'Another account has this address.',
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
    resend: 'Send the confirmation again',
    resent: 'A link is on its way to your address.',
    next: 'New e-mail address',
    hint: 'It gets a link, and takes the place of the old one when you use that.',
    change: 'Change address',
    changing: 'A link is on its way to the new address.',
  },
  linkGone: 'This link has expired or was used. Ask for a new one.',
  backToLogin: 'Back to login',
})

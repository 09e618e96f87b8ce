import { count, inLanguage } from './plural.ts'

/** Words about second factors, passkeys and proofs, which are loaded when they are first needed. */
export const securityWords = inLanguage('security', {
  methods: {
    password: 'Use your password',
    code: 'Use your authenticator app',
    recovery_code: 'Use a recovery code',
    passkey: 'Use a passkey',
  },
  fields: {
    password: 'Password',
    code: 'Code from your authenticator app',
    recovery_code: 'Recovery code',
  },
  problems: {
    invalid_code: 'This code is wrong, has expired, or was used already. Wait for the next one.',
    login_expired: 'This took too long, or too many tries. Log in again.',
    invalid_credentials: 'This is not your password.',
  },
  recoveryHint: 'One of the ten codes that you saved. Each works once.',
  second: {
    title: 'One more step',
    text: 'Show that it is you.',
    login: 'Log in',
    back: 'Back',
  },
  proof: {
    title: 'Is it you?',
    text: 'This changes who can get into your account. You will not be asked again for ten minutes.',
    go: 'Continue',
    none: 'There is nothing here to show it by. Ask whoever runs this server for a link for a password.',
  },
  notThere: 'The browser did not use a passkey: it was cancelled, or there is none for this site.',
  app: {
    title: 'Authenticator app',
    off: 'Besides your password, a login then needs a code from an app on your phone.',
    since: (time: string) => `On since ${time}. A login needs a code from your app.`,
    left: (n: number) => count(n, '# recovery code left', '# recovery codes left'),
    setUp: 'Set up',
    turnOff: 'Turn off',
    turnOffText: 'Your password alone will be enough to log in. Your recovery codes stop working.',
    isOff: 'The authenticator app is off',
    newCodes: 'New recovery codes',
    scan: 'Scan this with your authenticator app.',
    picture: 'QR code for the authenticator app',
    type: 'Or type this key into it:',
    confirm: 'Then enter the code that it shows',
    turnOn: 'Turn on',
  },
  codes: {
    title: 'Your recovery codes',
    text:
      'Save them now: they are shown only once. Each of them logs you in once, when your app is not at hand. ' +
      'Earlier ones no longer work.',
    file: 'parley-recovery-codes.txt',
    heading: (name: string, host: string) => `Recovery codes of ${name} on ${host}`,
    download: 'Download',
    saved: 'I have saved them',
  },
  passkeys: {
    title: 'Passkeys',
    text: 'A passkey logs you in by fingerprint, face, PIN or security key, without a password.',
    add: 'Add a passkey',
    added: (time: string) => `added ${time}`,
    used: (time: string) => `last used ${time}`,
    name: 'Name',
    nameHint: 'So that you know it again, such as “Phone”.',
    rename: 'Rename',
    renameOf: (name: string) => `Rename ${name}`,
    remove: 'Remove',
    removeOf: (name: string) => `Remove ${name}`,
    removeText: (name: string) => `${name} will no longer log you in here.`,
  },
})

// Printed from locales/en/security.json. After a change there: bun run words
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
    invalid_code: 'This code is wrong, has expired, or was already used. Wait for the next one.',
    login_expired: 'This took too long, or there were too many attempts. Log in again.',
    invalid_credentials: 'Wrong password.',
  },
  recoveryHint: 'One of the ten codes that you saved. Each works once.',
  second: {
    title: 'One more step',
    text: 'Confirm that it is you.',
    login: 'Log in',
    back: 'Back',
  },
  proof: {
    title: 'Confirm that it is you',
    text: 'This changes who can get into your account. You will not be asked again for ten minutes.',
    go: 'Continue',
    none: 'You have no way to confirm your identity here. Ask the operator of this server for a password reset link.',
  },
  notThere: 'No passkey was used: you cancelled, or there is none for this site.',
  app: {
    title: 'Authenticator app',
    off: 'Logging in will also need a code from an app on your phone.',
    since: (time: string) => `On since ${time}. A login needs a code from your app.`,
    left: (n: number) => count(n, '# recovery code left', '# recovery codes left'),
    setUp: 'Set up',
    turnOff: 'Turn off',
    turnOffText: 'You will only need your password to log in. Your recovery codes stop working.',
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
    text: 'Save them now: they are shown only once. Each code works once, when you do not have your app. Earlier codes no longer work.',
    file: 'parley-recovery-codes.txt',
    heading: ({ name, host }: { name: string; host: string }) => `Recovery codes for ${name} on ${host}`,
    download: 'Download',
    saved: 'I have saved them',
  },
  passkeys: {
    title: 'Passkeys',
    text: 'Log in with your fingerprint, face, PIN or security key, without a password.',
    add: 'Add a passkey',
    added: (time: string) => `added ${time}`,
    used: (time: string) => `last used ${time}`,
    name: 'Name',
    nameHint: 'To recognise it later, such as “Phone”.',
    rename: 'Rename',
    renameOf: (name: string) => `Rename ${name}`,
    remove: 'Remove',
    removeOf: (name: string) => `Remove ${name}`,
    removeText: (name: string) => `${name} will no longer log you in here.`,
  },
  files: {
    title: 'Files of this app',
    text: 'This browser can keep the files of this app and ask you before it accepts others from the server. Compare their hash with that of a release.',
    pin: 'Refuse changed files',
    kept: ({ version, date }: { version: string; date: string }) => `Version ${version}, kept since ${date}`,
    hash: 'Hash of your files',
    limits:
      'This catches files that were changed by mistake or by an outsider. The operator of the server can get around it: browsers do not ask before they replace the part that checks the files.',
    noWorker: 'This browser cannot keep the files of this page.',
    question: 'The server has different files',
    questionText: ({ version, next }: { version: string; next: string }) =>
      `You are using version ${version}. The server says that its files are version ${next}. Accept them only if their hash is that of the release.`,
    next: 'Hash of the new files',
    take: 'Accept the new files',
    keep: 'Keep my files',
    problems: {
      mismatch: 'A file from the server does not match the server’s list. Your files have not changed.',
      incomplete: 'Some files could not be loaded. Your files have not changed.',
    },
    refused: 'The server sent a changed file. This browser refused it.',
    unlisted:
      'The server has changed the part of this app that checks the files, but its list of files has not changed. Compare the files with the release before you reload this page.',
  },
})

// Printed from locales/en/account.json. After a change there: bun run words
import { inLanguage } from './plural.ts'

/** Words of the login and of changes to the account, loaded on first use. */
export const accountWords = inLanguage('account', {
  signIn: {
    welcome: 'Welcome back',
    ended: 'Your session was ended from another device. Log in to continue. Your unsent messages are still here.',
    name: 'Username or e-mail',
    username: 'Username',
    email: 'E-mail',
    password: 'Password',
    login: 'Log in',
    passkey: 'Log in with a passkey',
    register: 'Create account',
    forgot: 'Forgot your password?',
    noAccount: 'No account yet?',
    haveAccount: 'Already have an account?',
    rulesTitle: 'Requirements',
    rules: {
      length: 'at least 12 characters',
      upper: 'an uppercase letter',
      lower: 'a lowercase letter',
      digit: 'a digit',
      special: 'one of !@#$%^&*',
    },
  },
  newLogin: ({ device, ip }: { device: string; ip: string }) =>
    `A new login to your account: ${device}, from ${ip}. If this was not you, end that session in the settings.`,
  securityChanged: {
    totp_on: 'An authenticator app was set up for your account.',
    totp_off: 'The authenticator app of your account was turned off.',
    recovery_codes: 'New recovery codes were made for your account.',
    passkey_added: 'A passkey was added to your account.',
    passkey_removed: 'A passkey was removed from your account.',
    identity_linked: 'Your account was linked with single sign-on.',
    identity_unlinked: 'Your account was unlinked from single sign-on.',
  },
  unknownDevice: 'an unknown device',
})

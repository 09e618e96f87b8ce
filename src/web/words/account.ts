/** Words for signing in. */
export const accountWords = {
  signIn: {
    welcome: 'Welcome back',
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
  newLogin: (device: string, ip: string) =>
    `A new login to your account: ${device}, from ${ip}. If it was not you, end that session in the settings.`,
  unknownDevice: 'an unknown device',
  settings: { title: 'Settings' },
}

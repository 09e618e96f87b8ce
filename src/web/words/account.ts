/** Words for signing in. */
export const accountWords = {
  signIn: {
    welcome: 'Welcome back',
    create: 'Create your account',
    name: 'Username or e-mail',
    username: 'Username',
    usernameHint: 'Only you see it. Others see a display name, which you can change at any time.',
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
  welcome: {
    title: 'What should people call you?',
    name: 'Display name',
    hint: 'Others see this name. You can change it at any time in the settings.',
    save: 'Continue',
    skip: (name: string) => `Stay ${name} for now`,
  },
  newLogin: (device: string, ip: string) =>
    `A new login to your account: ${device}, from ${ip}. If it was not you, end that session in the settings.`,
  unknownDevice: 'an unknown device',
  settings: { title: 'Settings' },
}

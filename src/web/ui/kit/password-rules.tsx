import { accountWords } from '../../words/account.ts'

/** The server's rules for passwords: src/features/accounts/passwords.ts. */
const RULES: [keyof typeof accountWords.signIn.rules, (password: string) => boolean][] = [
  ['length', (password) => [...password].length >= 12],
  ['upper', (password) => /[A-Z]/.test(password)],
  ['lower', (password) => /[a-z]/.test(password)],
  ['digit', (password) => /\d/.test(password)],
  ['special', (password) => /[!@#$%^&*]/.test(password)],
]

/** The rules for passwords; the fulfilled ones are marked. */
export const PasswordRules = ({ password }: { password: string }) => (
  <ul class="rules" aria-label={accountWords.signIn.rulesTitle}>
    {RULES.map(([name, keeps]) => (
      <li key={name} class={keeps(password) ? 'kept' : ''}>
        {accountWords.signIn.rules[name]}
      </li>
    ))}
  </ul>
)

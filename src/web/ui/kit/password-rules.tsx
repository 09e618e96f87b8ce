import { words } from '../../words/words.ts'

/** The rules of interface.md §5, as they are met while one types. */
const RULES: [keyof typeof words.door.rules, (password: string) => boolean][] = [
  ['length', (password) => [...password].length >= 12],
  ['upper', (password) => /[A-Z]/.test(password)],
  ['lower', (password) => /[a-z]/.test(password)],
  ['digit', (password) => /\d/.test(password)],
  ['special', (password) => /[!@#$%^&*]/.test(password)],
]

/** Which rules a new password keeps. */
export const PasswordRules = ({ password }: { password: string }) => (
  <ul class="rules" aria-label={words.door.rulesTitle}>
    {RULES.map(([name, keeps]) => (
      <li key={name} class={keeps(password) ? 'kept' : ''}>
        {words.door.rules[name]}
      </li>
    ))}
  </ul>
)

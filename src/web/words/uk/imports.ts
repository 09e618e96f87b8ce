// Printed from locales/uk/imports.json. After a change there: bun run words
import type { importWords } from '../imports.ts'

export default {
  title: 'Заберіть свої повідомлення',
  text: 'Повідомлення, імпортовані з іншого місця, стануть вашими разом із файлами та реакціями. Ролі й права не зміняться. Цього не можна скасувати.',
  take: 'Це мої',
  taken: 'Повідомлення стануть вашими протягом кількох хвилин.',
  gone: 'Термін дії посилання минув, його вже використано, або воно для іншого облікового запису.',
  go: 'Продовжити',
} satisfies typeof importWords

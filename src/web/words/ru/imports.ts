// Printed from locales/ru/imports.json. After a change there: bun run words
import type { importWords } from '../imports.ts'

export default {
  title: 'Заберите свои сообщения',
  text: 'Сообщения, импортированные из другого места, станут вашими вместе с файлами и реакциями. Роли и права не изменятся. Это нельзя отменить.',
  take: 'Это мои',
  taken: 'Сообщения станут вашими в течение нескольких минут.',
  gone: 'Ссылка истекла, уже использована или предназначена для другого аккаунта.',
  go: 'Продолжить',
} satisfies typeof importWords

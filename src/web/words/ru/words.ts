// Printed from locales/ru/words.json. After a change there: bun run words
import type { words } from '../words.ts'
import { badge, digits } from '../plural.ts'
import emoji from './emoji.ts'
import messages from './messages.ts'
import notifications from './notifications.ts'
import people from './people.ts'
import servers from './servers.ts'
import shortcuts from './shortcuts.ts'
import threads from './threads.ts'
import voice from './voice.ts'
import errors from './errors.ts'
import rules from './rules.ts'
import { count } from './plural.ts'

export default {
  ...emoji,
  ...messages,
  ...notifications,
  ...people,
  ...servers,
  ...shortcuts,
  ...threads,
  ...voice,
  settings: {
    title: 'Настройки',
  },
  conversations: 'Разговоры',
  search: {
    open: 'Поиск сообщений',
  },
  sizes: ['Б', 'КБ', 'МБ', 'ГБ'],
  loading: 'Загрузка…',
  unreachable: 'Сервер недоступен. Пробуем снова…',
  reconnecting: 'Связь потеряна. Переподключаемся…',
  ended: 'Это окно больше не подключено. Перезагрузите страницу, чтобы продолжить.',
  menuUnread: 'Каналы и серверы, есть непрочитанное',
  skip: 'Перейти к сообщениям',
  menu: 'Каналы и серверы',
  tools: 'Ещё об этом месте',
  close: 'Закрыть',
  cancel: 'Отмена',
  save: 'Сохранить',
  saved: 'Сохранено',
  copy: 'Копировать',
  copied: 'Скопировано',
  notLoaded: 'Эту часть страницы не удалось загрузить. Попробуйте снова или перезагрузите страницу.',
  notCopied: 'Браузер не разрешил копирование.',
  more: 'Показать ещё',
  owner: 'владелец',
  bot: 'Бот',
  guest: 'Гость',
  membersTitle: 'Участники',
  members: (n) => count(n, '# участник', '# участника', '# участников', '# участника'),
  andMore: (n) => `и ещё ${digits(n)}`,
  named: ({ n, isAny, name }) =>
    n === 0 ? (isAny ? `${name}, есть непрочитанные сообщения` : name) : `${name}, непрочитанных: ${badge(n)}`,
  draft: 'Черновик',
  withDraft: ', черновик',
  failed: (reason) => `Не получилось: ${reason}`,
  problems: {
    ...errors,
    invalid_credentials: 'Неверное имя или пароль.',
    rate_limited: 'Слишком много попыток.',
    invite_gone: 'Срок приглашения истёк, или оно исчерпано. Попросите новое.',
    not_found: 'Этого нет, или у вас нет доступа.',
    banned: 'Вы забанены на этом сервере.',
    storage_full: 'На сервере не осталось места для новых сообщений и файлов.',
    offline: 'Сервер недоступен.',
  },
  rules,
} satisfies typeof words

// Printed from locales/uk/words.json. After a change there: bun run words
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
    title: 'Налаштування',
  },
  conversations: 'Розмови',
  search: {
    open: 'Пошук повідомлень',
  },
  sizes: ['Б', 'КБ', 'МБ', 'ГБ'],
  loading: 'Завантаження…',
  unreachable: 'Сервер недоступний. Пробуємо знову…',
  reconnecting: 'Зв’язок втрачено. Перепід’єднання…',
  ended: 'Це вікно більше не під’єднане. Перезавантажте сторінку, щоб продовжити.',
  menuUnread: 'Канали й сервери, є непрочитане',
  skip: 'Перейти до повідомлень',
  menu: 'Канали та сервери',
  tools: 'Ще про це місце',
  close: 'Закрити',
  cancel: 'Скасувати',
  save: 'Зберегти',
  saved: 'Збережено',
  copy: 'Копіювати',
  copied: 'Скопійовано',
  notLoaded: 'Цю частину сторінки не вдалося завантажити. Спробуйте знову або перезавантажте сторінку.',
  notCopied: 'Браузер не дозволив копіювання.',
  more: 'Показати ще',
  owner: 'власник',
  bot: 'Бот',
  guest: 'Гість',
  membersTitle: 'Учасники',
  members: (n) => count(n, '# учасник', '# учасники', '# учасників', '# учасника'),
  andMore: (n) => `і ще ${digits(n)}`,
  named: ({ n, isAny, name }) =>
    n === 0 ? (isAny ? `${name}, є непрочитані повідомлення` : name) : `${name}, непрочитаних: ${badge(n)}`,
  draft: 'Чернетка',
  withDraft: ', чернетка',
  failed: (reason) => `Не вийшло: ${reason}`,
  problems: {
    ...errors,
    invalid_credentials: 'Неправильне ім’я або пароль.',
    rate_limited: 'Забагато спроб.',
    invite_gone: 'Термін запрошення минув або його вичерпано. Попросіть нове.',
    not_found: 'Цього немає, або ви не маєте доступу.',
    banned: 'Вас забанено на цьому сервері.',
    storage_full: 'На сервері не залишилося місця для нових повідомлень і файлів.',
    offline: 'Сервер недоступний.',
  },
  rules,
} satisfies typeof words

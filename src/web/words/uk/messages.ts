// Printed from locales/uk/messages.json. After a change there: bun run words
import type { messageWords } from '../messages.ts'
import { listOf, spanOf } from '../plural.ts'
import { choose, count } from './plural.ts'

export default {
  messages: {
    list: (place) => `Повідомлення: ${place}`,
    beginnings: {
      channel: 'Це початок каналу. Розкажіть, для чого він, і запросіть людей.',
      dm: 'Це початок вашої розмови. Більше в ній нікого немає.',
      group: 'Це початок групи. Ті, кого додадуть пізніше, побачать усі повідомлення.',
      thread: 'Це початок гілки. Ви стежите за нею, коли пишете в ній.',
    },
    one: 'повідомлення',
    spoiler: 'Показати спойлер',
    copyCode: 'Скопіювати код',
    codeCopied: 'Код скопійовано.',
    fromBlocked: 'Повідомлення від людини, яку ви заблокували.',
    show: 'Показати повідомлення',
    new: 'Нове',
    newAbove: 'Нові повідомлення вище',
    toNewest: 'До найновіших повідомлень',
    failed: 'Не вдалося завантажити ці повідомлення.',
    edited: '(змінено)',
    imported: 'імпортовано',
    sending: 'надсилання…',
    refused: 'Не надіслано:',
    retry: 'Повторити',
    withoutReply: 'Надіслати без відповіді',
    giveUp: 'Видалити',
    replyTo: 'Відповідь для',
    gone: 'Початкове повідомлення видалено',
    selectThis: 'Вибрати це повідомлення',
    previews: 'Попередній перегляд посилань',
    openPicture: (host) => `Зображення з ${host}`,
    video: 'Відео',
    webhook: 'Вебхук',
  },
  notices: {
    raid_alert: (n) =>
      `Режим рейду: приєдналося багато облікових записів одразу. У карантині: ${n}. Більше ніхто не може приєднатися.`,
    automod_alert: ({ place, who, rule, n }) =>
      place === undefined
        ? `AutoMod: ${who} порушує правило «${rule}» (${n}×).`
        : `AutoMod: ${who} порушує правило «${rule}» у ${place} (${n}×).`,
    shortCall: (who) => `${who} починає дзвінок. Він тривав менше хвилини.`,
    call: ({ who, seconds }) => `${who} починає дзвінок. Тривалість: ${spanOf(seconds)}.`,
    missed: (who) => `Ви пропустили дзвінок від ${who}.`,
    unanswered: 'Ніхто не відповів на ваш дзвінок.',
    recipient_added: ({ who, target }) => `${who} додає ${target} до групи.`,
    recipient_removed: ({ who, target }) => `${who} вилучає ${target} з групи.`,
    left: (who) => `${who} залишає групу.`,
    renamed: ({ who, name }) => `${who} називає групу ${name}.`,
    unnamed: (who) => `${who} прибирає назву групи.`,
    member_joined: (who) => `${who} приєднується до сервера.`,
    pinned: (who) => `${who} закріплює повідомлення.`,
    thread_created: ({ who, name }) => `${who} починає гілку ${name}.`,
    poll_ended: 'Опитування завершено.',
  },
  retention: {
    pruned: 'Старіші повідомлення видалено.',
    messages: (n) =>
      count(
        n,
        'Повідомлення видаляються через # день.',
        'Повідомлення видаляються через # дні.',
        'Повідомлення видаляються через # днів.',
        'Повідомлення видаляються через # дня.',
      ),
    files: (n) =>
      count(
        n,
        'Файли видаляються через # день.',
        'Файли видаляються через # дні.',
        'Файли видаляються через # днів.',
        'Файли видаляються через # дня.',
      ),
  },
  forward: {
    forwarded: 'Переслано',
    original: 'До оригіналу',
  },
  composer: {
    to: (place) => `Написати ${place}`,
    send: 'Надіслати',
    later: 'Надіслати пізніше',
    poll: 'Створити опитування',
    record: 'Записати голосове повідомлення',
    replyMention: (name) => `Згадати ${name} у відповіді`,
    mentionOn: '@ увімк.',
    mentionOff: '@ вимк.',
    mayNot: 'Ви не маєте права надсилати сюди повідомлення.',
    timedOut: (time) => `У вас тайм-аут до ${time}. Ви можете читати, але не писати.`,
    blocked: 'Ви заблокували цю людину. Розблокуйте, щоб писати.',
  },
  files: {
    add: 'Додати файли',
    drop: 'Перетягніть файли сюди',
    waiting: 'Повідомлення надішлеться, коли завантажаться його файли.',
    open: (name) => `Відкрити ${name}`,
    spoiler: 'Спойлер',
    reveal: 'Показати файл під спойлером',
    count: (n) => count(n, '# файл', '# файли', '# файлів', '# файла'),
  },
  direct: {
    list: 'Особисті повідомлення',
    none: 'Тут з’являться ваші розмови з людьми й групами.',
    begin: 'Почати розмову',
    cannot: 'Ця людина не приймає від вас повідомлень.',
    hide: (name) => `Сховати розмову з ${name}`,
    write: (name) => `Написати ${name}`,
    read: 'Прочитано',
  },
  groups: {
    new: 'Нова розмова',
    add: 'Додати людей',
    settings: 'Налаштування групи',
    people: (n) => count(n, '# людина', '# людини', '# людей', '# людини'),
  },
  typing: ({ names, n }) =>
    choose(
      n,
      `${listOf(names)} пише…`,
      `${listOf(names)} пишуть…`,
      `${listOf(names)} пишуть…`,
      `${listOf(names)} пишуть…`,
    ),
  typingMany: 'Кілька людей пишуть…',
} satisfies typeof messageWords

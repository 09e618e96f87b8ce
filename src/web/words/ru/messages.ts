// Printed from locales/ru/messages.json. After a change there: bun run words
import type { messageWords } from '../messages.ts'
import { listOf, spanOf } from '../plural.ts'
import { choose, count } from './plural.ts'

export default {
  messages: {
    list: (place) => `Сообщения: ${place}`,
    beginnings: {
      channel: 'Это начало канала. Расскажите, для чего он, и пригласите людей.',
      dm: 'Это начало вашего разговора. Больше в нём никого нет.',
      group: 'Это начало группы. Те, кого добавят позже, увидят все сообщения.',
      thread: 'Это начало ветки. Вы следите за ней, когда пишете в ней.',
    },
    one: 'сообщение',
    spoiler: 'Показать спойлер',
    copyCode: 'Скопировать код',
    codeCopied: 'Код скопирован.',
    fromBlocked: 'Сообщение от человека, которого вы заблокировали.',
    show: 'Показать сообщение',
    new: 'Новое',
    newAbove: 'Новые сообщения выше',
    toNewest: 'К самым новым сообщениям',
    failed: 'Не удалось загрузить эти сообщения.',
    edited: '(изменено)',
    imported: 'импортировано',
    sending: 'отправка…',
    refused: 'Не отправлено:',
    retry: 'Повторить',
    withoutReply: 'Отправить без ответа',
    giveUp: 'Удалить',
    replyTo: 'Ответ для',
    gone: 'Исходное сообщение удалено',
    selectThis: 'Выбрать это сообщение',
    previews: 'Предпросмотр ссылок',
    openPicture: (host) => `Изображение с ${host}`,
    video: 'Видео',
    webhook: 'Вебхук',
  },
  notices: {
    raid_alert: (n) =>
      `Режим рейда: вступило много аккаунтов сразу. В карантине: ${n}. Больше никто не может вступить.`,
    automod_alert: ({ place, who, rule, n }) =>
      place === undefined
        ? `AutoMod: ${who} нарушает правило «${rule}» (${n}×).`
        : `AutoMod: ${who} нарушает правило «${rule}» в ${place} (${n}×).`,
    shortCall: (who) => `${who} начинает звонок. Он длился меньше минуты.`,
    call: ({ who, seconds }) => `${who} начинает звонок. Длительность: ${spanOf(seconds)}.`,
    missed: (who) => `Вы пропустили звонок от ${who}.`,
    unanswered: 'Никто не ответил на ваш звонок.',
    recipient_added: ({ who, target }) => `${who} добавляет ${target} в группу.`,
    recipient_removed: ({ who, target }) => `${who} удаляет ${target} из группы.`,
    left: (who) => `${who} покидает группу.`,
    renamed: ({ who, name }) => `${who} называет группу ${name}.`,
    unnamed: (who) => `${who} убирает название группы.`,
    member_joined: (who) => `${who} присоединяется к серверу.`,
    pinned: (who) => `${who} закрепляет сообщение.`,
    thread_created: ({ who, name }) => `${who} начинает ветку ${name}.`,
    poll_ended: 'Опрос завершён.',
  },
  retention: {
    pruned: 'Более старые сообщения удалены.',
    messages: (n) =>
      count(
        n,
        'Сообщения удаляются через # день.',
        'Сообщения удаляются через # дня.',
        'Сообщения удаляются через # дней.',
        'Сообщения удаляются через # дня.',
      ),
    files: (n) =>
      count(
        n,
        'Файлы удаляются через # день.',
        'Файлы удаляются через # дня.',
        'Файлы удаляются через # дней.',
        'Файлы удаляются через # дня.',
      ),
  },
  forward: {
    forwarded: 'Переслано',
    original: 'К оригиналу',
  },
  composer: {
    to: (place) => `Написать ${place}`,
    send: 'Отправить',
    later: 'Отправить позже',
    poll: 'Создать опрос',
    record: 'Записать голосовое сообщение',
    replyMention: (name) => `Упомянуть ${name} в ответе`,
    mentionOn: '@ вкл.',
    mentionOff: '@ выкл.',
    mayNot: 'У вас нет права отправлять сюда сообщения.',
    timedOut: (time) => `У вас тайм-аут до ${time}. Вы можете читать, но не писать.`,
    blocked: 'Вы заблокировали этого человека. Разблокируйте, чтобы писать.',
  },
  files: {
    add: 'Добавить файлы',
    drop: 'Перетащите файлы сюда',
    waiting: 'Сообщение отправится, когда загрузятся его файлы.',
    open: (name) => `Открыть ${name}`,
    spoiler: 'Спойлер',
    reveal: 'Показать файл под спойлером',
    count: (n) => count(n, '# файл', '# файла', '# файлов', '# файла'),
    uncover: 'Показать эту картинку',
    openDescribed: ({ alt, name }) => `${alt}. Открыть ${name}`,
  },
  direct: {
    list: 'Личные сообщения',
    none: 'Здесь появятся ваши разговоры с людьми и группами.',
    begin: 'Начать разговор',
    cannot: 'Этот человек не принимает от вас сообщений.',
    hide: (name) => `Скрыть разговор с ${name}`,
    write: (name) => `Написать ${name}`,
    read: 'Прочитано',
    requests: (n) =>
      n === 0
        ? 'Запросы на переписку'
        : count(
            n,
            '# запрос на переписку',
            '# запроса на переписку',
            '# запросов на переписку',
            '# запроса на переписку',
          ),
  },
  groups: {
    new: 'Новый разговор',
    add: 'Добавить людей',
    settings: 'Настройки группы',
    people: (n) => count(n, '# человек', '# человека', '# человек', '# человека'),
  },
  typing: ({ names, n }) =>
    choose(
      n,
      `${listOf(names)} печатает…`,
      `${listOf(names)} печатают…`,
      `${listOf(names)} печатают…`,
      `${listOf(names)} печатают…`,
    ),
  typingMany: 'Несколько человек печатают…',
} satisfies typeof messageWords

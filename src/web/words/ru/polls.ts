// Printed from locales/ru/polls.json. After a change there: bun run words
import type { pollWords } from '../polls.ts'
import { digits, spanOf } from '../plural.ts'
import { count } from './plural.ts'

export default {
  poll: 'Опрос',
  question: 'Вопрос',
  questionExample: 'Какой день вам подходит?',
  answer: (n) => `Ответ ${digits(n)}`,
  addAnswer: 'Добавить ответ',
  duration: 'Завершится через',
  span: (seconds) => spanOf(seconds),
  multiple: 'Разрешить несколько ответов',
  anonymous: 'Анонимный',
  promise:
    'Сервер не хранит связи между людьми и их голосами. Голос нельзя изменить; результаты видны в конце, если проголосовали не менее пяти человек.',
  send: 'Отправить опрос',
  chooseOne: 'Выберите один ответ',
  chooseSeveral: 'Выберите один или несколько ответов',
  vote: 'Проголосовать',
  change: 'Изменить голос',
  results: 'Показать результаты',
  back: 'К ответам',
  voters: (n) =>
    count(
      n,
      'Проголосовал # человек',
      'Проголосовали # человека',
      'Проголосовали # человек',
      'Проголосовали # человека',
    ),
  share: ({ n, percent }) => `${count(n, '# голос', '# голоса', '# голосов', '# голоса')}, ${digits(percent)} %`,
  who: 'Показать проголосовавших',
  votersOf: (answer) => `Голоса за ${answer}`,
  yours: 'Ваш голос',
  ends: (time) => `Завершится ${time}`,
  ended: (time) => `Завершён ${time}`,
  end: 'Завершить опрос',
  endText: 'После этого никто не сможет голосовать.',
  votedAnonymous: 'Вы проголосовали. Результаты видны в конце, если проголосовали не менее пяти человек.',
  anonymousText:
    'Опрос анонимный: сервер не хранит связи между вами и вашим голосом, и голос нельзя изменить. Результаты видны в конце, если проголосовали не менее пяти человек.',
  tooFew: 'Проголосовали меньше пяти человек, поэтому этот анонимный опрос не показывает результатов.',
} satisfies typeof pollWords

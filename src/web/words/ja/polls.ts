// Printed from locales/ja/polls.json. After a change there: bun run words
import type { pollWords } from '../polls.ts'
import { digits, spanOf } from '../plural.ts'

export default {
  poll: '投票',
  question: '質問',
  questionExample: '都合のよい日はいつですか？',
  answer: (n) => `回答 ${digits(n)}`,
  addAnswer: '回答を追加',
  duration: '終了までの時間',
  span: (seconds) => spanOf(seconds),
  multiple: '複数回答を許可',
  anonymous: '匿名',
  promise:
    'サーバーは、誰がどれに投票したかの関連を保存しません。投票は変更できず、結果は終了時に、投票者が 5 人以上の場合に表示されます。',
  send: '投票を送信',
  chooseOne: '回答を 1 つ選んでください',
  chooseSeveral: '回答を 1 つ以上選んでください',
  vote: '投票する',
  change: '投票を変更',
  results: '結果を表示',
  back: '回答に戻る',
  voters: (n) => `${digits(n)} 人が投票`,
  share: ({ n, percent }) => `${`${digits(n)} 票`}、${digits(percent)} %`,
  who: '投票した人を表示',
  votersOf: (answer) => `${answer} への投票`,
  yours: 'あなたの投票',
  ends: (time) => `${time} に終了`,
  ended: (time) => `${time} に終了済み`,
  end: '投票を終了',
  endText: '以後は誰も投票できません。',
  votedAnonymous: '投票しました。結果は終了時に、投票者が 5 人以上の場合に表示されます。',
  anonymousText:
    'これは匿名の投票です。サーバーはあなたと投票内容の関連を保存せず、投票は変更できません。結果は終了時に、投票者が 5 人以上の場合に表示されます。',
  tooFew: '投票者が 5 人未満のため、この匿名の投票は結果を表示しません。',
} satisfies typeof pollWords

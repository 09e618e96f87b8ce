// Printed from locales/ar/polls.json. After a change there: bun run words
import type { pollWords } from '../polls.ts'
import { digits, spanOf } from '../plural.ts'
import { count } from './plural.ts'

export default {
  poll: 'استطلاع',
  question: 'السؤال',
  questionExample: 'أي يوم يناسبك؟',
  answer: (n) => `الإجابة ${digits(n)}`,
  addAnswer: 'إضافة إجابة',
  duration: 'ينتهي بعد',
  span: (seconds) => spanOf(seconds),
  multiple: 'السماح بعدة إجابات',
  anonymous: 'مجهول الهوية',
  promise:
    'لا يحتفظ الخادم بأي صلة بين الأشخاص وأصواتهم. الأصوات نهائية، وتظهر النتائج في النهاية إذا صوّت خمسة أشخاص على الأقل.',
  send: 'إرسال الاستطلاع',
  chooseOne: 'اختر إجابة واحدة',
  chooseSeveral: 'اختر إجابة واحدة أو أكثر',
  vote: 'صوّت',
  change: 'تغيير الصوت',
  results: 'عرض النتائج',
  back: 'العودة إلى الإجابات',
  voters: (n) =>
    count(n, 'لم يصوّت أحد', 'صوّت شخص واحد (#)', 'صوّت شخصان (#)', 'صوّت # أشخاص', 'صوّت # شخصًا', 'صوّت # شخص'),
  share: ({ n, percent }) =>
    `${count(n, '# أصوات', 'صوت واحد (#)', 'صوتان (#)', '# أصوات', '# صوتًا', '# صوت')}، ${digits(percent)} %`,
  who: 'عرض من صوّت لها',
  votersOf: (answer) => `الأصوات لـ ${answer}`,
  yours: 'صوتك',
  ends: (time) => `ينتهي ${time}`,
  ended: (time) => `انتهى ${time}`,
  end: 'إنهاء الاستطلاع',
  endText: 'لن يستطيع أحد التصويت بعد ذلك.',
  votedAnonymous: 'لقد صوّتَّ. تظهر النتائج في النهاية إذا صوّت خمسة أشخاص على الأقل.',
  anonymousText:
    'هذا الاستطلاع مجهول الهوية: لا يحتفظ الخادم بأي صلة بينك وبين صوتك، وصوتك نهائي. تظهر النتائج في النهاية إذا صوّت خمسة أشخاص على الأقل.',
  tooFew: 'صوّت أقل من خمسة أشخاص، لذلك لا يعرض هذا الاستطلاع المجهول أي نتائج.',
} satisfies typeof pollWords

// Printed from locales/ar/stages.json. After a change there: bun run words
import type { stageWords } from '../stages.ts'
import { count } from './plural.ts'

export default {
  kind: 'منصة',
  make: 'منصة جديدة',
  listen: 'استماع',
  start: 'بدء المنصة',
  startNow: 'بدء',
  edit: 'تغيير الموضوع',
  end: 'إنهاء المنصة',
  topic: 'الموضوع',
  noSpeakers: 'لا أحد يتحدث بعد.',
  audience: (n) => count(n, 'لا مستمعين', 'مستمع واحد', 'مستمعان', '# مستمعين', '# مستمعًا', '# مستمع'),
  showAudience: 'عرض المستمعين',
  others: (n) => count(n, 'ولا أحد غيرهم', 'وواحد آخر', 'واثنان آخران', 'و# آخرون', 'و# آخرون', 'و# آخرون'),
  raise: 'رفع اليد',
  lower: 'خفض اليد',
  place: (n) =>
    count(
      n,
      'لا يد مرفوعة قبلك',
      'يد واحدة مرفوعة قبلك',
      'يدان مرفوعتان قبلك',
      '# أيدٍ مرفوعة قبلك',
      '# يدًا مرفوعة قبلك',
      '# يد مرفوعة قبلك',
    ),
  speak: 'التحدث',
  stepDown: 'النزول عن المنصة',
  invited: 'يدعوك أحد المشرفين إلى التحدث.',
  refuse: 'لا، شكرًا',
  hands: 'الأيدي المرفوعة',
  noHands: 'لا توجد أيدٍ مرفوعة.',
  letUp: (name) => `السماح بالتحدث: ${name}`,
  invite: (name) => `دعوة إلى التحدث: ${name}`,
  sendDown: (name) => `نقل إلى المستمعين: ${name}`,
  lowerHand: (name) => `خفض يد ${name}`,
  isInvited: 'تمت الدعوة',
} satisfies typeof stageWords

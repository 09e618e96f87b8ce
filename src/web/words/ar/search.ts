// Printed from locales/ar/search.json. After a change there: bun run words
import type { searchWords } from '../search.ts'
import { digits } from '../plural.ts'
import { count } from './plural.ts'

export default {
  title: 'البحث',
  field: 'البحث في الرسائل',
  hint: 'كلمات، "عبارات"، -كلمات، أو مرشّح',
  where: 'أين تبحث',
  everywhere: 'في كل مكان',
  clear: 'مسح البحث',
  searching: 'جارٍ البحث…',
  found: ({ n, hasMore }) =>
    n === 0
      ? 'لم يُعثر على شيء.'
      : hasMore
        ? `${digits(n)} رسالة أو أكثر`
        : count(n, 'لا رسائل', 'رسالة واحدة', 'رسالتان', '# رسائل', '# رسالة', '# رسالة'),
  nothing: 'لم يُعثر على رسائل',
  nothingText: 'جرّب كلمات أقل أو غيرها، أو ابحث في كل مكان.',
  start: 'تظهر أحدث الرسائل أولًا. لا يُبحث إلا فيما يمكنك قراءته.',
  suggestions: 'المرشّحات',
  jump: ({ author, place }) => `الانتقال إلى رسالة ${author} في ${place}`,
  twice: (filter) => `لا يمكن استخدام «${filter}» إلا مرة واحدة.`,
  unknown: {
    from: (name) => `لا أحد هنا باسم «${name}».`,
    mentions: (name) => `لا أحد هنا باسم «${name}».`,
    in: (name) => `لا توجد قناة باسم «${name}» يمكنك رؤيتها.`,
    has: (name) => `استخدم link أو file أو image أو embed بدلًا من «${name}».`,
    pinned: (name) => `استخدم true أو false بدلًا من «${name}».`,
    before: (name) => `«${name}» ليس تاريخًا. اكتبه مثل 2026-01-31.`,
    after: (name) => `«${name}» ليس تاريخًا. اكتبه مثل 2026-01-31.`,
  },
  filters: {
    from: 'أرسلها شخص',
    in: 'في قناة',
    has: 'link أو file أو image أو embed',
    mentions: 'تشير إلى شخص',
    before: 'قبل تاريخ',
    after: 'في تاريخ أو بعده',
    pinned: 'true أو false',
  },
} satisfies typeof searchWords

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
  found: (n, more) =>
    n === 0
      ? 'لم يُعثر على شيء.'
      : more
        ? `${digits(n)} رسالة أو أكثر`
        : count(n, 'لا رسائل', 'رسالة واحدة', 'رسالتان', '# رسائل', '# رسالة', '# رسالة'),
  nothing: 'لا رسالة مطابقة',
  nothingText: 'جرّب كلمات أقل أو غيرها، أو ابحث في كل مكان.',
  start: 'تظهر أحدث الرسائل أولًا. لا يُبحث إلا فيما يمكنك قراءته.',
  suggestions: 'المرشّحات',
  jump: (author, place) => `الانتقال إلى رسالة ${author} في ${place}`,
  twice: (filter) => `يمكن إعطاء «${filter}» مرة واحدة فقط.`,
  unknown: {
    from: (name) => `لا أحد معروف هنا باسم «${name}».`,
    mentions: (name) => `لا أحد معروف هنا باسم «${name}».`,
    in: (name) => `لا قناة «${name}» يمكنك رؤيتها.`,
    has: (name) => `للرسائل link أو file أو image أو embed، وليس «${name}».`,
    pinned: (name) => `قيمة pinned هي true أو false، وليس «${name}».`,
    before: (name) => `«${name}» ليس تاريخًا. اكتبه مثل 2026-01-31.`,
    after: (name) => `«${name}» ليس تاريخًا. اكتبه مثل 2026-01-31.`,
  },
  filters: {
    from: 'كتبها شخص',
    in: 'في قناة',
    has: 'link أو file أو image أو embed',
    mentions: 'تشير إلى شخص',
    before: 'قبل تاريخ',
    after: 'في تاريخ أو بعده',
    pinned: 'true أو false',
  },
} satisfies typeof searchWords

// Printed from locales/ar/friends.json. After a change there: bun run words
import type { friendWords } from '../friends.ts'

export default {
  relation: {
    none: '',
    friends: 'صديق',
    pending_incoming: 'يريد أن يصبح صديقك',
    pending_outgoing: 'أُرسل الطلب',
    blocked: 'محظور',
  },
  tabs: {
    friends: 'الأصدقاء',
    waiting: 'الطلبات',
    blocked: 'المحظورون',
    find: 'البحث عن أشخاص',
  },
  none: {
    friends: ['لا أصدقاء بعد', 'أضف أصدقاء لترى من المتصل، وتراسلهم وتتصل بهم، وتنشئ مجموعات.'],
    waiting: ['لا طلبات معلقة', 'تظهر هنا طلبات الصداقة التي ترسلها أو تتلقاها حتى يُرد عليها.'],
    blocked: ['لا أحد محظور', 'من تحظرهم لا يمكنهم مراسلتك أو الاتصال بك. ولن يُبلَّغوا بذلك.'],
  },
  nobody: 'لم يُعثر على أحد',
  nobodyText: 'أدخل اسم مستخدم كاملًا، أو جزءًا من الاسم الظاهر.',
  search: 'اسم المستخدم أو الاسم الظاهر',
  searchHint: 'اسم مستخدم كامل، أو جزء من الاسم الظاهر.',
  find: 'بحث',
  add: 'إضافة صديق',
  accept: 'قبول',
  decline: 'رفض',
  cancel: 'إلغاء الطلب',
  remove: 'إزالة الصديق',
  block: 'حظر',
  unblock: 'إلغاء الحظر',
  messageRequests: {
    title: 'طلبات المراسلة',
    text: (name) =>
      `${name} يريد مراسلتك. لن يعرف إن كنت قد قرأت هذا. إذا أجبت أو قبلت، يمكنه مراسلتك مثل كل من تعرفهم.`,
    hint: 'رسائل الأشخاص الذين لا تعرفهم تنتظر هنا. لا تُعلمك بشيء، وصورها مغطاة.',
    ignore: 'تجاهل',
    ignored: 'تم تجاهله',
    none: 'لا توجد طلبات مراسلة',
  },
} satisfies typeof friendWords

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
    friends: ['لا أصدقاء بعد', 'الأصدقاء قريبون دائمًا هنا: اعرف من المتصل، واكتب، واتصل، وأنشئ مجموعات.'],
    waiting: ['لا طلبات مفتوحة', 'الطلبات التي ترسلها أو تتلقاها تنتظر هنا حتى يُرد عليها.'],
    blocked: ['لا أحد محظور', 'من تحظره لا يستطيع مراسلتك ولا الاتصال بك، ولا يُبلَّغ بذلك.'],
  },
  nobody: 'لم يُعثر على أحد',
  nobodyText: 'يجب أن يكون اسم المستخدم كاملًا. ويكفي جزء من الاسم الظاهر.',
  search: 'اسم المستخدم أو الاسم الظاهر',
  searchHint: 'اسم مستخدم كامل، أو جزء من اسم ظاهر.',
  find: 'بحث',
  add: 'إضافة صديق',
  accept: 'قبول',
  decline: 'رفض',
  cancel: 'إلغاء الطلب',
  remove: 'إزالة الصديق',
  block: 'حظر',
  unblock: 'إلغاء الحظر',
} satisfies typeof friendWords

// Printed from locales/ar/messages.json. After a change there: bun run words
import type { messageWords } from '../messages.ts'
import { listOf, spanOf } from '../plural.ts'
import { choose, count } from './plural.ts'

export default {
  messages: {
    list: (place) => `الرسائل في ${place}`,
    beginnings: {
      channel: 'هنا بداية القناة. اذكر الغرض منها وادعُ أشخاصًا إليها.',
      dm: 'هنا بداية محادثتكما. لا أحد غيركما فيها.',
      group: 'هنا بداية المجموعة. من يُضاف لاحقًا يمكنه رؤية كل الرسائل.',
      thread: 'هنا بداية النقاش. تتابعه عندما تكتب فيه.',
    },
    one: 'رسالة',
    spoiler: 'إظهار المحتوى المحجوب',
    copyCode: 'نسخ الشيفرة',
    codeCopied: 'نُسخت الشيفرة.',
    fromBlocked: 'رسالة من شخص حظرته.',
    show: 'إظهار الرسالة',
    new: 'جديد',
    newAbove: 'رسائل جديدة في الأعلى',
    toNewest: 'الانتقال إلى أحدث الرسائل',
    failed: 'تعذر تحميل هذه الرسائل.',
    edited: '(معدّلة)',
    imported: 'مستوردة',
    sending: 'جارٍ الإرسال…',
    refused: 'لم تُرسل:',
    retry: 'إعادة المحاولة',
    withoutReply: 'الإرسال من دون الرد',
    giveUp: 'حذف',
    replyTo: 'ردًا على',
    gone: 'حُذفت الرسالة الأصلية',
    selectThis: 'تحديد هذه الرسالة',
    previews: 'معاينات الروابط',
    openPicture: (host) => `صورة من ${host}`,
    video: 'فيديو',
    webhook: 'Webhook',
  },
  notices: {
    raid_alert: (n) => `وضع الغارة: انضمت حسابات كثيرة دفعة واحدة. ${n} منها في الحجر، ولا يمكن لأحد آخر الانضمام.`,
    automod_alert: ({ place, who, rule, n }) =>
      place === undefined
        ? `AutoMod: خالف ${who} القاعدة «${rule}» (${n}×).`
        : `AutoMod: خالف ${who} القاعدة «${rule}» في ${place} (${n}×).`,
    shortCall: (who) => `بدأ ${who} مكالمة دامت أقل من دقيقة.`,
    call: ({ who, seconds }) => `بدأ ${who} مكالمة. المدة: ${spanOf(seconds)}.`,
    missed: (who) => `فاتتك مكالمة من ${who}.`,
    unanswered: 'لم يرد أحد على مكالمتك.',
    recipient_added: ({ who, target }) => `${who} أضاف ${target} إلى المجموعة.`,
    recipient_removed: ({ who, target }) => `${who} أزال ${target} من المجموعة.`,
    left: (who) => `غادر ${who} المجموعة.`,
    renamed: ({ who, name }) => `سمّى ${who} المجموعة ${name}.`,
    unnamed: (who) => `أزال ${who} اسم المجموعة.`,
    member_joined: (who) => `انضم ${who} إلى الخادم.`,
    pinned: (who) => `ثبّت ${who} رسالة.`,
    thread_created: ({ who, name }) => `بدأ ${who} النقاش ${name}.`,
    poll_ended: 'انتهى استطلاع.',
  },
  retention: {
    pruned: 'حُذفت الرسائل الأقدم.',
    messages: (n) =>
      count(
        n,
        'تُحذف الرسائل في اليوم نفسه.',
        'تُحذف الرسائل بعد يوم واحد.',
        'تُحذف الرسائل بعد يومين.',
        'تُحذف الرسائل بعد # أيام.',
        'تُحذف الرسائل بعد # يومًا.',
        'تُحذف الرسائل بعد # يوم.',
      ),
    files: (n) =>
      count(
        n,
        'تُحذف الملفات في اليوم نفسه.',
        'تُحذف الملفات بعد يوم واحد.',
        'تُحذف الملفات بعد يومين.',
        'تُحذف الملفات بعد # أيام.',
        'تُحذف الملفات بعد # يومًا.',
        'تُحذف الملفات بعد # يوم.',
      ),
  },
  forward: {
    forwarded: 'معاد توجيهها',
    original: 'الانتقال إلى الأصل',
  },
  composer: {
    to: (place) => `رسالة إلى ${place}`,
    send: 'إرسال',
    later: 'إرسال لاحقًا',
    poll: 'إنشاء استطلاع',
    record: 'تسجيل رسالة صوتية',
    replyMention: (name) => `الإشارة إلى ${name} في الرد`,
    mentionOn: '@ مفعّلة',
    mentionOff: '@ معطّلة',
    mayNot: 'ليست لديك صلاحية إرسال الرسائل هنا.',
    timedOut: (time) => `أنت موقوف مؤقتًا حتى ${time}. يمكنك القراءة ولا يمكنك الكتابة.`,
    blocked: 'لقد حظرت هذا الشخص. ألغِ الحظر لتكتب.',
  },
  files: {
    add: 'إضافة ملفات',
    drop: 'أفلت الملفات هنا',
    waiting: 'ستُرسل هذه الرسالة عند اكتمال رفع ملفاتها.',
    open: (name) => `فتح ${name}`,
    spoiler: 'محتوى محجوب',
    reveal: 'إظهار الملف المحجوب',
    count: (n) => count(n, 'لا ملفات', 'ملف واحد', 'ملفان', '# ملفات', '# ملفًا', '# ملف'),
    uncover: 'عرض هذه الصورة',
    openDescribed: ({ alt, name }) => `${alt}. فتح ${name}`,
  },
  direct: {
    list: 'الرسائل المباشرة',
    none: 'تظهر هنا محادثاتك مع الأشخاص والمجموعات.',
    begin: 'بدء محادثة',
    cannot: 'لا يقبل هذا الشخص رسائل منك.',
    hide: (name) => `إخفاء المحادثة مع ${name}`,
    write: (name) => `الكتابة إلى ${name}`,
    read: 'مقروءة',
    requests: (n) =>
      n === 0
        ? 'طلبات المراسلة'
        : count(n, '# طلب مراسلة', '# طلب مراسلة', '# طلبا مراسلة', '# طلبات مراسلة', '# طلب مراسلة', '# طلب مراسلة'),
  },
  groups: {
    new: 'محادثة جديدة',
    add: 'إضافة أشخاص',
    settings: 'إعدادات المجموعة',
    people: (n) => count(n, 'لا أحد', 'شخص واحد', 'شخصان', '# أشخاص', '# شخصًا', '# شخص'),
  },
  typing: ({ names, n }) =>
    choose(
      n,
      `${listOf(names)} يكتبون…`,
      `${listOf(names)} يكتب…`,
      `${listOf(names)} يكتبون…`,
      `${listOf(names)} يكتبون…`,
      `${listOf(names)} يكتبون…`,
      `${listOf(names)} يكتبون…`,
    ),
  typingMany: 'عدة أشخاص يكتبون…',
} satisfies typeof messageWords

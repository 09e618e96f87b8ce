// Printed from locales/ar/voice.json. After a change there: bun run words
import type { voiceWords } from '../voice.ts'

export default {
  voice: {
    members: 'أعضاء هذه المكالمة',
    start: 'بدء مكالمة',
    underway: 'هناك مكالمة جارية',
    declined: (name) => `رفض ${name} المكالمة.`,
    muted: 'مكتوم',
    deafened: 'لا يسمع',
    sharing: 'يشارك شاشته',
    noMicrophone: 'لا يوجد ميكروفون: يمكنك الاستماع لكن الآخرين لا يسمعونك.',
    noCalls: 'لا يدعم هذا المتصفح المكالمات (WebRTC). استخدم متصفحًا أو جهازًا آخر.',
    ended: {
      taken_over: 'تستمر المكالمة على جهاز آخر.',
      access: 'لم يعد لديك وصول إلى هذه المكالمة.',
      disconnected: 'أخرجك مشرف من المكالمة.',
      media_unavailable: 'لا يستطيع الخادم تمرير هذه المكالمة الآن.',
    },
    endedOtherwise: 'انتهت المكالمة.',
  },
} satisfies typeof voiceWords

// Printed from locales/hi/voice.json. After a change there: bun run words
import type { voiceWords } from '../voice.ts'

export default {
  voice: {
    members: 'इस कॉल के सदस्य',
    start: 'कॉल शुरू करें',
    underway: 'कॉल चल रही है',
    declined: (name) => `${name} ने कॉल अस्वीकार कर दी।`,
    muted: 'म्यूट',
    deafened: 'आवाज़ बंद',
    sharing: 'स्क्रीन साझा कर रहे हैं',
    noMicrophone: 'माइक्रोफ़ोन नहीं है: आप सुन सकते हैं, पर दूसरे आपको नहीं सुन सकते।',
    noCalls: 'यह ब्राउज़र कॉल (WebRTC) का समर्थन नहीं करता। कोई दूसरा ब्राउज़र या डिवाइस इस्तेमाल करें।',
    ended: {
      taken_over: 'कॉल दूसरे डिवाइस पर चल रही है।',
      access: 'अब इस कॉल तक आपकी पहुँच नहीं है।',
      disconnected: 'किसी मॉडरेटर ने आपको कॉल से हटा दिया।',
      media_unavailable: 'सर्वर अभी यह कॉल आगे नहीं भेज सकता।',
    },
    endedOtherwise: 'कॉल समाप्त हो गई।',
  },
} satisfies typeof voiceWords

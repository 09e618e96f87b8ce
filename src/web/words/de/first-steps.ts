// Printed from locales/de/first-steps.json. After a change there: bun run words
import type { firstWords } from '../first-steps.ts'
import { digits } from '../plural.ts'
import { count } from './plural.ts'

export default {
  templates: {
    friends: {
      title: 'Freunde und Familie',
      text: 'Pläne machen, Bilder teilen und im kleinen Kreis reden.',
      example: 'Das Haus am See',
      channels: [
        {
          name: 'pläne',
          topic: 'Was wir als Nächstes machen und wann',
        },
        {
          name: 'bilder',
          topic: 'Teile die guten',
        },
        {
          name: 'Wohnzimmer',
        },
      ],
    },
    community: {
      title: 'Verein oder Community',
      text: 'Neuigkeiten für alle, ein Ort zum Hallosagen und Kanäle für viele Themen.',
      example: 'Vogelfreunde',
      channels: [
        {
          name: 'neuigkeiten',
          topic: 'Was alle wissen sollten',
        },
        {
          name: 'vorstellung',
          topic: 'Neu hier? Sag Hallo',
        },
        {
          name: 'fragen',
          topic: 'Frag, was du willst',
        },
        {
          name: 'Treffpunkt',
        },
      ],
    },
    team: {
      title: 'Team oder Firma',
      text: 'Aufgaben in Threads besprechen, Entscheidungen festhalten und sich im Sprachkanal treffen.',
      example: 'Wehrsanierung',
      channels: [
        {
          name: 'aufgaben',
          topic: 'Wer macht was bis wann',
        },
        {
          name: 'entscheidungen',
          topic: 'Was wir entschieden haben und warum',
        },
        {
          name: 'kaffee',
          topic: 'Alles außer Arbeit',
        },
        {
          name: 'Stand-up',
        },
      ],
    },
    gaming: {
      title: 'Spiele',
      text: 'Mitspieler finden, beim Spielen reden und die besten Momente teilen.',
      example: 'Nachtjäger',
      channels: [
        {
          name: 'neuigkeiten',
          topic: 'Updates und Termine',
        },
        {
          name: 'mitspieler',
          topic: 'Wer spielt was und wann',
        },
        {
          name: 'clips',
          topic: 'Deine besten Momente',
        },
        {
          name: 'Lobby',
        },
        {
          name: 'Spiel',
        },
      ],
    },
    study: {
      title: 'Lerngruppe',
      text: 'Um Hilfe bitten, Notizen teilen und zusammen lernen.',
      example: 'Algebra II',
      channels: [
        {
          name: 'neuigkeiten',
          topic: 'Termine und Ankündigungen',
        },
        {
          name: 'hausaufgaben',
          topic: 'Hilfe suchen, Hilfe geben',
        },
        {
          name: 'notizen',
          topic: 'Zusammenfassungen und Links',
        },
        {
          name: 'Lernraum',
        },
      ],
    },
    project: {
      title: 'Open-Source-Projekt',
      text: 'Versionen ankündigen, Nutzern helfen und über den Code reden.',
      example: 'Reiher',
      channels: [
        {
          name: 'neuigkeiten',
          topic: 'Versionen und Ankündigungen',
        },
        {
          name: 'hilfe',
          topic: 'Fragen von Nutzern',
        },
        {
          name: 'entwicklung',
          topic: 'Code, Reviews und Pläne',
        },
        {
          name: 'vorgestellt',
          topic: 'Was du damit gebaut hast',
        },
        {
          name: 'Besprechung',
        },
      ],
    },
  },
  register: {
    title: 'Erstelle dein Konto',
    closed: 'Die Registrierung ist auf diesem Server geschlossen.',
    invited: (server) => `Danach trittst du ${server} bei.`,
    name: 'Wie sollen andere dich nennen?',
    nameHint: 'Alle sehen das. Du kannst es jederzeit ändern.',
    usernameHint: 'Damit meldest du dich an. Sonst sieht ihn niemand.',
    nameNotKept:
      'Dein Konto ist bereit, aber dein Name konnte nicht gespeichert werden. Lege ihn in den Einstellungen fest.',
  },
  home: {
    title: (name) => `Willkommen, ${name}`,
    text: 'Unterhalte dich auf Servern oder mit Freunden. Womit möchtest du anfangen?',
    make: 'Server erstellen',
    makeText: 'Dein eigener Ort für die Leute, die du aussuchst.',
    join: 'Mit einer Einladung beitreten',
    joinText: 'Hat dir jemand einen Link geschickt? Füge ihn hier ein.',
    link: 'Einladungslink oder Code',
    open: 'Einladung öffnen',
    find: 'Freunde finden',
    findText: 'Suche nach Benutzername oder Anzeigename.',
  },
  setup: {
    steps: {
      name: 'Name',
      picture: 'Bild',
      channels: 'Kanäle',
      rules: 'Regeln',
      invite: 'Einladen',
    },
    moderators: 'Moderatoren',
    power: 'Rollen, die verwalten können',
    file: 'Aus einer Datei',
    fileText: 'Eine Vorlage, die in den Einstellungen eines anderen Servers gespeichert wurde.',
    fileWrong: 'Diese Datei ist keine Vorlage.',
    rulesTitle: 'Lege Regeln fest',
    rulesText: 'Neue Mitglieder nehmen sie an, bevor sie schreiben können.',
    rulesExample: '1. Seid nett.\n2. Kein Spam.',
    progress: 'Schritte',
    whom: 'Für wen ist er?',
    next: 'Weiter',
    skip: 'Vorerst überspringen',
    pictureTitle: 'Füge ein Bild hinzu',
    pictureText: 'Ein Bild fällt eher auf als ein Name. PNG, JPEG, WebP, GIF oder AVIF.',
    channelsTitle: 'Worüber werdet ihr reden?',
    channelsText: 'Kanäle trennen Themen voneinander. Wähle einige für den Anfang; du kannst sie jederzeit ändern.',
    general: 'Schon da, für alles',
    readOnly: (topic) => `${topic}. Alle können lesen, nur die Moderation kann schreiben`,
    another: 'Noch ein Kanal',
    add: 'Hinzufügen',
    make: (n) => (n === 0 ? 'Weiter' : count(n, '# Kanal erstellen', '# Kanäle erstellen')),
    inviteTitle: 'Lade deine ersten Mitglieder ein',
    inviteText: 'Wer diesen Link hat, kann beitreten. Er gilt eine Woche.',
    share: 'Teilen …',
    open: (name) => `${name} öffnen`,
  },
  invite: {
    from: 'lädt dich ein:',
    without: 'Du bist eingeladen:',
    online: (n) => `${digits(n)} online`,
    until: (time) => `Diese Einladung gilt bis ${time}.`,
    call: 'Du bist Mitglied, bis dein letzter Anruf hier fünf Minuten vorbei ist.',
    day: 'Du bist für einen Tag Mitglied.',
    isMember: 'Du bist schon Mitglied.',
    over: 'Diese Einladung ist nicht mehr gültig',
    overText:
      'Sie ist abgelaufen, aufgebraucht oder wurde widerrufen. Bitte die Person, die sie geschickt hat, um eine neue.',
    unknown: 'Einladung nicht gefunden',
    unknownText: 'Der Link ist vielleicht unvollständig. Öffne den ganzen Link so, wie er dir geschickt wurde.',
    banned: 'Du kannst diesem Server nicht beitreten',
    bannedText: 'Die Moderation hat dich gebannt.',
    join: 'Server beitreten',
    notNow: 'Nicht jetzt',
    back: 'Zurück zu deinen Unterhaltungen',
  },
} satisfies typeof firstWords

import { randomInt } from 'node:crypto'

const WORDS =
  `Otter Badger Heron Lynx Falcon Marten Beaver Robin Puffin Hare Finch Seal Stork Swift Weasel Bison Crane Dolphin
  Egret Ferret Gecko Hawk Ibis Jackdaw Kestrel Lark Magpie Newt Osprey Plover Quail Raven Salmon Tern Urchin Vole Wren
  Yak Alpaca Bobcat Caribou Dormouse Ermine Firefly Gannet Hedgehog Impala Jay Koala Lemur Meerkat Narwhal Ocelot Panda
  Quokka Reindeer Sparrow Tapir Walrus Zebra`.split(/\s+/)

/** An animal, `#` and four digits. Random, so that the name reveals nothing about the account. */
export const randomDisplayName = (): string =>
  `${WORDS[randomInt(WORDS.length)]}#${String(randomInt(10_000)).padStart(4, '0')}`

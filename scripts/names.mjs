// Checks scripts/internalNames.txt, the names that the build shortens: each is a member that the heart of the library declares
// and no value of a user has. It needs the build. `--write` builds and writes the list again; read the diff.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { readMemberUses } from './memberUses.mjs'
import { readPublicNames } from './publicNames.mjs'
import { LIST, readBuilt, readInternalNames, readMembers, refuseNames } from './shorten.mjs'

const HEART = ['normalize', 'store', 'denormalize', 'controller']
// These use the heart and may have a member of the same name. Others declare the types of values that come from users.
const AROUND = ['binding', 'client', 'compat', 'devtools', 'explain', 'managers', 'mock', 'react', 'vue']
// Fewer bytes than that, before compression, are not worth a line.
const LEAST = 8

const isWriting = process.argv.includes('--write')
if (isWriting) {
  // It fails where a name of the list is gone, and has written everything that is needed here.
  spawnSync(process.execPath, ['scripts/build.mjs'])
}
const uses = readMemberUses()
const { declarations } = readPublicNames()

if (isWriting) {
  const { members, texts } = readMembers(readBuilt('.cache/built'))
  const worth = (name) => members.get(name) * (name.length - 1)
  const head = readFileSync(LIST, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('#'))
  const kept = new Set(head.map((line) => /^# keep (\w+)/.exec(line)?.[1]))
  const names = [...members.keys()].filter((name) => worth(name) >= LEAST && !kept.has(name) && !judge(name))
  const refused = refuseNames(names, { members, texts })
  const chosen = names.filter((name) => !refused.has(name)).toSorted((a, b) => (a < b ? -1 : 1))
  writeFileSync(LIST, `${[...head, ...chosen].join('\n')}\n`)
  console.log(`${LIST} has ${chosen.length} names`)
} else {
  const names = readInternalNames()
  const faults = names.flatMap((name) => {
    const fault = judge(name)
    return fault ? [`"${name}" ${fault}`] : []
  })
  if (faults.length > 0) {
    console.error(`${faults.join('\n')}\nThe build must not shorten these: remove them from ${LIST}.`)
    process.exit(1)
  }
  console.log(`${names.length} internal names are the library's own`)
}

function judge(name) {
  const use = uses.get(name)
  if (!use) {
    return 'is no member in src/'
  }
  if (use.doubts.length > 0) {
    return `is not only ours: ${use.doubts[0]}`
  }
  const owners = [...use.owners]
  const seen = owners.find((owner) => declarations.has(owner))
  if (seen) {
    return `belongs to what users see or extend: ${seen}`
  }
  const folderOf = (owner) => owner.split('/')[0]
  const stranger = owners.find((owner) => ![...HEART, ...AROUND].includes(folderOf(owner)))
  if (stranger) {
    return `is also declared where values of users are typed: ${stranger}`
  }
  return owners.some((owner) => HEART.includes(folderOf(owner))) ? undefined : `is not declared in ${HEART.join(', ')}`
}

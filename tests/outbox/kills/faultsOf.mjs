// Compares what was on the screen with what the server has done.

/** The faults of a run. */
export function faultsOf({ api, written, discarded, perhaps, screens, disk }) {
  const faults = []
  const places = placesOf(api)
  if (api.strangers.length > 0) {
    faults.push(`sent as another user: ${api.strangers.join()}`)
  }
  for (const one of written) {
    const { mark, isFree } = one
    const count = places.get(mark)?.length ?? 0
    if (count > 1) {
      faults.push(`${mark} was made ${count} times`)
    }
    if (count > 0 && discarded.has(mark)) {
      faults.push(`${mark} was made, though it was discarded`)
    }
    if (count === 0 && !isFree && !discarded.has(mark) && !perhaps.has(mark) && !isRemoved(one, written, places)) {
      faults.push(`${mark} is lost`)
    }
  }
  for (const [user, tasks] of api.users) {
    for (const { marks } of tasks) {
      const disorder = outOfOrder(marks, written, api)
      if (disorder) {
        faults.push(`${user} has ${disorder} in ${marks.join()}`)
      }
    }
  }
  for (const [user, tabs] of Object.entries(screens)) {
    const has = textOf(api.tasks(user))
    for (const screen of tabs) {
      if (textOf(screen) !== has) {
        faults.push(`the screen of ${user} shows ${textOf(screen)} for ${has}`)
      }
    }
  }
  for (const [name, text] of Object.entries(disk)) {
    if (text.includes('"entry/')) {
      faults.push(`entries are left in "${name}"`)
    }
    const others = [...text.matchAll(/\b([ab])m\d+\b/g)].filter(([, of]) => of !== name.split(' ').at(-1)[0])
    if (others.length > 0) {
      const at = others[0].index
      faults.push(`"${name}" has ${others.length} marks of another user, such as ${text.slice(at - 60, at + 20)}`)
    }
  }
  return faults
}

/** Where each mark is, of all users. */
function placesOf({ users }) {
  const places = new Map()
  for (const tasks of users.values()) {
    for (const { name, marks } of tasks) {
      marks.forEach((mark) => places.set(mark, [...(places.get(mark) ?? []), name]))
    }
  }
  return places
}

/** The task was on the screen twice, and its user has removed both: the server had it once. */
function isRemoved({ kind, mark, name, user }, written, places) {
  const isSame = (one) => one.kind === 'remove' && one.name === name && one.user === user && one.mark !== mark
  return kind === 'remove' && written.some((one) => isSame(one) && places.has(one.mark))
}

/**
 * Two changes of a task in the wrong order. Those of two tabs that were open at the same time have none, and one that was refused and sent
 * again is as late as its user.
 */
function outOfOrder(marks, written, { refused, arrivals }) {
  const all = marks.flatMap((mark) => {
    const at = written.findIndex((one) => one.mark === mark)
    return at < 0 || refused.has(mark) ? [] : [{ ...written[at], index: at }]
  })
  for (const [i, later] of all.entries()) {
    const before = all
      .slice(0, i)
      .find(
        (one) =>
          one.index > later.index &&
          (one.tab === later.tab || one.life !== later.life) &&
          !isOtherOf(one, later, arrivals),
      )
    if (before) {
      return `${before.mark} before ${later.mark}`
    }
  }
  return undefined
}

/**
 * The list may have a record before the page has the response to its create: until then there are two of them on the screen, and nobody can know
 * that a change of one concerns the other. One of them may have been removed by then: its create is still to be repeated.
 */
function isOtherOf(one, { id }, arrivals) {
  const create = arrivals.findLast(({ mark, isLost }) => mark === one.name && !isLost)
  return isTemporary(id) && !isTemporary(one.id) && (one.isTwin === true || create?.at > one.at)
}

function isTemporary(id) {
  return id !== undefined && !/^(ann|bob|s)\d+$/.test(id)
}

function textOf(tasks) {
  return tasks
    .map(({ name, log }) => `${name}: ${log.trim()}`)
    .toSorted()
    .join('; ')
}

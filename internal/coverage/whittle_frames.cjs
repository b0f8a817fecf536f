// Writes whittle-node-PID-THREAD in TMPDIR: the last exception, the calls in files below WHITTLE_DIR, the innermost
// first, and the values of their variables. A debugger session in the same thread pauses at each exception:
// https://chromedevtools.github.io/devtools-protocol/tot/Debugger/.
'use strict'
const { writeFileSync, realpathSync } = require('fs')
const { join, sep } = require('path')
const { fileURLToPath } = require('url')

const maxText = 1000, maxItems = 50, maxDepth = 4
const maxValues = 300, maxLeft = 30000 // of a variable, and of all at a pause
const maxPauses = 20 // after them, only exceptions that nothing catches count
const modules = ['assert', 'buffer', 'crypto', 'events', 'fs', 'os', 'path', 'stream', 'url', 'util', 'zlib']
const known = new Map() // expressions of built-in objects
let values = 0 // of the variable
let left = 0 // values that may still be described at this pause

function builtIn(value) {
  if (!known.size) {
    for (const name of modules) known.set(require(name), `require('${name}')`)
    for (const name of Object.getOwnPropertyNames(globalThis)) {
      const found = Object.getOwnPropertyDescriptor(globalThis, name).value
      if (Object(found) === found) known.set(found, name)
      if (typeof found === 'function' && found.prototype) known.set(found.prototype, name + '.prototype')
    }
  }
  return known.get(value)
}

// complete matches code that is an expression, unlike that of a method. A native function has no code.
const complete = /^(async\s*)?(function\b|class\b|\(|[\w$]+\s*=>)(?!.*\b(this|super|native code)\b)/s

// described returns a text, {start, items, end}, {of, members}, {code} or null, which means unknown. The members of an
// object are values by their names, and of is the name of its class.
function described(value, depth) {
  values = depth ? values + 1 : 0
  if (values > maxValues || --left < 0) return null
  if (typeof value === 'string') return value.length > maxText ? null : JSON.stringify(value)
  if (typeof value === 'bigint') return value + 'n'
  if (Object.is(value, -0)) return '-0'
  if (typeof value === 'symbol') return 'Symbol()'
  if (Object(value) !== value) return String(value)
  const name = builtIn(value)
  if (name) return name
  if (typeof value === 'function') {
    const text = Function.prototype.toString.call(value)
    return { code: text.length <= maxText && complete.test(text) ? text : '' }
  }
  if (depth > maxDepth) return null
  const list = (start, items, end) => items.length > maxItems ? null
    : { start, items: items.map(i => described(i, depth + 1)), end }
  if (Array.isArray(value)) return list('[', value, ']')
  if (value instanceof RegExp) return String(value)
  if (value instanceof Date) return `new Date(${+value})`
  if (value instanceof Map) return list('new Map([', [...value], '])')
  if (value instanceof Set) return list('new Set([', [...value], '])')
  if (ArrayBuffer.isView(value) && value[Symbol.iterator]) {
    const name = Buffer.isBuffer(value) ? 'Buffer.from' : 'new ' + value.constructor.name
    return list(name + '([', [...value], '])')
  }
  if (value instanceof Promise) return 'Promise.resolve()'
  const members = {}
  for (const key of Object.keys(value).slice(0, maxItems)) {
    if (value instanceof Error && (key === 'name' || key === 'message')) continue
    members[key] = described(Object.getOwnPropertyDescriptor(value, key).value, depth + 1)
  }
  if (value instanceof Error) return errorOf(value, members)
  const of = Object.getPrototypeOf(value)?.constructor?.name || ''
  return { of: of === 'Object' ? '' : of, members }
}

// errorOf returns an expression that Node.js prints in the same way.
function errorOf(value, members) {
  let name = value.name === value.constructor.name && builtIn(value.constructor)
  let argument = JSON.stringify(value.message)
  if (!/\n +at /.test(value.stack)) {
    [name, argument] = ['Error', '']
    members.stack = JSON.stringify(value.stack || `${value.constructor.name}: ${value.message}`)
  } else if (!name) {
    const own = value.constructor !== Error && /^[A-Za-z_$][\w$]*$/.exec(value.constructor.name) || 'E'
    name = `class ${own} extends Error {${value.name === 'Error' ? '' : ` name = ${JSON.stringify(value.name)} `}}`
  }
  const made = `new ${name}(${argument})`
  if (!Object.keys(members).length) return made
  return { start: `Object.assign(${made}, `, items: [{ of: '', members }], end: ')' }
}

// scope is called with an object whose properties are the variables of a scope, or with this.
function scope(variables) {
  const all = {}
  for (const name of Object.keys(variables)) {
    try {
      all[name] = described(Object.getOwnPropertyDescriptor(variables, name).value, 0)
    } catch {
      all[name] = null
    }
  }
  return JSON.stringify(all)
}

function start() {
  const inspector = require('inspector'), session = new inspector.Session()
  const root = join(realpathSync(process.env.WHITTLE_DIR), sep)
  const out = join(process.env.TMPDIR, `whittle-node-${process.pid}-${require('worker_threads').threadId}`)
  const paths = new Map() // of scripts by their ids
  let pauses = 0, uncaught = false
  const isWhole = location => location?.lineNumber === 0 && location.columnNumber === 0
  const ask = (method, parameters) => {
    let answer
    session.post(method, parameters, (error, result) => { answer = result })
    return answer
  }
  const call = (object, argument) => {
    const answer = object?.objectId && ask('Runtime.callFunctionOn', { objectId: object.objectId,
      functionDeclaration: `function() { return __whittle(${argument}) }`, returnByValue: true, silent: true })
    return answer && answer.result.value ? JSON.parse(answer.result.value) : undefined
  }
  session.connect()
  session.on('Debugger.scriptParsed', ({ params }) => {
    try {
      const url = params.url, path = url.startsWith('file:') ? fileURLToPath(url) : url
      if (path.startsWith(sep) && !path.includes(sep + 'node_modules' + sep)) {
        const real = realpathSync(path)
        if (real.startsWith(root)) paths.set(params.scriptId, real.slice(root.length))
      }
    } catch {}
  })
  session.on('Debugger.paused', ({ params }) => {
    try {
      const frames = params.callFrames.filter(f => paths.has(f.location.scriptId)), { data } = params
      if (!frames.length || uncaught && !data.uncaught) return
      uncaught = data.uncaught
      left = maxLeft
      const read = frames.slice(0, 50).map((f, i) => ({
        path: paths.get(f.location.scriptId), line: f.location.lineNumber, column: f.location.columnNumber,
        this: call(f.this, '{ it: this }')?.it,
        scopes: f.scopeChain.filter(s => s.type !== 'global' && (i < 5 || s.type !== 'closure')).map(s => ({
          own: s.type !== 'closure' && s.type !== 'module' && s.type !== 'script',
          module: s.type === 'module' || s.type === 'script' || s.type === 'closure' && isWhole(s.startLocation),
          values: call(s.object, 'this') || {} })),
      }))
      const exception = call(data, '{ it: this }')?.it
      const elsewhere = params.reason !== 'exception' || frames[0] !== params.callFrames[0]
      const stack = call(data, '{ it: String(this.stack).replace(/^[^]*?\\n(?= +at )/, "").slice(0, 1000) }')?.it
      const lines = JSON.parse(stack || '""').replaceAll('file://', '').split('\n')
      const calls = lines.map(l => /^ +at (?:async )?(?:([^(]*) \((?!eval at ))?(.*):\d+:\d+\)?$/.exec(l))
        .filter(m => m && m[2].startsWith(root)).map(m => ({ name: m[1] || '', path: m[2].slice(root.length) }))
        .filter((c, i, all) => c.name || i === all.length - 1) // a module
      writeFileSync(out, JSON.stringify({ exception, elsewhere, calls, frames: read }))
      if (++pauses === maxPauses) ask('Debugger.setPauseOnExceptions', { state: 'uncaught' })
    } catch {}
  })
  ask('Debugger.enable')
  ask('Debugger.setPauseOnExceptions', { state: 'all' })
  Object.defineProperty(globalThis, '__whittle', { value: scope, configurable: true })
}

try {
  start()
} catch {} // without an inspector or files

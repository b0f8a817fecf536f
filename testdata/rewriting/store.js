'use strict';
class Store {
  constructor(items = []) {
    this.items = items;
    this.listeners = new Map();
  }
  on(event, listener) {
    const all = this.listeners.get(event) || [];
    all.push(listener);
    this.listeners.set(event, all);
    return this;
  }
  emit(event, ...args) {
    for (const listener of this.listeners.get(event) || []) listener(...args);
  }
  async load(source) {
    const data = await source.read();
    this.items = data.rows.map((row) => ({ id: row.id, name: row.name.trim() }));
    this.emit('loaded', this.items.length);
    return this.items;
  }
}
const source = {
  async read() {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return { rows: [{ id: 1, name: ' one ' }, { id: 2 }] };
  },
};
function describe(items) {
  return items.map(({ id, name }) => `${id}: ${name}`).join('\n');
}
async function main() {
  const store = new Store().on('loaded', (n) => console.log(`loaded ${n}`));
  const items = await store.load(source);
  console.log(describe(items));
}
main().catch((error) => { console.log(error.message); process.exitCode = 1; });

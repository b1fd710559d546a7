/** Where tokens, pending writes and last views are kept. `localStorage` is one; a phone's may be asynchronous. */
export interface KeyValueStore {
  getItem(key: string): string | null | Promise<string | null>;
  setItem(key: string, value: string): void | Promise<void>;
  removeItem(key: string): void | Promise<void>;
}

/** Keeps things until the program ends. */
export class MemoryStore implements KeyValueStore {
  private readonly items = new Map<string, string>();
  getItem(key: string): string | null {
    return this.items.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.items.set(key, value);
  }
  removeItem(key: string): void {
    this.items.delete(key);
  }
}

/** JSON values in a store, under this library's own prefix. What cannot be read counts as absent. */
export class Values {
  constructor(private readonly store: KeyValueStore) {}

  async get<T>(name: string): Promise<T | undefined> {
    const text = await this.store.getItem(`do-dooni.${name}`);
    try {
      return text === null ? undefined : (JSON.parse(text) as T);
    } catch {
      return undefined;
    }
  }
  async set(name: string, value: unknown): Promise<void> {
    await this.store.setItem(`do-dooni.${name}`, JSON.stringify(value));
  }
  async remove(name: string): Promise<void> {
    await this.store.removeItem(`do-dooni.${name}`);
  }
}

/** Letters, digits, `-` and `_`: a fresh random name for a request or a seed's hexadecimal digits. */
export function randomHex(bytes = 16): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

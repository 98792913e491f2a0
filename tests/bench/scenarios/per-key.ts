// Makes something costly once for each client it is asked for.

export class PerKey<Key extends object, Value> {
  readonly #made = new WeakMap<Key, Promise<Value>>();
  readonly #make: (key: Key) => Promise<Value>;

  constructor(make: (key: Key) => Promise<Value>) {
    this.#make = make;
  }

  of(key: Key): Promise<Value> {
    const made = this.#made.get(key) ?? this.#make(key);
    this.#made.set(key, made);
    return made;
  }
}

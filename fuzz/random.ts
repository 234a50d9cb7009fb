// Random numbers that are the same for the same seed, on every machine.

export class Random {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;

  /** Seeds are texts, so that one can be made of a seed, a format and the number of an input. */
  constructor(seed: string) {
    let hash = 0x811c9dc5;
    const next = (salt: number) => {
      hash = Math.imul(hash ^ salt, 0x01000193);
      for (let i = 0; i < seed.length; i++) hash = Math.imul(hash ^ seed.charCodeAt(i), 0x01000193);
      return hash;
    };
    this.a = next(1);
    this.b = next(2);
    this.c = next(3);
    for (let i = 0; i < 12; i++) this.bits();
  }

  /** 32 bits: the generator sfc32. */
  bits(): number {
    const sum = (this.a + this.b + this.counter++) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** A whole number from 0 up to, but not including, `end`; 0 if there is none. */
  below(end: number): number {
    return end <= 1 ? 0 : Math.floor((this.bits() / 2 ** 32) * end);
  }

  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  chance(share: number): boolean {
    return this.bits() < share * 2 ** 32;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)];
  }

  /** A number up to `most`, small ones much more often. */
  small(most: number): number {
    return Math.min(most, Math.floor(2 ** ((this.bits() / 2 ** 32) * Math.log2(most + 1))));
  }
}

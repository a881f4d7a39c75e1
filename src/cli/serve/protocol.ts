/** What the main thread, which speaks HTTP, and the program's thread, which infers, say to each other. */
import type { JsonValue } from '../../io/json-value.ts';

/** One datum to infer from. */
export interface InferRequest {
  /** As it came. */
  readonly data: JsonValue;
  readonly samples: number | undefined;
  readonly format: 'summary' | 'samples';
  /** The same seed gives the same answer; without one, requests are computed together. */
  readonly seed: number | undefined;
}

/** An answer to one request, or what is wrong with it. */
export type InferAnswer =
  | {
      /** JSON: as text it goes from thread to thread, and out, without being looked at again. */
      readonly result: string;
      readonly khat: number | undefined;
    }
  | {
      /** Whether the request is to blame, and not the program. */
      readonly refused: boolean;
      readonly message: string;
    };

/** What the thread says once, when it can be asked. */
export interface Ready {
  readonly ready: {
    /** JSON Schema of a datum; null where nothing is known of it. */
    readonly schema: JsonValue;
    readonly example: JsonValue;
    /** A description of the model, for people. */
    readonly about: string;
  };
}

export type ServeMessage = Ready | { readonly answers: readonly InferAnswer[] } | { readonly failed: string };

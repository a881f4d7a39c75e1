/** Pages have no other processes to send values to. */
const refuse = (): never => {
  throw new Error('There are no other processes here.');
};

export const packValue: (value: unknown) => Uint8Array = refuse;
export const unpackValue: (bytes: Uint8Array) => unknown = refuse;

/** Reading files where several ranks run a program: one reads, and all get the same bytes, or the same error. */
import { readRegularFile } from '../host/regular-file.ts';
import { packed, unpacked } from '../ranks/parcels.ts';
import { currentTeam } from '../runtime/team.ts';

type Read = { readonly bytes: Uint8Array } | { readonly message: string; readonly code: string | undefined };

/** The bytes of a file. Errors are those of the file system. */
export function readOnce(place: string): Uint8Array {
  const team = currentTeam();
  if (team === undefined) return readRegularFile(place);
  const read = unpacked(team.broadcast('read a file', team.rank === 0 ? packed(attempted(place)) : undefined)) as Read;
  if ('bytes' in read) return read.bytes;
  throw Object.assign(new Error(read.message), { code: read.code });
}

function attempted(place: string): Read {
  try {
    return { bytes: readRegularFile(place) };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return { message, code };
  }
}

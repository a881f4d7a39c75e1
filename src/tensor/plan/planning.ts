/**
 * Whether it is decided by sizes and data alone how something is computed: whether a graph gets a plan, not by how often it
 * was met, and whether data are taken for sparse, not by what those before were. There are ways that round differently, so
 * that otherwise the last bits of a result depend on what was computed before. An optimisation that is to go on from a
 * checkpoint as if nothing had happened must not.
 */
export const planning = { bySize: false };

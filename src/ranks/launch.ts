/** Whether this process was started as one of several ranks, told by what launchers put into its environment. */
type Environment = Readonly<Record<string, string | undefined>>;

export interface Launch {
  readonly rank: number;
  readonly size: number;
  /** Ranks on this machine, as far as the launcher says. */
  readonly here: number;
  /** Processors that the launcher has given to each rank, if it says so. */
  readonly processors: number | undefined;
  /** The kind of MPI that the launcher belongs to, if that can be told. */
  readonly kind: 'Open MPI' | 'MPICH' | undefined;
}

/**
 * The launch, or nothing if this process is alone. Slurm gives every step, also the one that runs a batch script, its own SLURM_PROCID;
 * only together with a variable of PMI or PMIx it means that the step was started for MPI.
 */
export function launchOf(environment: Environment): Launch | undefined {
  const number = (name: string): number | undefined => {
    const text = environment[name];
    return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
  };
  const first = (...names: string[]): number | undefined =>
    names.map(number).find((value): value is number => value !== undefined);
  const rank = first('OMPI_COMM_WORLD_RANK', 'PMI_RANK', 'PMIX_RANK');
  const size = first('OMPI_COMM_WORLD_SIZE', 'PMI_SIZE', 'SLURM_STEP_NUM_TASKS');
  if (rank === undefined || size === undefined || size < 2) return undefined;
  const here =
    first('OMPI_COMM_WORLD_LOCAL_SIZE', 'MPI_LOCALNRANKS') ??
    ofNode(environment.SLURM_STEP_TASKS_PER_NODE, number('SLURM_NODEID') ?? 0) ??
    number('SLURM_NTASKS_PER_NODE') ??
    1;
  const open = number('OMPI_COMM_WORLD_RANK') !== undefined;
  const kind = open ? 'Open MPI' : number('PMI_RANK') !== undefined ? 'MPICH' : undefined;
  return { rank, size, here: Math.min(here, size), processors: first('SLURM_CPUS_PER_TASK'), kind };
}

/** Slurm lists the tasks of nodes as in `32(x2),16`: those of three nodes. */
function ofNode(list: string | undefined, node: number): number | undefined {
  let before = 0;
  for (const [, tasks, times = '1'] of (list ?? '').matchAll(/(\d+)(?:\(x(\d+)\))?/g)) {
    before += Number(times);
    if (node < before) return Number(tasks);
  }
  return undefined;
}

/**
 * Whether so many ranks are more than there are processors: those of the machine, and those that this process may use. One that may use a
 * single processor has been bound to it by its launcher, which gives each rank one of its own.
 */
export function areCrowded(ranks: number, ofMachine: number, usable: number): boolean {
  return ranks > ofMachine || (usable > 1 && ranks > usable);
}

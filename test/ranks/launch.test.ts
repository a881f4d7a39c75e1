import { describe, expect, test } from 'vitest';
import { areCrowded, launchOf } from '../../src/ranks/launch.ts';

describe('ranks are more than processors', () => {
  test.each([
    ['two on two', 2, 2, 2, false],
    ['four on two', 4, 2, 2, true],
    ['two, each bound to one of four', 2, 4, 1, false],
    ['four in a container that may use two of many', 4, 64, 2, true],
  ])('%s', (_, ranks, ofMachine, usable, areMore) => {
    expect(areCrowded(ranks, ofMachine, usable)).toBe(areMore);
  });
});

describe('a process is one of several ranks', () => {
  test.each([
    [
      'of Open MPI',
      { OMPI_COMM_WORLD_RANK: '1', OMPI_COMM_WORLD_SIZE: '4', OMPI_COMM_WORLD_LOCAL_SIZE: '2' },
      { rank: 1, size: 4, here: 2, kind: 'Open MPI' },
    ],
    ['of MPICH', { PMI_RANK: '0', PMI_SIZE: '3', MPI_LOCALNRANKS: '3' }, { rank: 0, size: 3, here: 3, kind: 'MPICH' }],
    [
      'of srun with PMIx',
      { PMIX_RANK: '2', SLURM_STEP_NUM_TASKS: '8', SLURM_PROCID: '2' },
      { rank: 2, size: 8, here: 1, kind: undefined },
    ],
    [
      'of srun with processors for each',
      { PMI_RANK: '9', PMI_SIZE: '16', SLURM_NTASKS_PER_NODE: '8', SLURM_CPUS_PER_TASK: '4' },
      { rank: 9, size: 16, here: 8, processors: 4, kind: 'MPICH' },
    ],
    [
      'of srun on the third of three nodes',
      { PMIX_RANK: '70', SLURM_STEP_NUM_TASKS: '80', SLURM_STEP_TASKS_PER_NODE: '32(x2),16', SLURM_NODEID: '2' },
      { rank: 70, size: 80, here: 16, kind: undefined },
    ],
    [
      'of srun with PMI-2',
      { PMI_RANK: '1', PMI_SIZE: '2', PMI_FD: '10', SLURM_STEP_TASKS_PER_NODE: '2', SLURM_NODEID: '0' },
      { rank: 1, size: 2, here: 2, kind: 'MPICH' },
    ],
  ])('%s', (_, environment, launch) => {
    expect(launchOf(environment)).toEqual(launch);
  });

  test.each([
    ['without a launcher', {}],
    ['as a launcher’s only one', { OMPI_COMM_WORLD_RANK: '0', OMPI_COMM_WORLD_SIZE: '1' }],
    ['in a batch script of Slurm', { SLURM_PROCID: '0', SLURM_NTASKS: '8', SLURM_STEP_NUM_TASKS: '8' }],
    ['with a variable that is no number', { PMI_RANK: 'x', PMI_SIZE: '4' }],
  ])('is not so %s', (_, environment) => {
    expect(launchOf(environment)).toBeUndefined();
  });
});

import { type ImportanceDiagnostics, importanceDiagnostics } from '../diagnostics/pareto.ts';

/**
 * How good a guide is as an importance sampler, from the weights of what was drawn from it. Where particles are
 * resampled on the way there are several sets of weights, and the worst of them counts.
 */
export class GuideQuality {
  private ess = Infinity;
  private khat = Number.NaN;

  note(logWeights: ArrayLike<number>): void {
    const { ess, khat } = importanceDiagnostics(logWeights);
    this.ess = Math.min(this.ess, ess);
    if (!(khat <= this.khat)) this.khat = Number.isNaN(khat) ? this.khat : khat;
  }

  get diagnostics(): ImportanceDiagnostics {
    return { ess: this.ess, khat: this.khat };
  }
}

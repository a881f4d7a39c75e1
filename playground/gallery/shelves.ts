/** What is in the gallery: files below `examples/`, each with a title and what it shows. */

export interface ShelfPlan {
  readonly title: string;
  readonly about: string;
  readonly entries: readonly (readonly [file: string, title: string, about: string])[];
}

export const SHELVES: readonly ShelfPlan[] = [
  {
    title: 'First programs',
    about: 'Small models that say something. Change a number and run again.',
    entries: [
      ['coin.wppl', 'A trick coin', 'Is it a trick coin? Exact inference over a discrete program.'],
      ['geometric.wppl', 'How long until heads', 'The number of choices is itself random.'],
      ['scalar-implicature.wppl', 'What “some” means', 'A listener who reasons about a speaker.'],
      ['hidden-markov.wppl', 'Hidden states', 'A chain of hidden states, by sequential Monte Carlo.'],
      ['linear-regression.ts', 'A line through points', 'Slope, intercept and noise, by MCMC with drift.'],
      ['tug-of-war.ts', 'Tug of war', 'Latent strengths of players, remembered by mem.'],
      ['amortized.wppl', 'Learn once, infer at once', 'A guide network, trained and used for new data.'],
    ],
  },
  {
    title: 'The paper, section by section',
    about:
      'Deep Amortized Inference for Probabilistic Programs (Ritchie, Horsfall, Goodman): its listings, ready to run.',
    entries: [
      ['paper/basics.wppl', 'Basics', 'Section 2.1: a choice, an observation, MCMC.'],
      ['paper/guided-flip.wppl', 'A guided flip', 'Section 3.1: a guide beside a choice.'],
      ['paper/one-latent.wppl', 'A guide with parameters', 'Section 3.2: one latent variable.'],
      ['paper/neural-guide.wppl', 'A neural guide', 'Section 3.2: the weights written out.'],
      ['paper/network-guide.wppl', 'A network guide', 'Section 3.2: the same, with a network.'],
      ['paper/data.wppl', 'Iterating over data', 'Section 3.3: mapData and minibatches.'],
      ['paper/maximum-likelihood.wppl', 'Maximum likelihood', 'Section 3.4: a learned mean.'],
      ['paper/regularised.wppl', 'Regularised', 'Section 3.4: a learned mean with a prior.'],
      ['paper/variational-bayes.wppl', 'Variational Bayes', 'Section 3.4: a mean with a guide.'],
      ['paper/continuous-latent.wppl', 'A continuous latent', 'Figure 1: one per datum.'],
      ['paper/discrete-latent.wppl', 'A discrete latent', 'Figure 1: one per datum.'],
      ['paper/two-latents-independent.wppl', 'Two latents, apart', 'Figure 2: no dependence in the guide.'],
      ['paper/two-latents-dependent.wppl', 'Two latents, together', 'Figure 2: dependence in the guide.'],
      ['paper/learned-parameters.wppl', 'Using what was learned', 'Sections 4.4 and 5: learn, predict, synthesise.'],
      ['paper/mean-field.wppl', 'Mean field by default', 'Section 7.1: the guide that a choice gets by itself.'],
      ['paper/dependency-graph.wppl', 'What depends on what', 'Appendix B, figure 8.'],
    ],
  },
  {
    title: 'The paper’s experiments, in small',
    about: 'Appendix C: mixtures, diagnosis, topics, pictures. Each trains in seconds.',
    entries: [
      ['paper/mixture-marginalised.wppl', 'Mixture, summed out', 'C.1: a mixture without its choices.'],
      ['paper/qmr-joint.wppl', 'Diagnosis, joint guide', 'C.2: one network for all diseases.'],
      ['paper/qmr-factored.wppl', 'Diagnosis, factored guide', 'C.2: a network per disease.'],
      ['paper/qmr-gru.wppl', 'Diagnosis, recurrent guide', 'C.2: diseases one after the other.'],
      ['paper/lda-mean-field.wppl', 'Topics, mean field', 'C.3: latent Dirichlet allocation.'],
      ['paper/lda-marginalised.wppl', 'Topics, summed out', 'C.3: word choices summed out.'],
      ['paper/lda-word-guide.wppl', 'Topics, guide per word', 'C.3: a network names each word’s topic.'],
      ['paper/lda-document-guide.wppl', 'Topics, guide per document', 'C.3: a network reads the document.'],
      ['paper/vae.wppl', 'Variational autoencoder', 'C.4: pictures from a few numbers.'],
      ['paper/sbn.wppl', 'Sigmoid belief network', 'C.5: layers of yes and no.'],
    ],
  },
];

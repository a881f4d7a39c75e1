"""One training step of the autoencoder of vae.ts in PyTorch: milliseconds of the best of many short rounds."""
import time

import torch

BATCH, PIXELS, HIDDEN, LATENT = 100, 784, 500, 20
SECONDS = 1.5

torch.manual_seed(1)
encoder = torch.nn.Linear(PIXELS, HIDDEN)
mean = torch.nn.Linear(HIDDEN, LATENT)
log_variance = torch.nn.Linear(HIDDEN, LATENT)
decoder = torch.nn.Linear(LATENT, HIDDEN)
pixels = torch.nn.Linear(HIDDEN, PIXELS)
layers = torch.nn.ModuleList([encoder, mean, log_variance, decoder, pixels])
optimiser = torch.optim.Adam(layers.parameters(), lr=0.001)
images = (torch.rand(BATCH, PIXELS) < 0.2).float()
noise = torch.randn(BATCH, LATENT)


def step():
    hidden = torch.tanh(encoder(images))
    mu, spread = mean(hidden), log_variance(hidden)
    z = mu + torch.exp(0.5 * spread) * noise
    logits = pixels(torch.tanh(decoder(z)))
    likelihood = (images * logits - torch.nn.functional.softplus(logits)).sum()
    divergence = -0.5 * (1 + spread - mu**2 - torch.exp(spread)).sum()
    loss = (divergence - likelihood) / BATCH
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()


for _ in range(20):
    step()
best = float("inf")
end = time.perf_counter() + SECONDS
while time.perf_counter() < end:
    start = time.perf_counter()
    step()
    best = min(best, time.perf_counter() - start)
print(torch.__version__, 1000 * best)

#!/usr/bin/env python3
# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""Trains a small transformer on random tokens: a PyTorch program as they are, made of many short kernels.

gpuprof should find: several hundred launches a step; matrix products, attention, element-wise work and the optimizer
share the GPU's time, and a dozen or two kernels cover 90 % of it; between the kernels the GPU often waits for the host.
The fix: fewer and larger kernels: torch.compile, CUDA graphs, a fused optimizer (AdamW(fused=True)), or a larger batch.

It needs nothing but PyTorch with CUDA, downloads nothing, and computes the same numbers for the same flags.
"""

import argparse
import json
import os
import statistics
import sys
import time

WARM_UP_STEPS = 10  # allocation, cuBLAS heuristics and lazy loading happen here; they are not part of the step times
BLOCK_STEPS = 10  # the program waits for the GPU after so many steps, as a loop that logs its loss does


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=300, help="training steps after the warm-up (default 300)")
    parser.add_argument("--seconds", type=float, help="train for this long instead of a fixed number of steps")
    parser.add_argument("--batch", type=int, default=16, help="sequences a step (default 16)")
    parser.add_argument("--layers", type=int, default=12, help="transformer layers (default 12)")
    parser.add_argument("--width", type=int, default=512, help="model width, a multiple of 64 (default 512)")
    parser.add_argument("--length", type=int, default=256, help="tokens a sequence (default 256)")
    parser.add_argument("--vocabulary", type=int, default=8192, help="number of different tokens (default 8192)")
    parser.add_argument("--profile", choices=["none", "torch"], default="none",
                        help="run the loop under torch.profiler, to compare the cost of profilers (default none)")
    parser.add_argument("--json", metavar="FILE", help="write step times and loss as JSON to FILE")
    arguments = parser.parse_args()
    if arguments.width % 64 != 0 or arguments.width <= 0:
        parser.error("--width must be a multiple of 64")
    for name in ("batch", "layers", "length", "vocabulary", "steps"):
        if getattr(arguments, name) < 1:
            parser.error(f"--{name} must be at least 1")
    return arguments


def build_model(torch, arguments):
    nn = torch.nn
    functional = nn.functional

    class Layer(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.heads = width // 64
            self.norm_attention = nn.LayerNorm(width)
            self.query_key_value = nn.Linear(width, 3 * width)
            self.projection = nn.Linear(width, width)
            self.norm_mlp = nn.LayerNorm(width)
            self.expand = nn.Linear(width, 4 * width)
            self.contract = nn.Linear(4 * width, width)

        def forward(self, x):
            batch, length, width = x.shape
            mixed = self.query_key_value(self.norm_attention(x)).view(batch, length, 3, self.heads, 64)
            query, key, value = mixed.permute(2, 0, 3, 1, 4)
            attention = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
            x = x + self.projection(attention.transpose(1, 2).reshape(batch, length, width))
            return x + self.contract(functional.gelu(self.expand(self.norm_mlp(x))))

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.tokens = nn.Embedding(arguments.vocabulary, arguments.width)
            self.positions = nn.Parameter(torch.randn(arguments.length, arguments.width) * 0.02)
            self.layers = nn.ModuleList(Layer(arguments.width) for _ in range(arguments.layers))
            self.norm = nn.LayerNorm(arguments.width)
            self.output = nn.Linear(arguments.width, arguments.vocabulary, bias=False)

        def forward(self, tokens):
            x = self.tokens(tokens) + self.positions
            for layer in self.layers:
                x = layer(x)
            return self.output(self.norm(x))

    return Model()


def make_step(torch, arguments):
    device = torch.device("cuda")
    torch.manual_seed(0)
    model = build_model(torch, arguments).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    generator = torch.Generator(device=device).manual_seed(1)

    def step():
        tokens = torch.randint(arguments.vocabulary, (arguments.batch, arguments.length + 1), device=device,
                               generator=generator)
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            logits = model(tokens[:, :-1])
            loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


def train(torch, arguments, step):
    """Runs the measured loop; returns the steps made, wall and CPU seconds, milliseconds a step of each block, loss."""
    block_ms = []
    done = 0
    loss = None
    cpu_start = time.process_time()
    start = time.perf_counter()
    block_start = start
    while True:
        steps = BLOCK_STEPS if arguments.seconds is not None else min(BLOCK_STEPS, arguments.steps - done)
        for _ in range(steps):
            # A range costs next to nothing without a profiler, and tells one what a step is.
            with torch.cuda.nvtx.range("step"):
                loss = step()
        torch.cuda.synchronize()
        now = time.perf_counter()
        block_ms.append((now - block_start) * 1e3 / steps)
        block_start = now
        done += steps
        if arguments.seconds is not None:
            if now - start >= arguments.seconds:
                break
        elif done >= arguments.steps:
            break
    return done, time.perf_counter() - start, time.process_time() - cpu_start, block_ms, loss.item()


def main():
    arguments = parse_arguments()
    try:
        import torch
    except ImportError:
        sys.exit("train.py needs PyTorch; install it with: python3 -m pip install torch")
    if not torch.cuda.is_available():
        sys.exit("train.py needs a GPU that PyTorch can use; torch.cuda.is_available() is false")

    step = make_step(torch, arguments)
    for _ in range(WARM_UP_STEPS):
        step()
    torch.cuda.synchronize()

    if arguments.profile == "torch":
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU,
                                                torch.profiler.ProfilerActivity.CUDA]):
            steps, wall_s, cpu_s, block_ms, loss = train(torch, arguments, step)
    else:
        steps, wall_s, cpu_s, block_ms, loss = train(torch, arguments, step)

    print(f"train.py: {steps} steps, loss {loss:.4f}, {wall_s * 1e3 / steps:.2f} ms/step "
          f"(median of blocks {statistics.median(block_ms):.2f}), {cpu_s * 1e3 / steps:.2f} ms CPU time/step",
          flush=True)
    if arguments.json:
        document = {
            "steps": steps, "warm_up_steps": WARM_UP_STEPS, "loss": loss, "wall_s": wall_s, "cpu_s": cpu_s,
            "step_ms": wall_s * 1e3 / steps, "cpu_ms_per_step": cpu_s * 1e3 / steps, "block_ms": block_ms,
            "pid": os.getpid(), "torch": torch.__version__, "gpu": torch.cuda.get_device_name(),
        }
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(document, file)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""Launches a handful of PyTorch operations over and over, each on buffers that rotate through more than the L2 cache.

gpuprof should find: one kernel an operation (matrix product, layer norm, softmax, addition, row sum), each launched
--launches times; the matrix product limited by the tensor cores, the others by DRAM.
It exists to compare gpuprof's counters with other tools (bench/accuracy.py), so there is nothing to fix.
"""

import argparse
import sys
import time

ROTATION = 3  # sets of buffers; the smallest set is 96 MiB, so a set has left a 60 MB L2 before it comes round again


def operations(torch):
    """Name, kernel-launching function of the set's index, and a check, for each operation."""
    def random(*shape):
        return [torch.randn(*shape, device="cuda", dtype=torch.bfloat16) for _ in range(ROTATION)]

    def like(tensors):
        return [torch.empty_like(tensor) for tensor in tensors]

    left, right = random(4096, 4096), random(4096, 4096)
    product = like(left)
    rows = random(16384, 4096)
    weight = torch.ones(4096, device="cuda", dtype=torch.bfloat16)
    bias = torch.zeros(4096, device="cuda", dtype=torch.bfloat16)
    first, second = random(128 << 20), random(128 << 20)  # 256 MiB each
    total = like(first)
    row_sum = [torch.empty(16384, device="cuda", dtype=torch.bfloat16) for _ in range(ROTATION)]

    normal = torch.nn.functional.layer_norm
    return [
        ("matrix product 4096^3 bf16", lambda i: torch.mm(left[i], right[i], out=product[i]),
         lambda: torch.allclose(product[0][:8].float(), left[0][:8].float() @ right[0].float(), rtol=2e-2, atol=1.0)),
        ("layer norm 16384 x 4096", lambda i: normal(rows[i], (4096,), weight, bias),
         lambda: normal(rows[0], (4096,), weight, bias).float().mean(dim=1).abs().max().item() < 1e-2),
        ("softmax 16384 x 4096", lambda i: torch.softmax(rows[i], dim=1),
         lambda: torch.allclose(torch.softmax(rows[0], dim=1).float().sum(dim=1),
                                torch.ones(16384, device="cuda"), atol=2e-2)),
        ("addition of 256 MiB tensors", lambda i: torch.add(first[i], second[i], out=total[i]),
         lambda: torch.equal(total[0][:4096], first[0][:4096] + second[0][:4096])),
        ("row sum 16384 x 4096", lambda i: torch.sum(rows[i], dim=1, out=row_sum[i]),
         lambda: torch.allclose(row_sum[0].float(), rows[0].float().sum(dim=1), rtol=2e-2, atol=2.0)),
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--launches", type=int, default=200, help="launches of each operation (default 200)")
    parser.add_argument("--no-check", action="store_true", help="skip the check of the results and its kernels")
    arguments = parser.parse_args()
    if arguments.launches < ROTATION:
        parser.error(f"--launches must be at least {ROTATION}")
    try:
        import torch
    except ImportError:
        sys.exit("pytorch_kernels.py needs PyTorch; install it with: python3 -m pip install torch")
    if not torch.cuda.is_available():
        sys.exit("pytorch_kernels.py needs a GPU that PyTorch can use; torch.cuda.is_available() is false")

    torch.manual_seed(0)
    work = operations(torch)
    torch.cuda.synchronize()
    start = time.perf_counter()
    with torch.no_grad():
        for launch in range(arguments.launches):
            for _, run, _ in work:
                run(launch % ROTATION)
    torch.cuda.synchronize()
    elapsed_ms = (time.perf_counter() - start) * 1e3
    print(f"pytorch_kernels.py: {len(work)} operations, {arguments.launches} launches each, {elapsed_ms:.1f} ms",
          flush=True)
    if not arguments.no_check:
        wrong = [name for name, _, check in work if not check()]
        if wrong:
            sys.exit("pytorch_kernels.py: wrong result: " + ", ".join(wrong))


if __name__ == "__main__":
    main()

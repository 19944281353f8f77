#!/usr/bin/env python3
# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""Data-parallel training with two or more ranks: gradients are averaged by all-reduce while the backward pass runs.

    gpuprof run -- torchrun --nproc_per_node=2 examples/ddp.py

gpuprof should find: one process per rank, the same steps on all of them, communication kernels of which a part lies
beside the backward pass and the rest is waited for. With --straggler one rank does more work: the others wait for it in
their all-reduce, and gpuprof names it as the rank with the least communication time.
The fix: larger buckets or a larger batch hide more of the communication; a straggler needs its work back.

With the backend gloo all ranks can share one GPU; there are no communication kernels then, only copies.
"""

import argparse
import json
import os
import time


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=60, help="training steps (default 60)")
    parser.add_argument("--width", type=int, default=2048, help="width of the layers (default 2048)")
    parser.add_argument("--layers", type=int, default=8, help="layers (default 8)")
    parser.add_argument("--batch", type=int, default=512, help="samples a step and rank (default 512)")
    parser.add_argument("--backend", choices=["auto", "nccl", "gloo"], default="auto",
                        help="auto: nccl when every rank has a GPU of its own (default auto)")
    parser.add_argument("--straggler", type=int, metavar="RANK", help="this rank makes its forward pass twice")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    import torch  # after the flags: importing it takes seconds
    from torch import distributed, nn

    rank, world = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    local = int(os.environ.get("LOCAL_RANK", 0))
    devices = torch.cuda.device_count()
    backend = arguments.backend
    if backend == "auto":
        backend = "nccl" if devices >= int(os.environ.get("LOCAL_WORLD_SIZE", world)) else "gloo"
    device = torch.device("cuda", local % devices)
    torch.cuda.set_device(device)
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29500")
    distributed.init_process_group(backend, rank=rank, world_size=world)

    torch.manual_seed(0)
    layers = []
    for _ in range(arguments.layers):
        layers += [nn.Linear(arguments.width, arguments.width), nn.GELU()]
    model = nn.parallel.DistributedDataParallel(nn.Sequential(*layers).to(device), device_ids=[device.index])
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    generator = torch.Generator(device=device).manual_seed(rank)
    loss = None
    start = time.perf_counter()
    for _ in range(arguments.steps):
        with torch.cuda.nvtx.range("step"):
            batch = torch.randn(arguments.batch, arguments.width, device=device, generator=generator)
            with torch.autocast("cuda", dtype=torch.bfloat16):
                if arguments.straggler == rank:
                    model.module(batch)
                loss = model(batch).square().mean()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
    torch.cuda.synchronize()
    seconds = time.perf_counter() - start
    if rank == 0:
        print(json.dumps({"backend": backend, "ranks": world, "steps": arguments.steps,
                          "ms_per_step": round(seconds / arguments.steps * 1e3, 3), "loss": round(float(loss), 6)}))
    distributed.destroy_process_group()


if __name__ == "__main__":
    main()

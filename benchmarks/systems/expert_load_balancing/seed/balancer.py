# SPDX-License-Identifier: Apache-2.0
"""Where the experts of a mixture-of-experts model go: hot ones are replicated, replicas are packed on GPUs."""

# EVOLVE-BLOCK-START: packing
import numpy as np


def balanced_packing(weight, num_packs):
    """Pack n weighted items into packs of n / num_packs items each, as evenly by weight as possible.

    weight: [layers, n]. Returns the pack of each item, [layers, n].
    """
    layers, items = weight.shape
    per_pack = items // num_packs
    pack_of = np.zeros((layers, items), dtype=np.int64)
    for layer in range(layers):
        order = np.argsort(-weight[layer], kind="stable")
        loads = np.zeros(num_packs)
        counts = np.zeros(num_packs, dtype=np.int64)
        for item in order:
            free = np.flatnonzero(counts < per_pack)
            pack = free[np.argmin(counts[free])]
            pack_of[layer, item] = pack
            loads[pack] += weight[layer, item]
            counts[pack] += 1
    return pack_of


# EVOLVE-BLOCK-END


# EVOLVE-BLOCK-START: replication
def replicate_experts(weight, num_replicas):
    """Give every expert one replica and the spare ones to experts that are hot.

    weight: [layers, experts]. Returns the expert of each replica, [layers, num_replicas].
    """
    layers, experts = weight.shape
    expert_of = np.zeros((layers, num_replicas), dtype=np.int64)
    for layer in range(layers):
        counts = np.ones(experts, dtype=np.int64)
        hottest = np.argsort(-weight[layer], kind="stable")
        for spare in range(num_replicas - experts):
            counts[hottest[spare % experts]] += 1
        expert_of[layer] = np.repeat(np.arange(experts), counts)
    return expert_of


# EVOLVE-BLOCK-END


def rebalance(weight, num_replicas, num_gpus):
    """The expert in each slot, [layers, num_gpus, num_replicas / num_gpus]. The evaluator calls this."""
    expert_of = replicate_experts(weight, num_replicas)
    layers = np.arange(weight.shape[0])[:, None]
    counts = np.stack([np.bincount(row, minlength=weight.shape[1]) for row in expert_of])
    share = weight[layers, expert_of] / counts[layers, expert_of]
    pack_of = balanced_packing(share, num_gpus)
    by_gpu = np.argsort(pack_of, axis=1, kind="stable")
    return expert_of[layers, by_gpu].reshape(weight.shape[0], num_gpus, -1)

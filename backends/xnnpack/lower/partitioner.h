#pragma once

#include "backends/lowering/partitioner.h"
#include "runtime/core/result.h"
#include "runtime/kernels/registry.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace et::backends::xnnpack {

/// Called before a delegated node is converted; an error ends the conversion. Empty: not called.
using NodeWatch = std::function<core::Result<>()>;

/// Precision of an operator; named as ExecuTorch's ConfigPrecisionType.
enum class Precision : std::uint8_t {
    Fp32,          ///< floats of any size; weights may be quantized
    StaticQuant,   ///< operands dequantized from integers
    DynamicQuant,  ///< operands quantized in each run
};

/// Options of ExecuTorch's XnnpackPartitioner.
struct PartitionOptions {
    bool perOperator = false;                ///< a part for each operator, with its quantizers
    std::vector<Precision> precisions = {};  ///< of operators to delegate; empty: all
};

/// Partitioner for nodes that XNNPACK computes as in ExecuTorch's delegate: operators of operator_rows.h
/// that satisfy their rules, in as few parts as the other nodes allow. `kernels` compute constants and must
/// outlive it.
[[nodiscard]] lowering::Partitioner makePartitioner(const kernels::KernelRegistry& kernels,
                                                    NodeWatch watch = {}, PartitionOptions options = {});

}  // namespace et::backends::xnnpack

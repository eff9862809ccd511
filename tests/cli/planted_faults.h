#pragma once

#include "tests/inspector/gap_faults.h"

#include <cstddef>
#include <vector>

// Faults that tests inject into real programs.
namespace et::test {

/// A program, given as path relative to `programs` without extension, and its fault.
struct Planted {
    const char* program;
    FaultKind kind;
    std::size_t ordinal;
};
inline constexpr Planted plantedFaults[] = {
    {"mobilenet_v2_small/xnnpack_q8", FaultKind::WeightSign, 3},
    {"mobilenet_v2_small/xnnpack_q8", FaultKind::WeightSign, 17},
    {"mobilenet_v2_small/xnnpack_q8", FaultKind::WeightSign, 45},
    {"mobilenet_v2_small/xnnpack_q8", FaultKind::ChannelSign, 8},
    {"mobilenet_v2_small/xnnpack_q8", FaultKind::ChannelSign, 30},
    {"mobilenet_v2_small/xnnpack_q8", FaultKind::ZeroPoint, 5},
    {"mobilenet_v2_small/xnnpack_q8", FaultKind::ZeroPoint, 47},
    {"mobilenet_v2_small/xnnpack_q8", FaultKind::Scale, 21},
    {"mobilenet_v2_small/xnnpack_q8", FaultKind::Operator, 4},
    {"mobilenet_v2_small/xnnpack_q8", FaultKind::Padding, 6},
    {"mobilenet_v2_small/xnnpack", FaultKind::WeightSign, 2},
    {"mobilenet_v2_small/xnnpack", FaultKind::WeightSign, 33},
    {"mobilenet_v2_small/xnnpack", FaultKind::ActivationBound, 12},
    {"mobilenet_v2_small/xnnpack", FaultKind::Operator, 7},
    {"mobilenet_v2_small/xnnpack", FaultKind::Padding, 10},
    {"simple/xnnpack", FaultKind::WeightSign, 0},
    {"simple/xnnpack_q8", FaultKind::WeightSign, 0},
    {"mlp/xnnpack", FaultKind::ActivationBound, 0},
    {"mlp_8da4w/xnnpack", FaultKind::ActivationBound, 0},
    {"bert_tiny/xnnpack", FaultKind::WeightSign, 1},
    {"bert_tiny/xnnpack", FaultKind::Operator, 0},
    {"mobilenet_v2_small/portable", FaultKind::KernelConstant, 9},
    {"simple/portable", FaultKind::KernelConstant, 1},
    {"../quant/mbv2_025/q8", FaultKind::ZeroPoint, 44},
    {"../quant/mbv2_025/q8", FaultKind::ZeroPoint, 50},
    {"../quant/resnet8/q8", FaultKind::ZeroPoint, 8},
    {"../programs2/ds_cnn/xnnpack_q8", FaultKind::ZeroPoint, 7},
    {"../programs2/encoder_dyn/xnnpack_q8", FaultKind::ZeroPoint, 9},
};

/// Every n-th node of a kind. Some nodes are excluded: a weight that is only multiplied by zeros changes no
/// value of the run, so its fault cannot be found.
struct PlantedStride {
    const char* program;
    FaultKind kind;
    std::size_t first;
    std::size_t step;
    std::size_t count;
};
inline constexpr PlantedStride plantedStrides[] = {
    {"mobilenet_v2_small/xnnpack_q8", FaultKind::WeightSign, 1, 4, 9},
    {"mobilenet_v2_small/xnnpack_q8", FaultKind::ChannelSign, 0, 5, 5},
    {"mobilenet_v2_small/xnnpack_q8", FaultKind::ChannelSign, 30, 15, 2},
    {"mobilenet_v2_small/xnnpack_q8", FaultKind::ZeroPoint, 2, 13, 4},
    {"mobilenet_v2_small/xnnpack_q8", FaultKind::Scale, 4, 13, 4},
    {"mobilenet_v2_small/xnnpack_q8", FaultKind::Padding, 1, 6, 3},
    {"mobilenet_v2_small/xnnpack_q8", FaultKind::Operator, 0, 2, 5},
    {"mobilenet_v2_small/xnnpack", FaultKind::WeightSign, 0, 6, 8},
    {"mobilenet_v2_small/xnnpack", FaultKind::ChannelSign, 3, 9, 2},
    {"mobilenet_v2_small/xnnpack", FaultKind::ChannelSign, 30, 9, 3},
    {"mobilenet_v2_small/xnnpack", FaultKind::ActivationBound, 1, 8, 4},
    {"mobilenet_v2_small/portable", FaultKind::KernelConstant, 0, 11, 2},
    {"mobilenet_v2_small/portable", FaultKind::KernelConstant, 33, 1, 1},
    {"bert_tiny/xnnpack", FaultKind::WeightSign, 0, 1, 6},
    {"bert_tiny/xnnpack", FaultKind::ChannelSign, 0, 2, 3},
    {"bert_tiny/xnnpack", FaultKind::Operator, 0, 1, 2},
    {"mlp/xnnpack_8da8w", FaultKind::ChannelSign, 0, 1, 2},
    {"mlp/xnnpack", FaultKind::WeightSign, 0, 1, 3},
    {"channels_last/xnnpack", FaultKind::ChannelSign, 0, 1, 1},
    {"dyn_conv/xnnpack", FaultKind::WeightSign, 0, 1, 1},
    {"linear/xnnpack_q8", FaultKind::WeightSign, 0, 1, 1},
    {"xnn_modes/whole", FaultKind::ChannelSign, 0, 1, 2},
};

inline std::vector<Planted> sweptFaults() {
    std::vector<Planted> all;
    for (const PlantedStride& each : plantedStrides) {
        for (std::size_t i = 0; i < each.count; ++i) {
            all.push_back({each.program, each.kind, each.first + i * each.step});
        }
    }
    return all;
}

}  // namespace et::test

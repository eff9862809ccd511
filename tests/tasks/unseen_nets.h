#pragma once

#include "tests/tasks/net_draft.h"

#include <array>
#include <filesystem>
#include <memory>
#include <string_view>

namespace et::test {

/// Kinds of nets without measured conversions in the shared data.
inline constexpr std::array unseenNets{
    "unet",      "outliers",   "excite",  "attention", "relu6s",   "rows",       "gates",   "tokens",
    "normed",    "scanned",    "shuffle", "pixels",    "einsum",   "deformable", "windows", "cells",
    "groupNorm", "transposed", "masked",  "spectrum",  "messages", "topk"};

struct UnseenNet {
    std::shared_ptr<const etrecord::Record> record;
    std::vector<tasks::CalibrationCase> cases;  ///< with one input
};
[[nodiscard]] UnseenNet makeUnseenNet(std::string_view name, int calls = 4);

/// Writes all cases as one array, which readCases() splits again.
void writeCases(const UnseenNet& net, const std::filesystem::path& file);

}  // namespace et::test

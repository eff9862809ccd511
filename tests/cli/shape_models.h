#pragma once

#include "tests/support/program_file.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

// Small programs with dynamic sizes, and records that belong to them.
namespace et::test {

/// relu, neg, sigmoid, one after the other, of float32 [s0, 8] or [s0, s1], s0 at most 16 and s1 at most 8.
struct ShapeModel {
    std::int64_t minimum = 1;        ///< of s0, in the record
    bool isPlane = false;            ///< the second size is dynamic as well
    std::uint64_t negOffset = 1024;  ///< where the plan puts the result of neg; the one of relu is at 512
};
/// Writes NAME.pte and NAME.etrecord.
void writeShapeModel(const std::filesystem::path& folder, const std::string& name, const ShapeModel& model);

/// add, then neg, of two float32 [s0, 8] of the same s0, at most 16.
void writePairModel(const std::filesystem::path& folder, const std::string& name);

}  // namespace et::test

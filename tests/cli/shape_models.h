#pragma once

#include "tests/support/program_file.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

// Small programs with dynamic sizes, and their ETRecords.
namespace et::test {

/// relu, neg and sigmoid in sequence, on float32 [s0, 8] or [s0, s1], s0 at most 16 and s1 at most 8.
struct ShapeModel {
    std::int64_t minimum = 1;        ///< minimum of s0 in the ETRecord
    bool isPlane = false;            ///< the second size is also dynamic
    std::uint64_t negOffset = 1024;  ///< planned offset of neg's result; that of relu is 512
};
/// Writes NAME.pte and NAME.etrecord.
void writeShapeModel(const std::filesystem::path& folder, const std::string& name, const ShapeModel& model);

/// add, then neg, on two float32 [s0, 8] with the same s0, at most 16.
void writePairModel(const std::filesystem::path& folder, const std::string& name);

}  // namespace et::test

#pragma once

#include "backends/reference/reference_value.h"
#include "bundled_program/bundle.h"
#include "bundled_program/compare.h"

#include <filesystem>
#include <string>
#include <vector>

namespace et::test {

/// A real record with the bundled program beside it, which has inputs and PyTorch's outputs.
struct RecordCase {
    std::filesystem::path record;
    std::filesystem::path bundle;
    bundled_program::Tolerance tolerance;  ///< of the manifest
};

/// All of the shared data, sorted by name.
[[nodiscard]] std::vector<RecordCase> recordCases();

/// A case's inputs over the bundle's memory, which must live as long.
[[nodiscard]] std::vector<backends::reference::ReferenceValue> inputsOf(
    const bundled_program::TestCase& test);

/// Empty when they agree; else one line.
[[nodiscard]] std::string difference(const std::vector<backends::reference::ReferenceValue>& given,
                                     const std::vector<bundled_program::BundledValue>& expected,
                                     const bundled_program::Tolerance& tolerance);

}  // namespace et::test

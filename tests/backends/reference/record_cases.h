#pragma once

#include "backends/reference/reference_value.h"
#include "bundled_program/bundle.h"
#include "bundled_program/compare.h"

#include <filesystem>
#include <string>
#include <vector>

namespace et::test {

/// A real ETRecord and the bundled program next to it, which has inputs and PyTorch's outputs.
struct RecordCase {
    std::filesystem::path record;
    std::filesystem::path bundle;
    bundled_program::Tolerance tolerance;  ///< from the manifest
};

/// All cases of the shared data, sorted by name.
[[nodiscard]] std::vector<RecordCase> recordCases();

/// Inputs of a case, viewing the bundle's memory, which must outlive them.
[[nodiscard]] std::vector<backends::reference::ReferenceValue> inputsOf(
    const bundled_program::TestCase& test);

/// Empty if the values match; otherwise one line.
[[nodiscard]] std::string difference(const std::vector<backends::reference::ReferenceValue>& given,
                                     const std::vector<bundled_program::BundledValue>& expected,
                                     const bundled_program::Tolerance& tolerance);

}  // namespace et::test

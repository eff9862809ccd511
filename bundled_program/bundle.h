#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace et::bundled_program {

/// A dense tensor of a test case; elements are in memory order.
struct BundledTensor {
    std::int8_t scalarType = 0;          ///< core::scalarType() code; unchecked, may be unknown
    std::vector<std::int64_t> sizes;     ///< in elements, not negative
    std::vector<std::uint8_t> dimOrder;  ///< a permutation: dimensions from outermost to innermost in memory
    core::Bytes data;                    ///< of the dense tensor; unchecked size for an unknown dtype
};

/// An input or an expected output. monostate: the file has no value here (Python's None). The other
/// alternatives are in the order of the file's union.
using BundledValue = std::variant<std::monostate, BundledTensor, std::int64_t, bool, double>;

/// "Tensor", "Int", …, "None": names used by the format.
[[nodiscard]] std::string_view valueTypeName(const BundledValue& value);

struct TestCase {
    std::vector<BundledValue> inputs;
    std::vector<BundledValue> expectedOutputs;
};

/// The cases of one method. Reading does not check that the program has the method and that its inputs and
/// outputs match; verification does.
struct TestSuite {
    std::string_view method;
    std::vector<TestCase> cases;
};

/// A bundled program (.bpte): a program with inputs and expected outputs. Verified; names, tensor data and
/// the program stay in the mapped file. Format: flatbuffer `BP08`, see docs/reference/formats.md. Immutable.
struct Bundle {
    std::shared_ptr<const core::MappedFile> file;
    std::uint32_t version = 0;
    std::vector<TestSuite> suites;
    core::Bytes program;  ///< never empty; not parsed here: use program::Program::parse(file, program)

    /// Errors: Io; Format (not a bundled program, damaged); Unsupported (another version of the format);
    /// Limit.
    [[nodiscard]] static core::Result<std::shared_ptr<const Bundle>> open(const std::filesystem::path& path);
    [[nodiscard]] static core::Result<std::shared_ptr<const Bundle>> parse(
        std::shared_ptr<const core::MappedFile> file);

    /// The first suite of that method; null if there is none.
    [[nodiscard]] const TestSuite* findSuite(std::string_view method) const;
};

}  // namespace et::bundled_program

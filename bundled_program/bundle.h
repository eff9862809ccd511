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

/// A tensor that a case brings, dense, in the order of its dimensions in memory.
struct BundledTensor {
    std::int8_t scalarType = 0;          ///< core::scalarType() code; as found, may be unknown
    std::vector<std::int64_t> sizes;     ///< in elements, none negative
    std::vector<std::uint8_t> dimOrder;  ///< a permutation: dimensions from outermost to innermost in memory
    core::Bytes data;                    ///< of the dense tensor; all that there is for an unknown dtype
};

/// An input or an expected output. monostate: the file has no value at this place (Python's None). The other
/// alternatives stand in the order of the file's union.
using BundledValue = std::variant<std::monostate, BundledTensor, std::int64_t, bool, double>;

/// "Tensor", "Int", …, "None": the format's own names.
[[nodiscard]] std::string_view valueTypeName(const BundledValue& value);

struct TestCase {
    std::vector<BundledValue> inputs;
    std::vector<BundledValue> expectedOutputs;
};

/// The cases of one method. Whether the program has that method, and takes and gives what the cases say, is
/// known only with the program: verification, not reading.
struct TestSuite {
    std::string_view method;
    std::vector<TestCase> cases;
};

/// A bundled program (.bpte): a program with inputs and the outputs to expect. Verified; names, tensor data
/// and the program stay in the mapped file. Format: flatbuffer `BP08`, see docs/formats.md. Immutable.
struct Bundle {
    std::shared_ptr<const core::MappedFile> file;
    std::uint32_t version = 0;
    std::vector<TestSuite> suites;
    core::Bytes program;  ///< never empty; not looked into: program::Program::parse(file, program) reads it

    /// Errors: Io; Format (not a bundled program, damaged); Unsupported (another version of the format);
    /// Limit.
    [[nodiscard]] static core::Result<std::shared_ptr<const Bundle>> open(const std::filesystem::path& path);
    [[nodiscard]] static core::Result<std::shared_ptr<const Bundle>> parse(
        std::shared_ptr<const core::MappedFile> file);

    /// The first suite of that method; null where there is none.
    [[nodiscard]] const TestSuite* findSuite(std::string_view method) const;
};

}  // namespace et::bundled_program

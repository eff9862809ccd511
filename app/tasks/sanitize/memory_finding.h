#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace et::tasks {

/// Kinds of memory errors.
enum class MemoryError : std::uint8_t {
    OutOfBounds,   ///< an access before the start or after the end of a tensor
    BeyondShape,   ///< a write into memory of a tensor that its resized shape does not use
    WriteToInput,  ///< of the method
    WriteToConstant,
    WriteToArgument,   ///< a write to an argument that is not an output
    StaleMemory,       ///< an access to a tensor that is not an argument of the call
    StaleScratch,      ///< an access to temporary memory of an earlier call
    ScratchOverrun,    ///< an access outside of temporary memory
    Uninitialized,     ///< a result depends on memory that no instruction has written
    NotWritten,        ///< an output that is used later is not fully written
    Nondeterministic,  ///< two equal calls have different results
    PlanOverlap,       ///< a value is read after the plan gave its memory to another value
    ReadBeforeWrite,   ///< a value is read before any instruction has written it
    BrokenAlias,       ///< the plan separates an in-place operator's output from its input
    Crash              ///< an access outside of all tensors, or another signal
};

struct MemoryErrorInfo {
    MemoryError kind;
    std::string_view name;     ///< in JSON: "out_of_bounds"
    std::string_view meaning;  ///< for tables: "access outside of a tensor"
};
[[nodiscard]] const MemoryErrorInfo& traits(MemoryError kind);
[[nodiscard]] std::span<const MemoryErrorInfo> memoryErrors();

/// A memory error of one instruction.
struct MemoryFinding {
    MemoryError kind = MemoryError::OutOfBounds;
    std::string method{};
    std::int32_t chain = 0;
    std::int32_t instruction = -1;  ///< -1: the end of the execution
    std::string op{};               ///< operator or backend
    std::optional<std::uint32_t> argument{};
    std::string argumentName{};             ///< "self", "out"; empty: unknown
    std::optional<std::uint32_t> value{};   ///< program::ValueId
    std::string type{};                     ///< "float32 [2, 3]"
    std::optional<bool> isWrite{};          ///< empty: no access was observed
    std::uint32_t accessBytes = 0;          ///< 0: unknown
    std::optional<std::int64_t> offset{};   ///< in bytes from the start of the tensor
    std::optional<std::int64_t> element{};  ///< offset / element size, rounded down
    std::uint64_t bytes = 0;                ///< number of bytes affected; 0: unknown
    std::string function{};                 ///< of the plugin or of et-inspect
    std::string library{};                  ///< file that contains it
    std::string sourceFile{};
    int sourceLine = 0;
    std::string python{};  ///< "model.py:12"
    std::string detail{};  ///< other values or instructions involved
    std::uint64_t times = 1;

    /// "write of 4 bytes at byte 24 (element 6), 0 bytes after the end".
    [[nodiscard]] std::string accessText() const;
    /// "instruction 3 (my::scale.out), argument 2 (out)".
    [[nodiscard]] std::string placeText() const;
    /// One line: the kind, the access and the place.
    [[nodiscard]] std::string summary() const;
    /// The same with the value, the function and the Python line.
    [[nodiscard]] std::string line() const;
    /// "scale(float*) (mine.cpp:12) in libmine.so"; empty: unknown.
    [[nodiscard]] std::string codeText() const;
    /// Whether both describe the same error of the same instruction.
    [[nodiscard]] bool isSame(const MemoryFinding& other) const;
};

}  // namespace et::tasks

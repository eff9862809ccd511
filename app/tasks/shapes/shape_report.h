#pragma once

#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What running a method once with inputs of some sizes told, and how a process hands it to another.
namespace et::app {

/// An output beside that of the record's graph.
struct ShapeOutput {
    std::vector<std::int64_t> sizes{};
    std::vector<std::int64_t> referenceSizes{};
    std::uint64_t elements = 0;
    std::uint64_t beyond = 0;     ///< further off than rounding explains, or a number where none should be
    std::uint64_t nonFinite = 0;  ///< of those: NaN or infinite on one side only
    double maxError = 0;          ///< largest absolute difference of finite numbers
    double magnitude = 0;         ///< largest absolute finite number of the reference
    double tolerance = 0;         ///< of `maxError` over `magnitude`, that rounding explains
    std::vector<std::int64_t> first{};  ///< index of the first element that is beyond

    [[nodiscard]] bool sameSizes() const { return sizes == referenceSizes; }
    [[nodiscard]] double relativeError() const { return magnitude > 0 ? maxError / magnitude : maxError; }
};

enum class ShapeEnd : std::uint8_t {
    Ran,
    Refused,   ///< an error, as it should be for sizes that are not legal
    Crashed,   ///< the process died
    TimedOut,  ///< an execution did not end in time
};
/// "ran", "refused", "crashed", "timed out".
[[nodiscard]] std::string_view shapeEndName(ShapeEnd end);

/// What the sizes of an execution take, in bytes. What is planned is the same for all sizes.
struct ShapeMemory {
    std::uint64_t planned = 0;
    std::uint64_t growing = 0;
    std::uint64_t temporary = 0;              ///< the most that one instruction needed
    std::string temporaryBy{};                ///< that instruction: "convolution.out (instruction 1)"
    std::uint64_t workspace = 0;              ///< of delegates
    std::vector<std::uint64_t> workspaces{};  ///< the same by delegate

    [[nodiscard]] std::uint64_t total() const { return planned + growing + temporary + workspace; }
};

struct ShapeReport {
    ShapeEnd end = ShapeEnd::Ran;
    std::string message{};           ///< why it did not run
    std::string noReference{};       ///< why there is nothing to compare with; empty: there is
    std::string referenceRefused{};  ///< why the graph does not run on these sizes; empty: it does
    std::vector<ShapeOutput> outputs{};
    std::string unwritten{};  ///< the operator whose values depend on memory that nobody has written
    std::string remembers{};  ///< the operator whose values depend on a run with other sizes before
    std::string culprit{};    ///< the operator whose own error comes first, where that was asked for
    ShapeMemory memory{};
    double nanoseconds = 0;  ///< of one execution
};

[[nodiscard]] std::string shapeReportJson(const ShapeReport& report);
/// Errors: Format.
[[nodiscard]] core::Result<ShapeReport> readShapeReport(std::string_view json);

}  // namespace et::app

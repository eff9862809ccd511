#pragma once

#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Report of running a method once with inputs of given sizes, and its JSON for passing it between processes.
namespace et::tasks {

/// An output compared with that of the record's graph.
struct ShapeOutput {
    std::vector<std::int64_t> sizes{};
    std::vector<std::int64_t> referenceSizes{};
    std::uint64_t elements = 0;
    std::uint64_t beyond = 0;  ///< elements that exceed the rounding tolerance or mismatch as NaN or infinity
    std::uint64_t nonFinite = 0;        ///< of those: NaN or infinite in only one of the two
    double maxError = 0;                ///< largest absolute difference of finite numbers
    double magnitude = 0;               ///< largest absolute finite number of the reference
    double tolerance = 0;               ///< maximum of `maxError` / `magnitude` explained by rounding
    std::vector<std::int64_t> first{};  ///< index of the first element counted in `beyond`

    [[nodiscard]] bool sameSizes() const { return sizes == referenceSizes; }
    [[nodiscard]] double relativeError() const { return magnitude > 0 ? maxError / magnitude : maxError; }
};

enum class ShapeEnd : std::uint8_t {
    Ran,
    Refused,   ///< an error, as expected for sizes that are not legal
    Crashed,   ///< the process died
    TimedOut,  ///< an execution exceeded the time limit
};
/// "ran", "refused", "crashed", "timed out".
[[nodiscard]] std::string_view shapeEndName(ShapeEnd end);

/// Memory of an execution in bytes. Planned memory is the same for all sizes.
struct ShapeMemory {
    std::uint64_t planned = 0;
    std::uint64_t growing = 0;
    std::uint64_t temporary = 0;              ///< largest need of a single instruction
    std::string temporaryBy{};                ///< that instruction: "convolution.out (instruction 1)"
    std::uint64_t workspace = 0;              ///< of delegates
    std::vector<std::uint64_t> workspaces{};  ///< workspaces by delegate

    [[nodiscard]] std::uint64_t total() const { return planned + growing + temporary + workspace; }
};

struct ShapeReport {
    ShapeEnd end = ShapeEnd::Ran;
    std::string message{};           ///< why it did not run
    std::string noReference{};       ///< why there is no reference; empty: there is one
    std::string referenceRefused{};  ///< why the graph does not run on these sizes; empty: it runs
    std::vector<ShapeOutput> outputs{};
    std::string unwritten{};  ///< operator whose values depend on uninitialized memory
    std::string remembers{};  ///< operator whose values depend on an earlier run with other sizes
    std::string culprit{};    ///< first operator with an error of its own, if requested
    ShapeMemory memory{};
    double nanoseconds = 0;  ///< per execution
};

[[nodiscard]] std::string shapeReportJson(const ShapeReport& report);
/// Errors: Format.
[[nodiscard]] core::Result<ShapeReport> readShapeReport(std::string_view json);

}  // namespace et::tasks
